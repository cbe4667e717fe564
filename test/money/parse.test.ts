import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { CURRENCY_CODES } from '../../src/money/currencies.ts'
import { formatMoney } from '../../src/money/format.ts'
import { needsCurrency, parseAmount } from '../../src/money/parse.ts'
import { scaledRuns } from '../support/test-effort.ts'

const read = (text: string, currencyCode?: string, allowZero = false) =>
  parseAmount(text, { what: '--amount', currencyCode, allowZero })

function refusal(text: string, currencyCode?: string): UsageError {
  try {
    read(text, currencyCode)
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error(`${JSON.stringify(text)} was accepted`)
}

describe('an amount', () => {
  test.each([
    ['700', undefined, 700],
    ['700', 'EUR', 700],
    ['700', 'JPY', 700],
    ['7', 'EUR', 7],
    ['000700', undefined, 700],
    ['9007199254740991', undefined, Number.MAX_SAFE_INTEGER],
  ])('%j with %s is %d minor units', (text, currencyCode, amountMinor) => {
    expect(read(text, currencyCode)).toEqual({ amountMinor, currencyCode })
  })

  test.each([
    ['7.00 EUR', 700, 'EUR'],
    ['7 EUR', 700, 'EUR'],
    ['7.5 EUR', 750, 'EUR'],
    ['0.01 EUR', 1, 'EUR'],
    ['700 JPY', 700, 'JPY'],
    ['1.234 KWD', 1234, 'KWD'],
    ['1 KWD', 1000, 'KWD'],
    ['1.0001 CLF', 10001, 'CLF'],
    ['12 XAU', 12, 'XAU'],
    ['7.00   EUR', 700, 'EUR'],
    [' 7.00 EUR ', 700, 'EUR'],
    ['90071992547409.91 EUR', Number.MAX_SAFE_INTEGER, 'EUR'],
    // 8.2 * 100 and 1.005 * 1000 are inexact in floating point.
    ['8.20 USD', 820, 'USD'],
    ['1.005 BHD', 1005, 'BHD'],
  ])('%j is %d minor units of %s', (text, amountMinor, currencyCode) => {
    expect(read(text)).toEqual({ amountMinor, currencyCode })
    expect(read(text, currencyCode)).toEqual({ amountMinor, currencyCode })
  })

  test('a bare decimal uses the known currency', () => {
    expect(read('7.00', 'EUR')).toEqual({ amountMinor: 700, currencyCode: 'EUR' })
    expect(read('7.001', 'KWD').amountMinor).toBe(7001)
  })

  test('refuses a bare decimal without a currency, with a hint', () => {
    const error = refusal('7.00')
    expect(error.code).toBe('amount_needs_currency')
    expect(error.details.hint).toContain('--currency')
  })

  test.each([
    ['7.00', true],
    [' 7.00 ', true],
    ['7', false],
    ['7.00 EUR', false],
    ['7.', false],
    ['', false],
  ])('%j needs a currency from elsewhere: %s', (text, needs) => {
    expect(needsCurrency(text)).toBe(needs)
  })

  test('a currency that differs from the known one is a conflict', () => {
    const error = refusal('7.00 USD', 'EUR')
    expect(error.code).toBe('currency_conflict')
    expect(error.message).toBe('--amount is in USD, but the currency is EUR')
  })

  test.each([
    ['7.00 EUT', undefined, 'Did you mean EUR?'],
    ['7.00 EURO', undefined, 'Did you mean EUR?'],
    ['7.00 usdd', undefined, 'Did you mean USD?'],
    ['7.00 qqq', undefined, 'Use an ISO 4217 code such as EUR.'],
    ['QQQ 7.00', undefined, 'Use an ISO 4217 code such as EUR.'],
    ['7.00', 'EUT', 'Did you mean EUR?'],
  ])('%j with %s has an unknown currency', (text, currencyCode, hint) => {
    const error = refusal(text, currencyCode)
    expect(error.code).toBe('unknown_currency')
    expect(error.details.hint).toBe(hint)
  })

  test.each([
    ['7.001 EUR', 'too many decimals', 'EUR has 2 decimals.'],
    ['7.000 EUR', 'too many decimals', 'EUR has 2 decimals.'],
    ['7.0 JPY', 'too many decimals', 'JPY has no decimals.'],
    ['', 'is empty', '7.00 EUR'],
    ['   ', 'is empty', '7.00 EUR'],
    ['-5', 'has a sign', '7.00 EUR'],
    ['+5', 'has a sign', '7.00 EUR'],
    ['\u22125', 'has a sign', '7.00 EUR'],
    ['-7.00 EUR', 'has a sign', '7.00 EUR'],
    ['1e3', 'exponent', '7.00 EUR'],
    ['1.5E+3', 'exponent', '7.00 EUR'],
    ['12,50', 'comma', 'Write minor units (1250) or an amount with its currency ("12.50 EUR").'],
    ['12,5', 'comma', '7.00 EUR'],
    ['208,00 EUR', 'comma', 'Write "208.00 EUR".'],
    ['208,5eur', 'comma', 'Write "208.5 EUR".'],
    ['EUR 208,00', 'comma', 'Write "208.00 EUR".'],
    ['208,00 JPY', 'too many decimals', 'JPY has no decimals.'],
    ['7.001eur', 'too many decimals', 'EUR has 2 decimals.'],
    ['208,000 EUR', 'separator', '7.00 EUR'],
    ['1,000', 'separator', '7.00 EUR'],
    ['1.000.000', 'separator', '7.00 EUR'],
    ['1 000', 'separator', '7.00 EUR'],
    ['1\u00a0000', 'separator', '7.00 EUR'],
    ["1'000", 'separator', '7.00 EUR'],
    ['1_000', 'separator', '7.00 EUR'],
    ['7 €', 'currency sign', '7.00 EUR'],
    ['$7', 'currency sign', '7.00 EUR'],
    ['.50 EUR', 'of its point', '7.00 EUR'],
    ['7. EUR', 'of its point', '7.00 EUR'],
    ['7.', 'of its point', '7.00 EUR'],
    ['0x10', 'decimal digits', '7.00 EUR'],
    ['seven', 'is not an amount', '7.00 EUR'],
    ['NaN', 'is not an amount', '7.00 EUR'],
    ['Infinity', 'is not an amount', '7.00 EUR'],
    ['٧', 'is not an amount', '7.00 EUR'],
    ['7.00EUR', 'a space', 'Write "7.00 EUR".'],
    ['EUR 7.00', 'a space', 'Write "7.00 EUR".'],
    ['EUR7', 'a space', 'Write "7 EUR".'],
    ['7.00 eur', 'in capitals', 'Write "7.00 EUR".'],
    ['0', 'is zero', 'above zero'],
    ['0.00 EUR', 'is zero', 'above zero'],
    ['9007199254740992', 'is more than 9007199254740991', 'Check'],
    ['90071992547409.92 EUR', 'is more than 9007199254740991', 'Check'],
    ['9'.repeat(100_000), 'is more than 9007199254740991', 'Check'],
  ])('refuses %j: %s', (text, problem, hint) => {
    const error = refusal(text)
    expect(error).toMatchObject({ code: 'bad_amount', exitCode: 2 })
    expect(error.message).toContain('--amount')
    expect(error.message).toContain(problem)
    expect(error.details.hint).toContain(hint)
  })

  test('accepts zero with allowZero', () => {
    expect(read('0', undefined, true).amountMinor).toBe(0)
    expect(read('0.00', 'EUR', true).amountMinor).toBe(0)
  })

  test.each(['4111 1111 1111 1111', '4111111111111111.0', '4111111111111111EUR', '4111111111111111.001 EUR'])(
    'an error does not repeat digits that may be a card number: %s',
    (text) => {
      const error = refusal(text)
      expect(`${error.message} ${error.details.hint}`).not.toMatch(/4111/)
    },
  )

  test('an error does not repeat control characters', () => {
    expect(refusal('7\u001b[31m').message).toBe('--amount "7?[31m" is not an amount')
  })

  test('parses any input to an exact amount or refuses it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('0179.,-+e EURJPYeur\n')) }), (text) => {
        try {
          const { amountMinor } = read(text, 'EUR')
          expect(Number.isSafeInteger(amountMinor) && amountMinor > 0).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError)
        }
      }),
      { numRuns: scaledRuns(500) },
    )
  })

  test('parses back from its formatted text in every currency', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.constantFrom(...CURRENCY_CODES), (amountMinor, currencyCode) => {
        const text = formatMoney(amountMinor, currencyCode)
        expect(read(text, undefined, true)).toEqual({ amountMinor, currencyCode })
      }),
      { numRuns: scaledRuns(500) },
    )
    for (const code of CURRENCY_CODES) expect(read(formatMoney(7, code)).amountMinor).toBe(7)
  })
})

test.each([
  ['GBP', '("7.00 GBP")'],
  ['JPY', '("700 JPY")'],
  [undefined, '("7.00 EUR")'],
])('what is to be written is shown in a known currency: %s', (currencyCode, example) => {
  expect(() => parseAmount('7,00', { what: 'Amount', currencyCode, allowZero: false })).toThrow(
    expect.objectContaining({ details: expect.objectContaining({ hint: expect.stringContaining(example) }) }),
  )
})
