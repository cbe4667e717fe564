import currencyCodes from 'currency-codes'
import { describe, expect, test } from 'vitest'
import { CURRENCY_CODES, exponentOf } from '../../src/money/currencies.ts'

/** What ISO changed after 2024-06-25, the date of the list inside `currency-codes` 2.2.0. */
const ADDED = {
  XCG: 2, // Caribbean guilder, amendment 176
  XAD: 2, // Arab accounting dinar, amendment 179
}

describe('the ISO 4217 table', () => {
  test.each(currencyCodes.data.map(({ code, digits }) => [code, digits] as const))(
    'gives %s %d decimals, as ISO does',
    (code, digits) => {
      expect(exponentOf(code)).toBe(digits)
    },
  )

  test('contains only the published codes and those added since', () => {
    const published = new Set(currencyCodes.codes())
    const extra = CURRENCY_CODES.filter((code) => !published.has(code))
    expect(Object.fromEntries(extra.map((code) => [code, exponentOf(code)]))).toEqual(ADDED)
  })

  test('keeps currencies that were withdrawn lately, for refunds of older payments', () => {
    expect(['ANG', 'BGN', 'CUC'].map(exponentOf)).toEqual([2, 2, 2])
  })

  test('uses the value as it is where ISO names no minor unit', () => {
    expect(['XAU', 'XDR', 'XTS', 'XXX'].map(exponentOf)).toEqual([0, 0, 0, 0])
  })

  test.each(['HUF', 'IDR', 'PKR', 'LBP'])('gives %s two decimals, where Intl shows none', (code) => {
    expect(exponentOf(code)).toBe(2)
  })

  test('names each code once, sorted, three capitals each', () => {
    expect(CURRENCY_CODES).toEqual([...new Set(CURRENCY_CODES)].toSorted())
    expect(CURRENCY_CODES.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([])
  })

  test.each(['eur', 'EU', '', 'ZZZ', '__proto__', 'constructor'])('does not know %j', (code) => {
    expect(exponentOf(code)).toBeUndefined()
  })
})
