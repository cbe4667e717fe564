import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createImportBench, csvOf, readTable, upTo } from '../../support/import-bench.ts'
import type { ImportBench } from '../../support/import-bench.ts'

/** Larger runs: PAY_TEST_KILL_ROWS=200000 npm run test:deep -- test/crashes/imports/kills */
const ROWS = Number(process.env['PAY_TEST_KILL_ROWS'] ?? 1_200)
const KILLS = Number(process.env['PAY_TEST_KILLS'] ?? 2)
/** Long enough to start, and short enough to be interrupted. */
const LONGEST_MS = Math.max(900, (ROWS / 10_000) * 1_500)
const TIMEOUT_MS = 120_000 + ROWS * 5

const killTimes = (): readonly number[] =>
  Array.from({ length: KILLS }, () => Math.round(250 + Math.random() * LONGEST_MS))

let bench: ImportBench
beforeAll(async () => {
  bench = await createImportBench()
})
afterAll(async () => {
  await bench.close()
})

/** Expects every row once, in order, and a summary that agrees. */
function expectWhole(results: string, stdout: string, bad: readonly number[] = []): void {
  const reported = readTable(bench.folder, results)
  expect(reported.map(([row]) => Number(row))).toEqual(upTo(ROWS))
  const counts: Record<string, number> = {}
  for (const [, , outcome = ''] of reported) counts[outcome] = (counts[outcome] ?? 0) + 1
  expect(JSON.parse(stdout)).toMatchObject({ rows: ROWS, ...counts })
  expect(counts['unknown'] ?? 0).toBe(0)
  expect(reported.filter(([, , outcome]) => outcome === 'failed').map(([row]) => Number(row))).toEqual(bad)
}

/** Records cannot be read, so this imports again: existing records are skipped. */
async function expectRecords(file: string): Promise<void> {
  const again = await bench.importing(`${file} --on-exists skip --json -q`).ended
  expect(JSON.parse(again.stdout)).toMatchObject({ skipped: ROWS, created: 0, updated: 0, unknown: 0 })
}

describe.concurrent('an import that is killed at random and run again', () => {
  const SOURCES: Readonly<Record<string, (content: string) => { words: string; stdinFile?: string }>> = {
    file: () => ({ words: 'file.csv' }),
    gzip: (content) => ({ words: bench.writeGzip('gzip.csv.gz', content) }),
    stdin: () => ({ words: '- --format csv', stdinFile: 'stdin.csv' }),
  }

  test.each(Object.entries(SOURCES))(
    '%s: every row once in the results, and every record created',
    async (kind, sourceOf) => {
      const content = csvOf(ROWS, undefined, kind)
      const file = bench.write(`${kind}.csv`, content)
      const { words, ...options } = sourceOf(content)
      const results = `${kind}-results.csv`
      const ended = await bench.importKilled(`${words} --results ${results} --json`, killTimes(), options)
      expect(ended, ended.stderr).toMatchObject({ exitCode: 0, signal: null })
      expectWhole(results, ended.stdout)
      await expectRecords(file)
    },
    TIMEOUT_MS,
  )

  test(
    'rejects have every bad row once, unchanged',
    async () => {
      const bad = upTo(ROWS).filter((row) => row % 7 === 0)
      const content = csvOf(ROWS, (row) => (row % 7 === 0 ? '12x' : 100), 'bad')
      const words = `${bench.write('bad.csv', content)} --results bad-results.csv --rejects rejects.csv --json`
      const ended = await bench.importKilled(words, killTimes())
      expect(ended, ended.stderr).toMatchObject({ exitCode: 14, signal: null })
      expectWhole('bad-results.csv', ended.stdout, bad)
      expect(readTable(bench.folder, 'rejects.csv').map(([id]) => id)).toEqual(bad.map((row) => `bad-${row}`))
    },
    TIMEOUT_MS,
  )

  test(
    'a German table in windows-1252, with rows that the mapping leaves out',
    async () => {
      const [encoding, name] = ['windows-1252', 'german']
      const lines = upTo(2 * ROWS).map((row) => {
        const kind = row % 2 === 0 ? 'Zahlung' : 'Gebühr'
        return `${name}-${row};EUR;Müller;1.234,56;31.01.2026;09:30;A-1;PAYPAL;${kind}`
      })
      const header =
        'paymentId;currencyCode;processor.name;amount;Datum;Uhrzeit;order.id;paymentMethod.paymentMethodType;Art'
      bench.write(`${name}.csv`, iconv.encode(`${header}\r\n${lines.join('\r\n')}\r\n`, encoding))
      bench.write(
        `${name}.yaml`,
        `join: {createdAt: [Datum, Uhrzeit]}\nwhere: {Art: [Zahlung]}\namounts: major\ndecimalComma: true
dateFormat: dd.MM.yyyy HH:mm\ntimezone: Europe/Berlin\nencoding: ${encoding}\n`,
      )
      const words = `${name}.csv --mapping ${name}.yaml`
      const results = `${name}-results.csv`
      const ended = await bench.importKilled(`${words} --results ${results} --json`, killTimes())
      expect(ended, ended.stderr).toMatchObject({ exitCode: 0, signal: null })
      expect(JSON.parse(ended.stdout)).toMatchObject({
        rows: ROWS,
        leftOut: [{ column: 'Art', value: 'Gebühr', rows: ROWS }],
        failed: 0,
        unknown: 0,
      })
      expect(readTable(bench.folder, results).map(([row]) => Number(row))).toEqual(
        upTo(ROWS).map((row) => 2 * row),
      )
      await expectRecords(words)
    },
    TIMEOUT_MS,
  )

  test(
    'parts of a file have every row once',
    async () => {
      const file = bench.write('parts.csv', csvOf(ROWS, undefined, 'part'))
      const parts = [1, 2]
      const ran = await Promise.all(
        parts.map((part) =>
          bench.importKilled(`${file} --shard ${part}/2 --results part-${part}.csv --json`, killTimes()),
        ),
      )
      for (const ended of ran) expect(ended, ended.stderr).toMatchObject({ exitCode: 0, signal: null })
      const reported = parts.map((part) =>
        readTable(bench.folder, `part-${part}.csv`).map(([row]) => Number(row)),
      )
      for (const rows of reported) expect(rows).toEqual(rows.toSorted((a, b) => a - b))
      expect(reported.flat().toSorted((a, b) => a - b)).toEqual(upTo(ROWS))
      await expectRecords(file)
    },
    TIMEOUT_MS,
  )
})
