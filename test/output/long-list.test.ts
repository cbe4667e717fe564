import { expect, test } from 'vitest'
import { longListParts, renderLongList } from '../../src/output/render-result.ts'
import type { RenderOptions } from '../../src/output/view.ts'

const OPTIONS: RenderOptions = { paint: (text) => text, width: undefined, timeZone: 'UTC' }
const LINES = Array.from({ length: 2_500 }, (_, index) =>
  JSON.stringify({ id: `o-${index}`, reason: index % 7 === 0 ? 'two\nlines, "quoted"' : null }),
)
const view = { ids: () => [], csvColumns: ['id', 'reason'], render: () => '' }

test.each(['csv', 'ndjson', 'json'] as const)(
  'the parts of a long list are the whole as %s',
  async (format) => {
    const parts = longListParts(LINES, view.csvColumns, { format, query: undefined })
    let text = ''
    let count = 0
    for await (const part of parts ?? []) {
      text += part
      count += 1
    }
    expect(count).toBeGreaterThan(1)
    expect(text).toBe(
      await renderLongList({
        format,
        lines: LINES,
        view,
        query: undefined,
        onEmptyQuery: undefined,
        options: OPTIONS,
      }),
    )
  },
)

test('a short list has no parts as CSV', () => {
  expect(
    longListParts(LINES.slice(0, 1_000), view.csvColumns, { format: 'csv', query: undefined }),
  ).toBeUndefined()
})
