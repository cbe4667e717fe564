import { describe, expect, test } from 'vitest'
import { renderDetails } from '../../src/output/details.ts'
import { plainPaint, wordsPaint } from '../../src/output/paint.ts'
import { renderTable } from '../../src/output/table.ts'
import type { Column } from '../../src/output/table.ts'

interface Shoe {
  readonly id: string
  readonly price: string
  readonly name: string
  readonly note: string
}
const columns: readonly Column<Shoe>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'PRICE', text: ({ price }) => price, align: 'right', tone: () => 'good' },
  { title: 'NAME', text: ({ name }) => name, drop: 1 },
  { title: 'NOTE', text: ({ note }) => note, drop: 2 },
]
const LAYOUT = { paint: plainPaint, width: undefined }
const shoes: readonly Shoe[] = [
  { id: 'shoe-1', price: '10.00', name: 'Blue shoe of 東京', note: 'new' },
  { id: 'shoe-22', price: '7.50', name: 'Red', note: '' },
]
const render = (width: number | undefined, rows = shoes) =>
  renderTable(columns, rows, { width, paint: plainPaint }).split('\n')

test('is complete in a pipe, with right-aligned numbers and no trailing spaces', () => {
  expect(render(undefined)).toEqual([
    'ID       PRICE  NAME               NOTE',
    'shoe-1   10.00  Blue shoe of 東京  new',
    'shoe-22   7.50  Red',
  ])
})

test('drops the least important column first and names the dropped ones', () => {
  expect(render(38)).toEqual([
    'ID       PRICE  NAME',
    'shoe-1   10.00  Blue shoe of 東京',
    'shoe-22   7.50  Red',
    '… no room for 1 column: NOTE',
  ])
  expect(render(24)).toEqual([
    'ID       PRICE  NOTE',
    'shoe-1   10.00  new',
    'shoe-22   7.50',
    '… no room for 1 column:…',
  ])
  expect(render(19)).toEqual(['ID       PRICE', 'shoe-1   10.00', 'shoe-22   7.50', '… no room for 2 co…'])
})

test('a cell that is too long hides its own column, not those that fit', () => {
  const long = [...shoes, { id: 'shoe-3', price: '1.00', name: 'x'.repeat(500), note: 'old' }]
  expect(render(60, long)).toEqual([
    'ID       PRICE  NOTE',
    'shoe-1   10.00  new',
    'shoe-22   7.50',
    'shoe-3    1.00  old',
    '… no room for 1 column: NAME',
  ])
})

test('shows each row as a block if the required columns do not fit', () => {
  expect(render(12)).toEqual([
    'ID     shoe-1',
    'PRICE  10.00',
    'NAME   Blue shoe of 東京',
    'NOTE   new',
    '',
    'ID     shoe-22',
    'PRICE  7.50',
    'NAME   Red',
  ])
})

test('has exactly one line per row with linesOnly', () => {
  const options = { width: 12, paint: plainPaint, linesOnly: true } as const
  expect(renderTable(columns, shoes, options).split('\n')).toEqual([
    'ID       PRICE',
    'shoe-1   10.00',
    'shoe-22   7.50',
  ])
})

test('keeps right-to-left text in its column on a terminal and unchanged in a pipe', () => {
  const rtl = [
    { id: 'shoe-1', price: '7.00', name: '\u05E9\u05DC\u05D5\u05DD', note: '\u0645\u062D\u0645\u062F' },
  ]
  expect(render(80, rtl)[1]).toBe(
    'shoe-1   7.00  \u2068\u05E9\u05DC\u05D5\u05DD\u2069  \u2068\u0645\u062D\u0645\u062F\u2069',
  )
  expect(render(undefined, rtl)[1]).toBe('shoe-1   7.00  \u05E9\u05DC\u05D5\u05DD  \u0645\u062D\u0645\u062F')
})

test('truncates a column that may shrink if no column is left to drop', () => {
  const kept = columns
    .slice(0, 3)
    .map(({ drop: _, ...column }) =>
      column.title === 'NAME' ? { ...column, shrink: true as const } : column,
    )
  expect(renderTable(kept, shoes, { width: 28, paint: plainPaint }).split('\n')).toEqual([
    'ID       PRICE  NAME',
    'shoe-1   10.00  Blue shoe o…',
    'shoe-22   7.50  Red',
  ])
})

test('leaves out an empty column', () => {
  const bare = shoes.map((shoe) => ({ ...shoe, note: '', price: '' }))
  expect(render(undefined, bare)[0]).toBe('ID       NAME')
})

test('does not count paint as width', () => {
  expect(renderTable(columns.slice(0, 2), shoes, { width: 20, paint: wordsPaint }).split('\n')).toEqual([
    'dim(ID)       dim(PRICE)',
    'shoe-1   good(10.00)',
    'shoe-22   good(7.50)',
  ])
})

test('details align values, leave out empty ones and separate groups with a blank line', () => {
  const groups = [
    [
      ['Status', 'SETTLED'],
      ['Order', undefined],
    ],
    [['Reason', '']],
    [
      ['Authorized', '7.00 EUR'],
      ['Größe', '42'],
    ],
  ] as const
  expect(renderDetails({ ...LAYOUT, paint: wordsPaint }, ...groups).split('\n')).toEqual([
    'dim(Status)      SETTLED',
    '',
    'dim(Authorized)  7.00 EUR',
    'dim(Größe)       42',
  ])
})

test('details without values are empty', () => {
  expect(renderDetails(LAYOUT, [['Order', undefined]])).toBe('')
})

test('long details wrap at word boundaries', () => {
  const groups = [
    [
      ['Reason', 'the parcel was damaged in transit and came back'],
      ['Id', 'a1b2c3d4-0000-4000-8000-000000000001'],
    ],
  ] as const
  expect(renderDetails({ ...LAYOUT, width: 34 }, ...groups).split('\n')).toEqual([
    'Reason  the parcel was damaged in',
    '        transit and came back',
    'Id      a1b2c3d4-0000-4000-8000-000000000001',
  ])
  expect(renderDetails(LAYOUT, ...groups).split('\n')).toHaveLength(2)
})

describe('a last column that wraps', () => {
  const prose: readonly Column<Shoe>[] = [
    { title: 'ID', text: ({ id }) => id },
    { title: 'PRICE', text: ({ price }) => price, drop: 1 },
    { title: 'NOTE', text: ({ note }) => note, wraps: true },
  ]
  const rows = [
    { id: 'shoe-1', price: '10.00', name: '', note: 'of leather that is blue on the outside' },
    { id: 'shoe-22', price: '7.50', name: '', note: 'red' },
  ]
  const at = (width: number) => renderTable(prose, rows, { width, paint: plainPaint }).split('\n')

  test('wraps within its column', () => {
    expect(at(42)).toEqual([
      'ID       PRICE  NOTE',
      'shoe-1   10.00  of leather that is blue on',
      '                the outside',
      'shoe-22  7.50   red',
    ])
  })

  test('wraps before it drops a column or becomes a block', () => {
    expect(at(35)).toEqual([
      'ID       NOTE',
      'shoe-1   of leather that is blue on',
      '         the outside',
      'shoe-22  red',
      '… no room for 1 column: PRICE',
    ])
    expect(at(28)[0]).toBe('ID     shoe-1')
  })
})
