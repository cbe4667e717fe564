import { expect, test } from 'vitest'
import { renderLongList } from '../../src/output/render-result.ts'
import type { OutputFormat } from '../../src/output/output-format.ts'
import { plainPaint } from '../../src/output/paint.ts'
import { renderTable } from '../../src/output/table.ts'
import type { View } from '../../src/output/view.ts'

interface Shoe {
  readonly id: string
}

const view: View<readonly Shoe[]> = {
  ids: (shoes) => shoes.map(({ id }) => id),
  csvColumns: ['id', 'size'],
  render: (shoes) => `${shoes.length} shoes`,
}

function manyShoes(count: number, id = (at: number) => `s${at}`) {
  const all = Array.from({ length: count }, (_, at) => ({ id: id(at), size: 40 }))
  const lines = all.map((shoe) => JSON.stringify(shoe))
  const show = (format: OutputFormat, query?: string) =>
    renderLongList({
      format,
      lines,
      view,
      query,
      options: { paint: plainPaint, width: 80, timeZone: undefined },
    })
  return { all, show }
}

test.each<[OutputFormat, string]>([
  ['table', '2 shoes\n'],
  ['id', 's0\ns1\n'],
  ['ndjson', '{"id":"s0","size":40}\n{"id":"s1","size":40}\n'],
  ['csv', 'id,size\ns0,40\ns1,40\n'],
  ['yaml', '- id: s0\n  size: 40\n- id: s1\n  size: 40\n'],
  ['json', '[\n  {\n    "id": "s0",\n    "size": 40\n  },\n  {\n    "id": "s1",\n    "size": 40\n  }\n]\n'],
])('as %s', async (format, text) => {
  expect(await manyShoes(2).show(format)).toBe(text)
})

test.each<[OutputFormat, string]>([
  ['json', '[]\n'],
  ['ndjson', ''],
  ['id', ''],
  ['yaml', '[]\n'],
  ['csv', 'id,size\n'],
])('an empty list as %s', async (format, text) => {
  expect(await manyShoes(0).show(format)).toBe(text)
})

test('JSON of more than a thousand entries has one entry per line and the same value', async () => {
  for (const count of [1_000, 1_001]) {
    const { all, show } = manyShoes(count)
    const json = await show('json')
    expect(JSON.parse(json)).toEqual(all)
    expect(json.split('\n').length < 2_000).toBe(count > 1_000)
  }
})

test('a query selects from the list', async () => {
  const { show } = manyShoes(3)
  expect(await show('json', '[?id==`"s1"`].size')).toBe('[\n  40\n]\n')
  expect(await show('id', '[].id')).toBe('s0\ns1\ns2\n')
})

test('shows no control characters at any length and in any format', async () => {
  for (const count of [2, 1_001]) {
    const { all, show } = manyShoes(count, (at) => `\u202E${at}\u001B[2J\u009B`)
    for (const format of ['json', 'ndjson', 'id', 'csv', 'yaml'] as const)
      expect((await show(format)).replaceAll('\n', ''), format).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(JSON.parse(await show('json'))).toEqual(all)
  }
})

test('a table can have more rows than a call can have arguments', () => {
  const rows = Array.from({ length: 150_000 }, (_, at) => ({ id: `s${at}` }))
  const table = renderTable([{ title: 'ID', text: ({ id }) => id }], rows, {
    paint: plainPaint,
    width: undefined,
  })
  expect(table.length).toBeGreaterThan(rows.length)
})
