import { describe, expect, test } from 'vitest'
import { createRowWarnings } from '../../../src/rows/map/row-warnings.ts'
import { readTable } from '../../../src/rows/read/table.ts'
import { checkRows } from '../../../src/rows/import/check-rows.ts'
import { RECORD, REQUIRED_FIELDS } from '../../../src/rows/import/record-fields.ts'
import { inChunks } from '../chunks.ts'

const GOOD = ['ext-1', 'EUR', 'ACME', '700', '2026-01-31T09:30:00Z', 'A-1', 'PAYMENT_CARD']
const HEADER = `${REQUIRED_FIELDS.join(',')}\n`
const lineOf = (amount: string, id = 'ext-1') => `${GOOD.with(0, id).with(3, amount).join(',')}\n`

async function check(
  text: string | Buffer,
  {
    isOurs = () => true,
    stop = new AbortController().signal,
    step = 64,
  }: {
    readonly isOurs?: (paymentId: string, row: number) => boolean
    readonly stop?: AbortSignal
    readonly step?: number
  } = {},
) {
  const bytes = Buffer.from(text)
  const mapping = { columns: new Map<string, string>(), constants: new Map<string, string>() }
  const cells = { amounts: 'minor', assumesUtc: false } as const
  const table = readTable(RECORD, bytes, { mapping, cells, rowWarnings: createRowWarnings() })
  const rest = bytes.subarray(table.start.byte)
  const cuts = Array.from({ length: Math.ceil(rest.length / step) }, (_, index) => index * step)
  const progress: (readonly [number, number])[] = []
  const bad: (readonly string[])[] = []
  const checked = await checkRows({
    ...table,
    chunks: inChunks(rest, cuts),
    isOurs,
    stop,
    onBad: (row) => bad.push(row.cells),
    onProgress: (...counts) => progress.push(counts),
  })
  return { ...checked, progress }
}

test('reports problems by kind, the most frequent first, each with its first rows', async () => {
  const rows = ['1', 'x', '12,50', 'y', '\n', 'z', '1,5', 'w'].map((amount) =>
    amount === '\n' ? '\n' : lineOf(amount.includes(',') ? `"${amount}"` : amount),
  )
  const { progress, ...checked } = await check(HEADER + rows.join(''))
  expect(checked).toEqual({
    rows: 7,
    bad: 6,
    doubtful: 0,
    leftOut: [],
    otherProblems: 0,
    repeats: { count: 6, first: [{ paymentId: 'ext-1', count: 6, rows: [1, 2, 3, 4, 5] }] },
    ended: undefined,
    problems: [
      {
        column: 'amount',
        problem: 'has letters or a currency sign',
        hint: 'Write the number alone, or with its ISO 4217 code',
        count: 4,
        first: [
          { row: 2, line: 3, value: 'x' },
          { row: 4, line: 5, value: 'y' },
          { row: 5, line: 7, value: 'z' },
        ],
      },
      {
        column: 'amount',
        problem: 'has a comma',
        hint: expect.stringContaining('add --amounts major --decimal-comma'),
        count: 2,
        first: [
          { row: 3, line: 4, value: '12,50' },
          { row: 6, line: 8, value: '1,5' },
        ],
      },
    ],
  })
  expect(progress.at(-1)).toEqual([7, 6])
})

test('counts line breaks in cells', async () => {
  const { problems } = await check(`${HEADER}"a\n\nb",EUR,ACME,1,2026-01-31T09:30:00Z,A,P\n${lineOf('x')}`)
  expect(problems.map(({ first }) => first[0])).toMatchObject([
    { row: 1, line: 2 },
    { row: 2, line: 5 },
  ])
})

test('skips rows of another part', async () => {
  const text = HEADER + lineOf('x', 'a') + lineOf('y', 'b') + lineOf('1', 'a')
  const { rows, bad, problems } = await check(text, { isOurs: (paymentId) => paymentId === 'a' })
  expect({ rows, bad, values: problems.flatMap(({ first }) => first.map(({ value }) => value)) }).toEqual({
    rows: 2,
    bad: 1,
    values: ['x'],
  })
})

describe('stops with the problems so far', () => {
  test('at a quote that is never closed', async () => {
    const { rows, bad, ended } = await check(`${HEADER}${lineOf('1')}${lineOf('x')}a,"b\n${lineOf('1')}`)
    expect({ rows, bad }).toEqual({ rows: 2, bad: 1 })
    expect(ended).toMatchObject({ code: 'unusable_file', message: expect.stringContaining('Line 4 ') })
  })

  test('at another encoding', async () => {
    const text = Buffer.concat([
      Buffer.from(HEADER + lineOf('1')),
      Buffer.from(lineOf('1', 'M\u00FCller'), 'latin1'),
    ])
    const { rows, ended } = await check(text)
    expect(rows).toBe(1)
    expect(ended).toMatchObject({ message: 'Line 3 is not UTF-8' })
  })

  test('after a signal', async () => {
    const { rows } = await check(HEADER + lineOf('1'), { stop: AbortSignal.abort() })
    expect(rows).toBe(0)
  })
})

test('only counts problems beyond 200 kinds', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => `a${',b'.repeat(index + 10)}\n`)
  const { bad, problems, otherProblems } = await check(HEADER + rows.join(''), { step: 5_000 })
  expect({ bad, kinds: problems.length, otherProblems }).toEqual({ bad: 300, kinds: 200, otherProblems: 100 })
})

test('keeps only the start of a long value', async () => {
  const { problems } = await check(HEADER + lineOf('x'.repeat(100_000)), { step: 10_000 })
  expect(problems[0]?.first[0]?.value).toHaveLength(200)
})
