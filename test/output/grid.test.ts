import * as fc from 'fast-check'
import Table from 'cli-table3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { renderGrid } from '../../src/output/grid.ts'
import { colorPaint, plainPaint, wordsPaint } from '../../src/output/paint.ts'
import { safeText } from '../../src/output/safe-text.ts'
import { widthOf } from '../../src/output/width.ts'
import { scaledRuns } from '../support/test-effort.ts'

/** Text in many scripts, including characters that string-width measures wrongly and the grid's own filler. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.constantFrom(
      '',
      '東京',
      'ที่',
      '\u{1FAE0}',
      '👩‍👩‍👧',
      'क्षि',
      '\uE000',
      '\u0E35',
      '\u2068\u05E9\u05DC\u2069',
      'Zu\u0308rich',
    ),
  )
  .map(safeText)
const rows = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 6 })
const columnsOf = (list: readonly (readonly [string, string])[]) =>
  [{ cells: list.map(([first]) => first) }, { cells: list.map(([, second]) => second) }] as const

test('aligns columns for text in any script', () => {
  fc.assert(
    fc.property(rows, (list) => {
      const [first, second] = columnsOf(list)
      const end = { cells: list.map(() => '|') }
      const lines = renderGrid([first, second, end], plainPaint)
      expect(new Set(lines.map(widthOf)).size).toBe(1)
      expect(lines.map((line) => line.endsWith('|'))).not.toContain(false)
      for (const [at, line] of lines.entries()) expect(line).toContain(list[at]?.[0] ?? '?')
    }),
    { numRuns: scaledRuns(200) },
  )
})

test('a long list has the same layout as a short one', async () => {
  const paint = await colorPaint()
  fc.assert(
    fc.property(rows, fc.constantFrom('right' as const, undefined), (list, align) => {
      // A combining mark without a letter may be on either side of the padding.
      fc.pre(list.flat().every((any) => any === '' || widthOf(any) > 0))
      const [first, second] = columnsOf(list)
      const columns = [
        { ...first, align, toneOf: (row: number) => (row % 2 === 0 ? ('good' as const) : undefined) },
        second,
      ] as const
      const long = columns.map((column) => ({
        ...column,
        cells: Array.from({ length: 1_002 }, (_, row) => column.cells[row % list.length] ?? ''),
      }))
      const short = long.map((column) => ({ ...column, cells: column.cells.slice(0, 2 * list.length) }))
      const drawn = renderGrid(short, paint)
      expect(renderGrid(long, paint).slice(0, drawn.length)).toEqual(drawn)
    }),
    { numRuns: scaledRuns(30) },
  )
})

test.each([2, 1_002])('wraps words within their column and paints each line: %i rows', (count) => {
  const texts = Array.from({ length: count }, (_, row) => (row === 0 ? 'one two\nthree' : 'four'))
  const columns = [
    { cells: texts.map((_, row) => `s${row % 2}`), toneOf: () => 'dim' as const },
    { cells: texts },
  ] as const
  expect(renderGrid(columns, wordsPaint).slice(0, 3)).toEqual([
    'dim(s0)  one two',
    '    three',
    'dim(s1)  four',
  ])
})

test('a long text has the same layout as a short one, without the library, which measures it again and again', () => {
  const draws = vi.spyOn(Table.prototype, 'toString')
  onTestFinished(() => draws.mockRestore())
  const drawn = (word: string) =>
    renderGrid(
      [{ cells: ['Order', 'Status'], toneOf: () => 'dim' }, { cells: [word, 'SETTLED'] }],
      wordsPaint,
    )
  expect(drawn('long')).toEqual(['dim(Order)   long', 'dim(Status)  SETTLED'])
  expect(draws).toHaveBeenCalledTimes(1)
  for (const word of ['x'.repeat(1_000_000), 'e\u0301'.repeat(300_000)])
    expect(drawn(word)).toEqual([`dim(Order)   ${word}`, 'dim(Status)  SETTLED'])
  expect(draws).toHaveBeenCalledTimes(1)
})

test('an empty grid has no lines', () => {
  expect(renderGrid([{ cells: [] }], plainPaint)).toEqual([])
  expect(renderGrid([], plainPaint)).toEqual([])
})
