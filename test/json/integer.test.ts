import { assert, bigInt, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseInteger, parseJson } from '../../src/json/json.ts'

describe('parseInteger', () => {
  test.each([
    ['100.0', 100],
    ['1e2', 100],
    ['1E+2', 100],
    ['12.50e1', 125],
    ['-3.0', -3],
    ['0e99', 0],
    ['-0.0', 0],
    ['9007199254740991.000', 9_007_199_254_740_991],
    ['9007199254740993.0', 9_007_199_254_740_993n],
    ['-1e20', -100_000_000_000_000_000_000n],
    ['1e999', 10n ** 999n],
  ])('%s is %s', (digits, value) => expect(parseInteger(digits)).toBe(value))

  test.each(['100.5', '1e-1', '0.1', '1e1000', '1e999999999999', '9'.repeat(1_001), 'x', '', '1.', '.5'])(
    '%s is not an integer',
    (digits) => expect(parseInteger(digits)).toBeUndefined(),
  )

  test('does not depend on the notation', () => {
    assert(
      property(bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), integer({ min: 1, max: 40 }), (value, by) => {
        expect(BigInt(parseInteger(`${value}${'0'.repeat(by)}e-${by}`) ?? 'none')).toBe(value)
        expect(BigInt(parseInteger(`${value}.${'0'.repeat(by)}`) ?? 'none')).toBe(value)
      }),
    )
  })
})

test('parseJson keeps the digits of numbers unless integers are read by value', () => {
  expect(String(parseJson('[1.0]'))).toBe('1.0')
  expect(parseJson('[1.0,1e2]', { integers: 'by-value' })).toEqual([1, 100])
  expect(String(parseJson('[1.50]', { integers: 'by-value' }))).toBe('1.50')
})
