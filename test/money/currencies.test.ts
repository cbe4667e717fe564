import currencyCodes from 'currency-codes'
import { describe, expect, test } from 'vitest'
import { CURRENCY_CODES, exponentOf } from '../../src/money/currencies.ts'

/** Changes by ISO after 2024-06-25, the date of the list in `currency-codes` 2.2.0. */
const ADDED = {
  XCG: 2, // Caribbean guilder, amendment 176
  XAD: 2, // Arab accounting dinar, amendment 179
}

describe('the ISO 4217 table', () => {
  test.each(currencyCodes.data.map(({ code, digits }) => [code, digits] as const))(
    'gives %s %d decimals, like ISO',
    (code, digits) => {
      expect(exponentOf(code)).toBe(digits)
    },
  )

  test('has only the published codes and those added since', () => {
    const published = new Set(currencyCodes.codes())
    const extra = CURRENCY_CODES.filter((code) => !published.has(code))
    expect(Object.fromEntries(extra.map((code) => [code, exponentOf(code)]))).toEqual(ADDED)
  })

  test('keeps recently withdrawn currencies for refunds of older payments', () => {
    expect(['ANG', 'BGN', 'CUC'].map(exponentOf)).toEqual([2, 2, 2])
  })

  test('gives no decimals if ISO defines no minor unit', () => {
    expect(['XAU', 'XDR', 'XTS', 'XXX'].map(exponentOf)).toEqual([0, 0, 0, 0])
  })

  test.each(['HUF', 'IDR', 'PKR', 'LBP'])('gives %s two decimals, although Intl shows none', (code) => {
    expect(exponentOf(code)).toBe(2)
  })

  test('has each code once, sorted, as three capitals', () => {
    expect(CURRENCY_CODES).toEqual([...new Set(CURRENCY_CODES)].toSorted())
    expect(CURRENCY_CODES.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([])
  })

  test.each(['eur', 'EU', '', 'ZZZ', '__proto__', 'constructor'])('does not know %j', (code) => {
    expect(exponentOf(code)).toBeUndefined()
  })
})
