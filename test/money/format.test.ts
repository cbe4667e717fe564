import { expect, test } from 'vitest'
import { formatMoney } from '../../src/money/format.ts'

test.each([
  [700, 'EUR', '7.00 EUR'],
  [5, 'EUR', '0.05 EUR'],
  [0, 'EUR', '0.00 EUR'],
  [50, 'EUR', '0.50 EUR'],
  [700, 'JPY', '700 JPY'],
  [1, 'KWD', '0.001 KWD'],
  [10001, 'CLF', '1.0001 CLF'],
  [-350, 'EUR', '-3.50 EUR'],
  [-5, 'EUR', '-0.05 EUR'],
  [Number.MAX_SAFE_INTEGER, 'EUR', '90071992547409.91 EUR'],
  [123456789012345678901n, 'EUR', '1234567890123456789.01 EUR'],
])('%d of %s is shown as %s', (amountMinor, currencyCode, text) => {
  expect(formatMoney(amountMinor, currencyCode)).toBe(text)
})

test.each([
  [700, 'QQQ', '700 minor units of QQQ'],
  [700, undefined, '700 minor units'],
  [7.5, 'EUR', '7.5 minor units of EUR'],
  [Number.NaN, 'EUR', 'NaN minor units of EUR'],
])('%d of %s is shown in minor units: %s', (amountMinor, currencyCode, text) => {
  expect(formatMoney(amountMinor, currencyCode)).toBe(text)
})
