import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderCsvColumns, renderCsv } from '../../src/output/csv-text.ts'
import { safeLines } from '../../src/output/safe-text.ts'
import { scaledRuns } from '../support/test-effort.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.stringMatching(/^[=+\-@\t\r\n",; 'a\uFF1D\uFF0B\uFF0D\uFF20]{0,5}$/),
)
const BEGINS_FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/

test('parses back to the same text, with an apostrophe before formulas', () => {
  fc.assert(
    fc.property(fc.record({ a: text, b: text }), (entry) => {
      for (const csv of [renderCsvColumns([entry], ['a', 'b']), renderCsv([entry], [])]) {
        const rows: string[][] = parse(csv, { record_delimiter: '\n' })
        const cells = [entry.a, entry.b].map((cell) =>
          BEGINS_FORMULA.test(cell) ? `'${safeLines(cell)}` : safeLines(cell),
        )
        expect(rows).toEqual([['a', 'b'], cells])
      }
    }),
    { numRuns: scaledRuns(400) },
  )
})

test('a negative number is not a formula', () => {
  expect(renderCsvColumns([{ a: -1, b: -1.5, c: -12345678901234567890n }], ['a', 'b', 'c'])).toBe(
    'a,b,c\n-1,-1.5,-12345678901234567890\n',
  )
  expect(renderCsvColumns([{ a: '-1' }], ['a'])).toBe("a\n'-1\n")
})

test.each([
  ['exactly the columns', [{ a: 'x', b: -1 }], 'a,b\nx,-1\n'],
  ['no values', [{ a: null, b: undefined }], 'a,b\n,\n'],
  ['a different order', [{ b: 1, a: '=2' }], "a,b\n'=2,1\n"],
  [
    'more than other entries',
    [
      { a: 1, b: 2 },
      { a: 3, b: 4, c: 'x,y' },
    ],
    'a,b,c\n1,2,\n3,4,"x,y"\n',
  ],
  [
    'a nested value',
    [
      { a: [1], b: { c: 'NO' } },
      { a: 1, b: 2 },
    ],
    'a,b,b.c\n[1],,NO\n1,2,\n',
  ],
  ['no fields', ['x', 7, null], 'a,b,value\n,,x\n,,7\n,,\n'],
  ['a list', [['x', -1], [[2]]], 'a,b,value1,value2\n,,x,-1\n,,[2],\n'],
])('entries with %s', (_, entries, csv) => {
  expect(renderCsv(entries, ['a', 'b'])).toBe(csv)
})

test('without columns and entries is one empty line', () => {
  expect(renderCsv([], [])).toBe('\n')
})

test.each(['\t=1+1', '\r=1+1', '\n=1+1', '\r\n@A1', '\t\t-1+1', ' =1+1', '\u00A0=1+1', '\t＝1'])(
  'a formula after white space is escaped: %j',
  (cell) => {
    for (const csv of [
      renderCsv([{ a: cell }], []),
      renderCsv([{ [cell]: 1 }], []),
      renderCsvColumns([{ a: cell }], ['a']),
    ])
      expect(csv).toMatch(/(^|\n)"?'\s*[=@＝-]/)
  },
)

test('metadata is one column of JSON', () => {
  const entries = [{ id: 'p1', metadata: { b: 1, a: 'x' } }, { id: 'p2' }]
  const csv = 'id,metadata\np1,"{""b"":1,""a"":""x""}"\np2,\n'
  expect(renderCsv(entries, ['id'])).toBe(csv)
  expect(renderCsvColumns(entries, ['id', 'metadata'])).toBe(csv)
})

test.each([
  ['nothing', [], ''],
  ['more than the columns', [{ id: 'p1', extra: 1, b: { c: 'x', d: 1 } }], 'p1,x\n'],
  ['fewer than the columns', [{ id: 'p1' }], 'p1,\n'],
  ['a value that is not an object', [{ id: 'p1', b: 'x' }, 'p2', null], 'p1,\n,\n,\n'],
  ['a list or an object as a value', [{ id: [1], b: { c: { d: 1 } } }], '[1],"{""d"":1}"\n'],
])('a list with %s has the same columns', (_, entries, lines) => {
  expect(renderCsvColumns(entries, ['id', 'b.c'])).toBe(`id,b.c\n${lines}`)
})
