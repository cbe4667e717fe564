import { expect, test } from 'vitest'
import { compareCounts, compareRates, compareSums } from '../../../../src/pages/dashboard/insights/compare.ts'

test.each([
  [3, 1, '2 more'],
  [1, 2001, '2,000 fewer'],
  [4, 4, 'the same'],
])('counts: %s after %s is %s', (now, before, words) => {
  expect(compareCounts(now, before)).toBe(words)
})

test.each([
  [1050, 1000, 'EUR', '0.50 more'],
  [0, 700, 'JPY', '700 less'],
  [2n ** 60n, 1, 'EUR', '11,529,215,046,068,469.75 more'],
  [5, 5, 'EUR', 'the same'],
  [null, null, 'EUR', 'the same'],
  [5, null, 'EUR', 'not comparable'],
  [null, 5, 'EUR', 'not comparable'],
])('sums: %s after %s %s is %s', (now, before, currencyCode, words) => {
  expect(compareSums(now, before, currencyCode)).toBe(words)
})

test.each([
  [2 / 3, 1 / 3, '33.4 points higher'],
  [0.5, 0.512, '1.2 points lower'],
  [0.50001, 0.50002, 'the same'],
  [null, 0.5, 'not comparable'],
  [null, null, 'the same'],
])('rates: %s after %s is %s', (now, before, words) => {
  expect(compareRates(now, before)).toBe(words)
})
