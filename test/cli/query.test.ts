import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../support/run-pay.ts'
import { useBench } from '../support/use-bench.ts'
import type { RunOptions, RunResult } from '../support/run-pay.ts'
import { LIST, MONEY, PAYMENT, answer } from './raw-answers.ts'

const bench = useBench()

const run = (words: string, body: string, options: RunOptions = {}): Promise<RunResult> =>
  bench.runPay(words, { service: () => answer(body), env: MONEY, ...options })

describe('--query', () => {
  test.each([
    ['status', '"SETTLED"\n'],
    ['new.b[3]', '9007199254740993\n'],
    ['new.b[4]', '123456789012345678901234567890\n'],
    ['nothing', 'null\n'],
    ["join('-', [id, status])", '"p1-SETTLED"\n'],
  ])('%s implies JSON', async (query, stdout) => {
    expect(await run(`payment get p1 --query "${query}"`, PAYMENT)).toMatchObject({ exitCode: 0, stdout })
  })

  test.each([
    ['yaml', 'id: p1\n'],
    ['ndjson', '{"id":"p1"}\n'],
    ['csv', 'id\np1\n'],
  ])('works with %s', async (format, stdout) => {
    const got = await run(`payment get p1 --query "{id: id}" -o ${format}`, PAYMENT)
    expect(got).toMatchObject({ exitCode: 0, stdout })
  })

  test('with -o id prints plain values, one per line', async () => {
    const got = await run('payment list --query "data[].id" -o id', LIST)
    expect(got).toMatchObject({ exitCode: 0, stdout: 'p1\np2\n' })
  })

  test('that is invalid is refused before anything is sent', async () => {
    for (const line of [
      'payment capture p1 --amount 5',
      'payment get p1',
      'payment list',
      'session create --order-id a',
      'api POST /payments/p1/refund --set amount:=5',
    ]) {
      const refused = await bench.runPay([...line.split(' '), '--query', 'data[?'], {
        env: MONEY,
        service: () => jsonAnswer(200, {}),
      })
      expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
      expect(JSON.parse(refused.stderr.trim())).toMatchObject({ error: { code: 'bad_query' } })
    }
  })

  test('that does not fit the response of a write still reports that it was done', async () => {
    const done = await run('payment capture p1 --amount 700 --query "abs(id)"', PAYMENT)
    expect(done.exitCode).toBe(0)
    expect(done.stdout.replaceAll(/\s/g, '')).toBe(PAYMENT.replaceAll(/\s/g, ''))
    expect(done.stderr).toContain('--query')
  })

  test('that does not fit the response of a read is an error', async () => {
    expect(await run('payment get p1 --query "abs(id)"', PAYMENT)).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

describe('a query that selects nothing', () => {
  test.each([
    ['', 'null\n'],
    ['-o yaml', 'null\n'],
    ['-o ndjson', 'null\n'],
    ['-o id', ''],
  ])('prints null and says so: %s', async (format, stdout) => {
    const got = await run(`payment get p1 --query nope ${format}`, PAYMENT)
    expect(got).toMatchObject({ exitCode: 0, stdout })
    expect(got.stderr).toContain('--query selected nothing.')
    expect((await run(`payment get p1 --query nope -q ${format}`, PAYMENT)).stderr).toBe('')
  })

  test('is not one that selects an empty list or the text "null"', async () => {
    for (const query of ['`[]`', `"'null'"`, 'id'])
      expect((await run(`payment get p1 --query ${query}`, PAYMENT)).stderr).toBe('')
  })

  test('of a local list prints null too', async () => {
    const got = await bench.runPay('ops list --query nope')
    expect(got).toMatchObject({ exitCode: 0, stdout: 'null\n' })
    expect(got.stderr).toContain('--query selected nothing.')
  })
})

test('a result without an ID says so if you ask for its ID', async () => {
  const created = await bench.runPay(
    '--sandbox session create --order-id A-1 --currency EUR --amount 100 -o id',
  )
  const got = await bench.runPay(`--sandbox session get --client-token ${created.stdout.trim()} -o id`)
  expect(got).toMatchObject({ exitCode: 0, stdout: '' })
  expect(got.stderr).toContain('This result has no ID, so -o id prints nothing.')
  const listed = await bench.runPay('--sandbox payment list --order-id none -o id')
  expect(listed.stderr).not.toContain('no ID')
})
