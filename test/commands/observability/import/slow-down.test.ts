import { expect, test } from 'vitest'
import { csvOf, readTable } from '../../../support/import-bench.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { errorOf } from '../../../support/run-result.ts'
import { okay, useImportBench } from './import-bench.ts'

const { bench, write, withService, stateFiles } = useImportBench()

const slower = (seconds: number) => jsonAnswer(429, {}, { 'retry-after': String(seconds) })
const waitedMs = (): number => bench().waits.reduce((sum, ms) => sum + ms, 0)

test.each([
  ['nothing but 429', 1, '', /no row has ended for/],
  ['a Retry-After of 31 years', 999_999_999, '', /to wait 11575 days, longer than the 5 min/],
  ['a Retry-After above --max-wait', 4, '--max-wait 3s', /to wait 4 s, longer than the 3 s/],
])('%s stops an import with exit code 7; the same command continues', async (_, seconds, flags, words) => {
  write('rows.csv', csvOf(60))
  const command = `rows.csv --results results.csv --max-failures 1 --json ${flags}`
  const ran = await withService(command, (_request, attempt) => (attempt > 20 ? slower(seconds) : okay()))
  expect(ran).toMatchObject({ exitCode: 7 })
  const { rows, failed, unknown, left, ended } = JSON.parse(ran.stdout)
  expect({ failed, unknown, left, ended }).toEqual({
    failed: 0,
    unknown: 0,
    left: 60 - rows,
    ended: 'rate_limited',
  })
  const error = errorOf(ran)
  expect(error).toMatchObject({ code: 'rate_limited', exitCode: 7, retryable: true })
  expect(error.message).toMatch(words)
  expect(error.message).toContain(`${rows} rows are done, ${60 - rows} are left`)
  expect(error.next).toEqual([expect.stringContaining('observability import rows.csv')])
  expect(waitedMs()).toBeLessThanOrEqual(5 * 60_000)
  const again = await withService(command, okay)
  expect(again).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(again.stdout)).toMatchObject({ rows: 60, created: 60 })
  expect(readTable(bench().folder, 'results.csv').map(([row]) => Number(row))).toEqual(
    Array.from({ length: 60 }, (_row, index) => index + 1),
  )
})

test('429 from the start leaves every row, and nothing to resume', async () => {
  write('rows.csv', csvOf(3))
  const ran = await withService('rows.csv --json', () => slower(1))
  expect(ran).toMatchObject({ exitCode: 7 })
  expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 0, ended: 'rate_limited' })
  expect(errorOf(ran).message).toContain('0 rows are done, 3 are left')
  expect(stateFiles()).toEqual([])
})

test('a row that is always answered 429 fails while others end', async () => {
  write('rows.csv', csvOf(30))
  const ran = await withService('rows.csv --results results.csv --json', ({ body = '' }) =>
    body.includes('"ext-7"') ? slower(1) : okay(),
  )
  expect(ran).toMatchObject({ exitCode: 14 })
  expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 30, created: 29, failed: 1 })
  const [, paymentId, outcome, , message] = readTable(bench().folder, 'results.csv')[6] ?? []
  expect([paymentId, outcome]).toEqual(['ext-7', 'failed'])
  expect(message).toContain('asked to slow down (429) 10 times in a row')
})
