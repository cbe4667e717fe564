import { describe, expect, test } from 'vitest'
import { readCell } from '../../../src/rows/map/cell.ts'
import type { CellOptions } from '../../../src/rows/map/cell.ts'
import { toPlainNumber } from '../../../src/rows/map/number-style.ts'

const NBSP = '\u00A0'
const NARROW = '\u202F'

describe('with a decimal comma', () => {
  test.each([
    ['0', '0'],
    ['1234', '1234'],
    ['1234,56', '1234.56'],
    ['0,5', '0.5'],
    ['1.234,56', '1234.56'],
    ['12.345.678,9', '12345678.9'],
    ['1.234.567', '1234567'],
    [`1 234,56`, '1234.56'],
    [`1${NBSP}234${NBSP}567,8`, '1234567.8'],
    [`1${NARROW}234`, '1234'],
  ])('%s is %s', (text, plain) => expect(toPlainNumber(text, 'decimal-comma', 2)).toBe(plain))

  test.each(['1.234', '12.345', '999.999'])('%s is refused: it may be a thousand times less', (text) =>
    expect(toPlainNumber(text, 'decimal-comma', 3)).toEqual({
      kind: 'has a point that may separate thousands or decimals',
      hint: 'Write 1234 or 1234,00, whichever it is',
    }),
  )

  test('1.234 is a thousand in a currency without decimals', () =>
    expect(toPlainNumber('1.234', 'decimal-comma', 0)).toBe('1234'))

  test.each(['12.50', '1.23,4', '0.123,45', '1234.567,8', '1.2345', '12.34.567', '1,234.56', '1.234 567,8'])(
    '%s is refused: its groups are not exact',
    (text) =>
      expect(toPlainNumber(text, 'decimal-comma', 2)).toMatchObject({
        kind: 'has a point in the wrong place',
      }),
  )
})

describe('with commas between thousands', () => {
  test.each([
    ['1234.56', '1234.56'],
    ['1,234.56', '1234.56'],
    ['1,234,567', '1234567'],
  ])('%s is %s', (text, plain) => expect(toPlainNumber(text, 'thousands-comma', 2)).toBe(plain))

  test('1,234 is refused, except in a currency without decimals', () => {
    expect(toPlainNumber('1,234', 'thousands-comma', 2)).toMatchObject({
      kind: 'has a comma that may separate thousands or decimals',
    })
    expect(toPlainNumber('1,234', 'thousands-comma', 0)).toBe('1234')
  })

  test.each(['12,50', '1.234,56', '12,34.5'])('%s is refused', (text) =>
    expect(toPlainNumber(text, 'thousands-comma', 2)).toMatchObject({
      kind: 'has a comma in the wrong place',
    }),
  )
})

describe('a cell', () => {
  const german: CellOptions = { amounts: 'major', assumesUtc: false, numbers: 'decimal-comma' }
  test.each([
    ['1.234,50', 'EUR', 123_450],
    ['1234,5', 'EUR', 123_450],
    ['1.234', 'JPY', 1234],
    ['1.234,567', 'KWD', 1_234_567],
    ['90.071.992.547.409,91', 'EUR', 9_007_199_254_740_991],
  ])('%s %s is exact', (text, currency, amount) =>
    expect(readCell('amount', text, german, currency)).toBe(amount),
  )

  test.each([
    ['1,234', 'EUR', 'has more decimals than its currency'],
    ['1,5', 'JPY', 'has more decimals than its currency'],
    ['1.234', 'KWD', 'has a point that may separate thousands or decimals'],
    ['-1.234,50', 'EUR', 'is negative'],
    ['90.071.992.547.409,92', 'EUR', 'is more than 9007199254740991 minor units'],
  ])('%s %s is refused', (text, currency, kind) =>
    expect(readCell('amount', text, german, currency)).toMatchObject({ kind }),
  )

  test('in minor units has no decimals, and no doubtful group', () => {
    const minor: CellOptions = { ...german, amounts: 'minor' }
    expect(readCell('amount', '1.234.567', minor, 'EUR')).toBe(1_234_567)
    expect(readCell('amount', '12,50', minor, 'EUR')).toMatchObject({ kind: 'is not in minor units' })
    expect(readCell('amount', '1.234', minor, 'JPY')).toMatchObject({
      kind: 'has a point that may separate thousands or decimals',
    })
  })

  test('without the flag names it', () =>
    expect(readCell('amount', '12,50', { amounts: 'major', assumesUtc: false }, 'EUR')).toMatchObject({
      kind: 'has a comma',
      hint: expect.stringContaining('--decimal-comma'),
    }))
})

describe('an amount that may name its currency', () => {
  const typed: CellOptions = { amounts: 'typed', assumesUtc: false, numbers: 'decimal-comma' }
  test.each([
    ['1.234,50 EUR', '', '1234.50 EUR'],
    ['1 234,50 eur', '', '1234.50 eur'],
    ['1.234,50', 'EUR', '1234.50'],
    ['1.234.567 EUR', '', '1234567 EUR'],
    ['1.234', 'JPY', '1234'],
    ['1.234,-', 'EUR', '1234.00'],
    ['700', 'EUR', '700'],
  ])('%s (%s) is left to its reader as %s', (text, currency, plain) =>
    expect(readCell('amount', text, typed, currency)).toBe(plain),
  )

  test.each([
    ['1.234 EUR', '', 'has a point that may separate thousands or decimals'],
    ['12.50 EUR', '', 'has a point in the wrong place'],
    // Without a currency, a whole number would be in minor units.
    ['1.234.567', 'EUR', 'has separators, but neither decimals nor a currency'],
    ['1 234', '', 'has separators, but neither decimals nor a currency'],
  ])('%s (%s) is refused', (text, currency, kind) =>
    expect(readCell('amount', text, typed, currency)).toMatchObject({ kind }),
  )
})
