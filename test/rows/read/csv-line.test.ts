import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine, withoutGuard } from '../../../src/rows/read/csv-line.ts'

test.each([
  [['a', 1, 'c d'], 'a,1,c d\n'],
  [['a,b', 'c"d', 'e\nf'], '"a,b","c""d","e\nf"\n'],
  [['', ''], ',\n'],
  [['Zoë', '-x'], "Zoë,'-x\n"],
])('%j is written as %j', (cells, line) => expect(csvLine(cells)).toBe(line))

describe('a cell that a spreadsheet would run as a formula', () => {
  test.each([
    '=1+1',
    '+49 30 1',
    '-5+1',
    '-5 EUR',
    '+5',
    "'-5",
    '@x',
    '\tx',
    '\rx',
    '\nx',
    '＝1',
    '＋1',
    '－1',
    '＠x',
    "'=1",
    "''=1",
    '\t=1',
    '\r=1',
    '\r\n=1',
    '  =1',
    '\u00A0=1',
    '\v=1',
    '\u0000=1',
    "'\t=1",
  ])('%j gets an apostrophe, which can be removed', (cell) => {
    const [[written = ''] = []]: string[][] = parse(csvLine([cell, 'b']), { record_delimiter: '\n' })
    expect(written).toBe(`'${cell}`)
    expect(withoutGuard(written)).toBe(cell)
  })

  test.each(["'quoted'", "o'clock", "'", '', 'a=b', '-5', '-5.00', '-1.234'])('%j is not one', (cell) => {
    expect(csvLine([cell])).toBe(`${cell}\n`)
    expect(withoutGuard(cell)).toBe(cell)
  })
})

test('guarding and unguarding restores cells that start like a formula', () => {
  const start = fc.string({
    unit: fc.constantFrom('\t', '\r', '\n', ' ', '\u00A0', '\u0000', "'", '=', '+', '-', '@', 'a'),
  })
  fc.assert(
    fc.property(
      fc.array(start, { minLength: 2, maxLength: 4 }),
      fc.constantFrom(',', ';', '\t'),
      (cells, delimiter) => {
        const [row = []]: string[][] = parse(csvLine(cells, delimiter), {
          delimiter,
          record_delimiter: ['\r\n', '\n', '\r'],
        })
        expect(row.map(withoutGuard)).toEqual(cells)
        expect(row.filter((cell) => /^[\s\u0000]*[=+\-@]/.test(cell))).toEqual([])
      },
    ),
  )
})

test('writing and reading restores any cells', () =>
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 6 }),
      fc.constantFrom(',', ';', '\t'),
      (cells, delimiter) => {
        const [row = []]: string[][] = parse(csvLine(cells, delimiter), {
          delimiter,
          record_delimiter: ['\r\n', '\n', '\r'],
        })
        expect(row.map(withoutGuard)).toEqual(cells)
      },
    ),
  ))
