import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMajorUnits, readMinorUnits } from '../../../src/rows/map/amount-cell.ts'
import { CURRENCY_CODES, exponentOf } from '../../../src/money/currencies.ts'
import { parseAmount } from '../../../src/money/parse.ts'

const major = (text: string, currency: string) => readMajorUnits(text, currency, exponentOf(currency))

describe('minor units', () => {
  test.each([
    ['0', 0],
    ['1250', 1250],
    ['007', 7],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['00009007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%s', (text, amount) => expect(readMinorUnits(text)).toBe(amount))

  test.each(['9007199254740992', '9007199254740993', '99999999999999999999'])(
    '%s is too large to be exact',
    (text) =>
      expect(readMinorUnits(text)).toMatchObject({ kind: 'is more than 9007199254740991 minor units' }),
  )

  test.each([
    ['1250.0', 1250],
    ['1250.000', 1250],
    ['0.000', 0],
    ['10.00', 10],
  ])('whose zeros after the point are exact: %s', (text, amount) =>
    expect(readMinorUnits(text, true)).toBe(amount),
  )

  test.each(['10.000', '1.250', '999.000'])('may be thousands: %s', (text) =>
    expect(readMinorUnits(text, true)).toEqual({
      kind: 'has a point that may separate thousands or decimals',
      hint: `Write ${text.replace('.', '')} if it separates thousands`,
    }),
  )

  test('decimals are rejected', () =>
    expect(readMinorUnits('12.50')).toEqual({
      kind: 'is not in minor units',
      hint: 'Use --amounts major for major units (12.50)',
    }))
})

describe('major units', () => {
  test.each([
    ['12.50', 'EUR', 1250],
    ['12.5', 'EUR', 1250],
    ['12', 'EUR', 1200],
    ['0.01', 'EUR', 1],
    ['0', 'EUR', 0],
    ['700', 'JPY', 700],
    ['1.234', 'KWD', 1234],
    ['1.2', 'KWD', 1200],
    ['0.0001', 'CLF', 1],
    ['49.9000', 'EUR', 4990],
    ['1250.00', 'JPY', 1250],
    ['700.0', 'JPY', 700],
    ['1234.500', 'EUR', 123450],
    ['90071992547409.91', 'EUR', Number.MAX_SAFE_INTEGER],
    ['4.35', 'EUR', 435],
    ['1.15', 'EUR', 115],
  ])('%s %s', (text, currency, amount) => expect(major(text, currency)).toBe(amount))

  test.each([
    ['700.5', 'JPY', 'JPY has none'],
    ['1.250', 'EUR', 'EUR has 2'],
    ['12.500', 'JPY', 'JPY has none'],
    ['12.505', 'EUR', 'EUR has 2'],
    ['1.2345', 'KWD', 'KWD has 3'],
  ])('%s %s has too many decimals', (text, currency, hint) =>
    expect(major(text, currency)).toEqual({ kind: 'has more decimals than its currency', hint }),
  )

  test('one more than the largest amount is rejected', () =>
    expect(major('90071992547409.92', 'EUR')).toMatchObject({
      kind: 'is more than 9007199254740991 minor units',
    }))

  test('in an unknown currency are checked only for their form', () => {
    expect(major('12.5', 'EURO')).toBe(12)
    expect(major('12,5', 'EURO')).toMatchObject({ kind: 'has a comma' })
  })

  test('are read like amounts on the command line', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...CURRENCY_CODES),
        fc.stringMatching(/^\d{1,17}(\.\d{1,5})?$/),
        (currency, text) => {
          const read = major(text, currency)
          // Files may have more zeros than the currency has decimals.
          const kept = typeof read === 'number' ? text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : text
          const parse = () => parseAmount(`${kept} ${currency}`, { what: 'it', allowZero: true }).amountMinor
          if (typeof read === 'number') expect(read).toBe(parse())
          else expect(parse).toThrow()
        },
      ),
    ))
})

describe('rejects in both units, with a hint', () => {
  test.each([
    ['12,50', 'has a comma'],
    ['1,234', 'has a comma'],
    ['1.234,56', 'has a comma'],
    ['1,234.56', 'has a comma'],
    ['1 234', 'has a separator between its digits'],
    ['1\u00A0234', 'has a separator between its digits'],
    ['1\u202F234.50', 'has a separator between its digits'],
    ["1'234", 'has a separator between its digits'],
    ['1.234.567', 'has several decimal points'],
    ['+5', 'has a plus sign'],
    ['-5', 'is negative'],
    ['\u22125', 'is negative'],
    ['(5)', 'is negative'],
    ['5-', 'is negative'],
    ['-', 'is a dash'],
    ['$ -', 'is a dash'],
    ['- \u20AC', 'is a dash'],
    ['(minor)', 'has letters or a currency sign'],
    ['5e2', 'is a number that a spreadsheet shortened'],
    ['1.23E+10', 'is a number that a spreadsheet shortened'],
    ['1,23E+10', 'is a number that a spreadsheet shortened'],
    ['12.50 EUR', 'has letters or a currency sign'],
    ['€12', 'has letters or a currency sign'],
    ['NaN', 'has letters or a currency sign'],
    ['0x10', 'has letters or a currency sign'],
    ['１２', 'has digits other than 0 to 9'],
    ['١٢', 'has digits other than 0 to 9'],
    ['.5', 'has no digit before or after the decimal point'],
    ['5.', 'has no digit before or after the decimal point'],
    ['?', 'is not an amount'],
  ])('%s', (text, kind) => {
    for (const read of [readMinorUnits(text), major(text, 'EUR')])
      expect(read).toEqual({ kind, hint: expect.stringMatching(/.{8}/) })
  })

  test.each([
    ['12.50 EUR', 'add --amounts major', undefined],
    ['€ 12,50', 'add --amounts major --decimal-comma', undefined],
    ['12,50', 'add --amounts major --decimal-comma', 'add --decimal-comma'],
    ['1.234,56', 'add --amounts major --decimal-comma', 'add --decimal-comma'],
    ['1,240', undefined, undefined],
    ['1250.0', '--amounts minor if it is', undefined],
  ])('advises flags that read %s', (text, inMinor, inMajor) => {
    for (const [read, flags] of [
      [readMinorUnits(text), inMinor],
      [major(text, 'EUR'), inMajor],
    ] as const) {
      const hint = typeof read === 'number' ? '' : read.hint
      if (flags === undefined) expect(hint).not.toContain('--')
      else expect(hint).toContain(flags)
    }
  })

  test('turns any text into a non-negative integer or a reason', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const read of [readMinorUnits(text), major(text, 'EUR')])
          expect(typeof read === 'number' ? Number.isSafeInteger(read) && read >= 0 : read.kind !== '').toBe(
            true,
          )
      }),
    ))
})
