import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvRows, delimiterOf } from '../../src/bulk/csv.ts'
import type { Delimiter } from '../../src/bulk/csv.ts'
import { tables } from './tables.ts'

const blockOf = (text: string | Buffer, startLine = 1) => ({
  bytes: Buffer.from(text),
  startByte: 0,
  startLine,
})
const whole = (bytes: Buffer, delimiter: Delimiter): string[][] =>
  parse(bytes, {
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  })

describe('rows', () => {
  test.each([',', ';', '\t'] as const)('with %j are those of the library', (delimiter) =>
    fc.assert(
      fc.property(tables(delimiter), ({ bytes, rows }) => {
        expect(csvRows(blockOf(bytes), delimiter)).toEqual({ rows, problem: undefined })
        expect(whole(bytes, delimiter)).toEqual(rows)
      }),
    ),
  )

  test('without quotes are those of the library', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', ' ', ',', ';', '\n', '\r', '\r\n', 'é', '\u0000', '\uFEFF'), {
          maxLength: 40,
        }),
        (signs) => {
          const bytes = Buffer.from(`x${signs.join('')}`)
          expect(csvRows(blockOf(bytes), ',').rows).toEqual(whole(bytes, ','))
        },
      ),
    ))
})

describe('a block that cannot be read gives the rows before it, and the line', () => {
  test.each([
    ['a quote that is never closed', 'a,b\nc,"d\ne,f\n', 'Line 2 cannot be read: a quote is never closed'],
    [
      'a quote within a cell',
      'a,b\nc,5" pipe\nd,"e"\n',
      'Line 2 cannot be read: there is a quote in the middle of a cell',
    ],
    [
      'text behind a closing quote',
      'a,b\n"c"d,e\n',
      'Line 2 cannot be read: there is text after the closing quote of a cell',
    ],
  ])('%s', (_, text, message) => {
    const { rows, problem } = csvRows(blockOf(text), ',')
    expect(rows).toEqual([['a', 'b']])
    expect(problem).toMatchObject({ code: 'unusable_file', exitCode: 2, message })
  })

  test('lines within cells count', () => {
    const { rows, problem } = csvRows(blockOf('"a\nb",c\r\n"d\r\ne",f\n"g"h,i\n', 10), ',')
    expect(rows).toEqual([
      ['a\nb', 'c'],
      ['d\r\ne', 'f'],
    ])
    expect(problem?.message).toContain('Line 14 ')
  })

  test.each([
    ['at the start', Buffer.from([0xe9, 0x2c, 0x62, 0x0a]), 0, 10],
    [
      'in the middle',
      Buffer.concat([Buffer.from('a,b\n"c\n'), Buffer.from([0xfc]), Buffer.from('",d\ne,f\n')]),
      1,
      12,
    ],
    ['at the end, half a sign', Buffer.concat([Buffer.from('a,b\nc,'), Buffer.from([0xe2, 0x82])]), 1, 11],
  ])('not UTF-8 %s', (_, bytes, good, line) => {
    const { rows, problem } = csvRows(blockOf(bytes, 10), ',')
    expect(rows).toHaveLength(good)
    expect(problem).toMatchObject({
      code: 'unusable_file',
      message: `Line ${line} is not UTF-8`,
      details: { hint: expect.stringContaining('iconv') },
    })
  })

  test('UTF-16 is known for what it is', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a,b\n', 'utf16le')])
    expect(csvRows(blockOf(bytes), ',').problem).toMatchObject({
      details: { hint: expect.stringContaining('iconv -f UTF-16') },
    })
  })
})

test.each([
  ['a,b,c', ','],
  ['a;b;c', ';'],
  ['a\tb\tc', '\t'],
  ['a;b,c;d', ';'],
  ['"a,b,c,d";e', ';'],
  ['"a;""b""";c,d,e', ','],
  ['alone', ','],
  ['', ','],
])('the delimiter of %j is %j', (header, delimiter) => expect(delimiterOf(header)).toBe(delimiter))
