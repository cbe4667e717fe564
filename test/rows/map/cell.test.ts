import { describe, expect, test } from 'vitest'
import { readCell } from '../../../src/rows/map/cell.ts'
import type { FieldKind } from '../../../src/rows/map/field-schema.ts'

const OPTIONS = { amounts: 'minor', assumesUtc: false } as const
const read = (kind: FieldKind, text: string) => readCell(kind, text, OPTIONS, 'EUR')
const KINDS = ['id', 'text', 'code', 'amount', 'currency', 'datetime', 'flag'] as const

describe('rejects spreadsheet damage', () => {
  test.each(KINDS)('a space at either end of %s', (kind) => {
    for (const text of [' a', 'a ', '\u00A0a', 'a\u00A0', 'a\t', 'a\n', '\uFEFFa', 'a\u200B', '\u3000a'])
      expect(read(kind, text)).toEqual({ kind: 'has a space at its start or end' })
  })

  test.each(KINDS)('a formula in %s', (kind) => {
    for (const text of ['=A1', '=1+1', '="00123"'])
      expect(read(kind, text)).toMatchObject({ kind: 'is a formula' })
  })

  test.each(KINDS)('a formula error in %s', (kind) => {
    for (const text of ['#NAME?', '#DIV/0!', '#VALUE!'])
      expect(read(kind, text)).toMatchObject({ kind: 'is a formula error' })
  })

  test('a word for nothing as an ID', () => {
    for (const text of ['nan', 'None', 'NULL', 'n/a', '#N/A', '#REF!'])
      expect(read('id', text)).toMatchObject({ kind: 'is a word for nothing, not an ID' })
  })

  test.each(['id', 'code'] as const)('a shortened number in %s', (kind) => {
    for (const text of ['1.23E+10', '1,23E+10', '1E+05', '-1.23457E+11', '1.2e+300'])
      expect(read(kind, text)).toMatchObject({ kind: 'is a number that a spreadsheet shortened' })
  })

  test('but not an ID with an E', () => {
    for (const text of ['7E10', '1e123456', '12E+4', 'E+10', '1.23E-10']) expect(read('id', text)).toBe(text)
  })

  test('but no other text', () => {
    for (const text of [
      '1.23E+10',
      '#1',
      '-5',
      '+49 30 1',
      '@x',
      'a\nb',
      'a\tb',
      "'a",
      'a=b',
      '👩‍👩‍👧',
      'a\u00ADb',
    ])
      expect(read('text', text)).toBe(text)
  })
})

describe('rejects invisible characters', () => {
  test.each(KINDS)('control characters in %s', (kind) => {
    for (const text of ['a\u0000b', 'a\u001Bb', 'a\u007Fb', 'a\u0085b'])
      expect(read(kind, text)).toEqual({ kind: 'has a control character' })
  })

  test.each(['id', 'code'] as const)('line breaks, direction marks and the like in %s', (kind) => {
    for (const text of ['a\nb', 'a\rb', 'a\u200Bb', 'a\u202Eb', 'a\u00ADb', 'M\uFFFDller', 'a\u2028b'])
      expect(read(kind, text)).toMatchObject({ kind: 'has an invisible character' })
  })

  test('but no letters of any script', () => {
    for (const text of ['Zoë', '注文-1', 'Müller & Söhne']) expect(read('id', text)).toBe(text)
  })
})

describe('currencies', () => {
  test.each(['EUR', 'JPY', 'KWD'])('%s', (code) => expect(read('currency', code)).toBe(code))

  test('are read in any letter case', () => expect(read('currency', 'eUr')).toBe('EUR'))

  test.each([
    ['eux', 'Did you mean EUR?'],
    ['EURO', 'Did you mean EUR?'],
    ['€', 'Use three capital letters, such as EUR'],
    ['978', 'Use three capital letters, such as EUR'],
    ['constructor', 'Use three capital letters, such as EUR'],
    ['x'.repeat(100_000), 'Use three capital letters, such as EUR'],
  ])('%.20s is not one', (text, hint) =>
    expect(read('currency', text)).toEqual({ kind: 'is not an ISO 4217 currency code', hint }),
  )
})

test.each([
  ['true', true],
  ['FALSE', false],
])('the flag %s', (text, flag) => expect(read('flag', text)).toBe(flag))

test.each(['yes', '1', 'constructor', '__proto__', 'toString'])('%s is not a flag', (text) =>
  expect(read('flag', text)).toEqual({ kind: 'is neither true nor false' }),
)

test('an amount in major units is read with its currency', () => {
  const options = { ...OPTIONS, amounts: 'major' } as const
  expect(readCell('amount', '7.00', options, 'EUR')).toBe(700)
  expect(readCell('amount', '700', options, 'JPY')).toBe(700)
  expect(readCell('amount', '7.001', options, 'EUR')).toMatchObject({ hint: 'EUR has 2' })
})
