import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderGrid } from '../../src/output/grid.ts'
import { plainPaint, wordsPaint } from '../../src/output/paint.ts'
import { safeText } from '../../src/output/safe-text.ts'
import { widthOf } from '../../src/output/width.ts'
import { scaledRuns } from '../support/test-effort.ts'

/** Text in many scripts, including characters that string-width measures wrongly. */
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

test('wraps words within their column and paints each line', () => {
  const columns = [
    { cells: ['s0', 's1'], toneOf: () => 'dim' as const },
    { cells: ['one two\nthree', 'four'] },
  ] as const
  expect(renderGrid(columns, wordsPaint)).toEqual(['dim(s0)  one two', '    three', 'dim(s1)  four'])
})

test('an empty grid has no lines', () => {
  expect(renderGrid([{ cells: [] }], plainPaint)).toEqual([])
  expect(renderGrid([], plainPaint)).toEqual([])
})
