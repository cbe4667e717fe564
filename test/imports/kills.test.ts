import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createImportBench, csvOf, readTable } from '../support/import-bench.ts'
import type { ImportBench } from '../support/import-bench.ts'

/** More by hand: PAY_TEST_KILL_ROWS=200000 npx vitest run test/imports/kills.test.ts */
const ROWS = Number(process.env['PAY_TEST_KILL_ROWS'] ?? 1_500)
const KILLS = Number(process.env['PAY_TEST_KILLS'] ?? 3)
/** Long enough to begin, and short enough to be cut off. */
const LONGEST_MS = Math.max(900, (ROWS / 10_000) * 1_500)
const TIMEOUT_MS = 120_000 + ROWS * 5

const killTimes = (): readonly number[] =>
  Array.from({ length: KILLS }, () => Math.round(250 + Math.random() * LONGEST_MS))

let bench: ImportBench
beforeEach(async () => {
  bench = await createImportBench()
})
afterEach(async () => {
  await bench.close()
})

/** Every row once and in order, and what the summary says of them. */
function expectWhole(stdout: string, rows: readonly number[], bad: readonly number[] = []): void {
  const told = readTable(bench.folder, 'results.csv')
  expect(told.map(([row]) => Number(row))).toEqual(rows)
  const counts: Record<string, number> = {}
  for (const [, , outcome = ''] of told) counts[outcome] = (counts[outcome] ?? 0) + 1
  expect(JSON.parse(stdout)).toMatchObject({ rows: rows.length, ...counts })
  expect(counts['unknown'] ?? 0).toBe(0)
  expect(told.filter(([, , outcome]) => outcome === 'failed').map(([row]) => Number(row))).toEqual(bad)
}

/** There is no read of records: whoever is there already is skipped. */
async function expectRecords(file: string, rows: number, words = ''): Promise<void> {
  const again = await bench.importing(`${file} --on-exists skip --json -q ${words}`).ended
  expect(JSON.parse(again.stdout)).toMatchObject({ skipped: rows, created: 0, updated: 0, unknown: 0 })
}

const upTo = (rows: number): readonly number[] => Array.from({ length: rows }, (_, index) => index + 1)

describe('killed at random instants, and run again', () => {
  const SOURCES: Readonly<Record<string, (content: string) => { words: string; stdinFile?: string }>> = {
    'a file': (content) => ({ words: bench.write('rows.csv', content) }),
    'a compressed file': (content) => ({ words: bench.writeGzip('rows.csv.gz', content) }),
    stdin: (content) => ({ words: '- --format csv', stdinFile: bench.write('rows.csv', content) }),
  }

  test.each(Object.entries(SOURCES))(
    '%s: every row once in the results, every record there',
    async (_, sourceOf) => {
      const content = csvOf(ROWS)
      const { words, ...options } = sourceOf(content)
      const ended = await bench.importKilled(`${words} --results results.csv --json`, killTimes(), options)
      expect(ended, ended.stderr).toMatchObject({ exitCode: 0, signal: null })
      expectWhole(ended.stdout, upTo(ROWS))
      await expectRecords(bench.write('all.csv', content), ROWS)
    },
    TIMEOUT_MS,
  )

  test(
    'bad rows are rejected once, and as they came',
    async () => {
      const isBad = (row: number) => row % 7 === 0
      const file = bench.write(
        'rows.csv',
        csvOf(ROWS, (row) => (isBad(row) ? '12.50' : 100)),
      )
      const words = `${file} --results results.csv --rejects rejects.csv --json`
      const ended = await bench.importKilled(words, killTimes())
      expect(ended, ended.stderr).toMatchObject({ exitCode: 14, signal: null })
      const bad = upTo(ROWS).filter(isBad)
      expectWhole(ended.stdout, upTo(ROWS), bad)
      expect(readTable(bench.folder, 'rejects.csv').map(([id]) => id)).toEqual(bad.map((row) => `ext-${row}`))
    },
    TIMEOUT_MS,
  )

  test(
    'shards of one file: every row in one of them, once',
    async () => {
      const content = csvOf(ROWS)
      const file = bench.write('rows.csv', content)
      const shards = await Promise.all(
        [1, 2, 3].map((part) =>
          bench.importKilled(`${file} --shard ${part}/3 --results results-${part}.csv --json`, killTimes()),
        ),
      )
      for (const ended of shards) expect(ended, ended.stderr).toMatchObject({ exitCode: 0, signal: null })
      const told = [1, 2, 3].map((part) =>
        readTable(bench.folder, `results-${part}.csv`).map(([row]) => Number(row)),
      )
      for (const rows of told) expect(rows).toEqual(rows.toSorted((a, b) => a - b))
      expect(told.flat().toSorted((a, b) => a - b)).toEqual(upTo(ROWS))
      await expectRecords(file, ROWS)
    },
    TIMEOUT_MS,
  )
})
