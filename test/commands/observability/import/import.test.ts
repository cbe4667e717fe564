import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../../src/http/transport-port.ts'
import type { HttpResponse, HttpRequest } from '../../../../src/http/transport-port.ts'
import { SERVICE_ENV, envelope } from '../../../support/error-envelope.ts'
import { csvOf, HEADER, readTable, rowOf } from '../../../support/import-bench.ts'
import { createBench, jsonAnswer } from '../../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../../support/run-pay.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

const write = (name: string, text: string): void => writeFileSync(join(bench.folder, name), text)
const read = (name: string): string => readFileSync(join(bench.folder, name), 'utf8')
const importing = (words: string, options: RunOptions = {}) =>
  bench.runPay(`--sandbox observability import ${words}`, options)
const withService = (
  words: string,
  service: (request: HttpRequest, attempt: number) => HttpResponse | Promise<HttpResponse>,
  options: RunOptions = {},
) => bench.runPay(`observability import ${words}`, { env: SERVICE_ENV, service, ...options })
const okay = () => jsonAnswer(200, { amount: 1 })
const exists = jsonAnswer(409, envelope('EntityAlreadyExists'))
const errorOf = (stderr: string): unknown => JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
const stateFiles = (): readonly string[] => readdirSync(join(bench.stateFolder, 'imports'))

describe('results and rejects', () => {
  test('tell of every row once, in the order of the file, whatever became of it', async () => {
    await bench.runPay(
      '--sandbox obs push --payment-id ext-3 --amount 1 --currency EUR --processor A --created-at 2026-01-31T09:30:00Z --order-id o --payment-method-type PAYMENT_CARD',
    )
    write('rows.csv', csvOf(5, (row) => (row === 2 ? '12,50' : 100)).replace('12,50', '"12,50"'))
    const ran = await importing('rows.csv --results results.csv --rejects rejects.csv --json')
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(JSON.parse(ran.stdout)).toMatchObject({
      rows: 5,
      created: 3,
      updated: 1,
      skipped: 0,
      failed: 1,
      unknown: 0,
      retries: 0,
      seconds: expect.any(Number),
    })
    expect(readTable(bench.folder, 'results.csv')).toEqual([
      ['1', 'ext-1', 'created', '', ''],
      ['2', 'ext-2', 'failed', '', expect.stringContaining('amount "12,50"')],
      ['3', 'ext-3', 'updated', '', ''],
      ['4', 'ext-4', 'created', '', ''],
      ['5', 'ext-5', 'created', '', ''],
    ])
    expect(read('rejects.csv')).toMatch(/^paymentId,.*,reason\next-2,EUR,ACME,"12,50",.*\n$/)
  })

  test('rejects are run again once mended, and only they', async () => {
    write(
      'rows.csv',
      csvOf(3, (row) => (row === 2 ? 'x' : 100)),
    )
    await importing('rows.csv --rejects rejects.csv')
    write('mended.csv', read('rejects.csv').replace(',x,', ',250,'))
    const ran = await importing('mended.csv --rejects again.csv --json')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 1, created: 1 })
    expect(readTable(bench.folder, 'again.csv')).toEqual([])
  })

  test('have the service’s words, with card numbers masked and nothing that acts on a terminal', async () => {
    write('rows.csv', csvOf(1))
    const refuse = () =>
      jsonAnswer(422, {
        error: {
          errorId: 'RequestValidationError',
          description: '=bad \u001B[31m 4111111111111111',
          validationErrors: [{ model: 'M', errors: [{ path: '$.order.id', description: 'too long' }] }],
        },
      })
    const ran = await withService('rows.csv --results results.csv', refuse)
    const message = `=bad \\u001b[31m [card number]; order.id "order-1" too long`
    expect(readTable(bench.folder, 'results.csv')).toEqual([
      ['1', 'ext-1', 'failed', 'RequestValidationError', `'${message}`],
    ])
    expect(ran.stderr).toContain(message)
    expect(`${ran.stderr}${read('results.csv')}`).not.toContain('4111111111111111')
  })

  test.each([
    ['the file itself', '--results rows.csv'],
    ['the file by another name', '--results other-name.csv'],
    ['one for both', '--results r.csv --rejects r.csv'],
    ['the file, by a longer path', '--rejects ./x/../rows.csv'],
  ])('are never written over what they are of: %s', async (_, words) => {
    const content = csvOf(3)
    write('rows.csv', content)
    linkSync(join(bench.folder, 'rows.csv'), join(bench.folder, 'other-name.csv'))
    mkdirSync(join(bench.folder, 'x'))
    const ran = await importing(`rows.csv ${words} --json`)
    expect(ran).toMatchObject({ exitCode: 2, requests: [] })
    expect(errorOf(ran.stderr)).toMatchObject({ error: { code: 'two_sources' } })
    expect(read('rows.csv')).toBe(content)
  })

  test('that cannot be written are told before anything is sent', async () => {
    write('rows.csv', csvOf(1))
    const ran = await importing('rows.csv --results none/r.csv')
    expect(ran).toMatchObject({ exitCode: 2, requests: [], stdout: '' })
    expect(ran.stderr).toContain('there is no such folder')
  })
})

describe('--on-exists', () => {
  test.each([
    ['update', 0, { updated: 2 }],
    ['skip', 14, { skipped: 2 }],
    ['fail', 14, { failed: 2 }],
  ])('%s', async (onExists, exitCode, counts) => {
    write('rows.csv', csvOf(2))
    await importing('rows.csv')
    const ran = await importing(`rows.csv --on-exists ${onExists} --json`)
    expect(ran).toMatchObject({ exitCode })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 2, created: 0, ...counts })
  })

  test('the last row of a paymentId is what stays, each sent when the one before is answered', async () => {
    write('rows.csv', HEADER + [1, 2, 3, 4, 5].map((amount) => rowOf('ext-same', amount)).join(''))
    let underway = 0
    const ran = await withService('rows.csv --json', async ({ method }, attempt) => {
      underway += 1
      expect(underway).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      underway -= 1
      return method === 'POST' && attempt > 1 ? exists : okay()
    })
    expect(JSON.parse(ran.stdout)).toMatchObject({ created: 1, updated: 4 })
    const amounts = ran.requests
      .filter(({ method }) => method === 'PATCH')
      .map(({ body = '' }) => /"amount":(\d)/.exec(body)?.[1])
    expect(amounts).toEqual(['2', '3', '4', '5'])
  })
})

describe('the summary', () => {
  const run = async (format: string) => {
    write(
      'rows.csv',
      csvOf(2, (row) => (row === 2 ? 'x' : 1)),
    )
    return withService(`rows.csv -o ${format} --restart`, okay)
  }

  test('for people says what failed, and where all rows are told of', async () => {
    const ran = await run('table')
    expect(ran.stdout).toMatch(/Rows +2\nCreated +1\n/)
    expect(ran.stderr).toContain('1 failed')
    expect(ran.stderr).toContain('row 2 (ext-2)')
    expect(ran.stderr).toContain('--results FILE')
  })

  test.each([
    ['json', /^\{\n {2}"rows": 2,/],
    ['ndjson', /^\{"rows":2,.*\}\n$/],
    ['yaml', /^rows: 2\ncreated: 1\n/],
    ['csv', /^rows,created,updated,skipped,failed,unknown,retries,seconds\n2,1,0,0,1,0,0,[\d.]+\n$/],
    ['id', /^$/],
  ])('%s, and one error as the last line of stderr', async (format, wanted) => {
    const ran = await run(format)
    expect(ran.stdout).toMatch(wanted)
    expect(errorOf(ran.stderr)).toMatchObject({ error: { code: 'rows_failed', exitCode: 14 } })
  })

  test('a query that does not fit does not hide what was done', async () => {
    write('rows.csv', csvOf(1))
    const ran = await withService('rows.csv --query "abs(@)"', okay)
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(ran.stdout).toContain('"created": 1')
  })

  test('all rows done is exit 0 and leaves nothing behind', async () => {
    write('rows.csv', csvOf(3))
    const ran = await withService('rows.csv --json', okay)
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(stateFiles()).toEqual([])
  })
})

describe('what ends a run for all rows', () => {
  const unauthorized = jsonAnswer(401, envelope('Unauthorized'))

  test('a key that is refused from the start is exit 4, and leaves nothing behind', async () => {
    write('rows.csv', csvOf(50))
    const ran = await withService('rows.csv --json', () => unauthorized)
    expect(ran).toMatchObject({ exitCode: 4, stdout: '' })
    expect(errorOf(ran.stderr)).toMatchObject({ error: { code: 'unauthorized', exitCode: 4 } })
    expect(stateFiles()).toEqual([])
    expect(ran.requests.length).toBeLessThanOrEqual(9)
  })

  test('later it is 14 with a summary, and the same command goes on', async () => {
    write('rows.csv', csvOf(50))
    const words = 'rows.csv --results results.csv --json'
    const ran = await withService(words, (_, attempt) => (attempt > 20 ? unauthorized : okay()))
    expect(ran).toMatchObject({ exitCode: 14 })
    const { rows } = JSON.parse(ran.stdout)
    expect(rows).toBeGreaterThan(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({ ended: 'unauthorized' })
    expect(errorOf(ran.stderr)).toMatchObject({
      error: { code: 'unauthorized', exitCode: 14, errorId: 'Unauthorized', httpStatus: 401 },
    })
    const again = await withService(words, okay)
    expect(again).toMatchObject({ exitCode: 0 })
    expect(again.stderr).toContain('Resuming after row')
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 50, created: 50 })
    expect(readTable(bench.folder, 'results.csv').map(([row]) => Number(row))).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    )
  })

  test('a profile whose key was changed goes on where it was', async () => {
    const add = 'profile add shop --base-url http://127.0.0.1:9 --test --api-key-stdin'
    await bench.runPay(add, { stdin: 'key-of-old-000000' })
    write('rows.csv', csvOf(30))
    const run = (service: (request: HttpRequest, attempt: number) => HttpResponse) =>
      bench.runPay('-p shop observability import rows.csv --json', { service })
    await run((_, attempt) => (attempt > 10 ? unauthorized : okay()))
    await bench.runPay('profile set shop --api-key-stdin', { stdin: 'key-of-new-111111' })
    const again = await run(okay)
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 30, created: 30 })
    expect(again.requests.length).toBeLessThan(30)
  })

  test('nobody who accepts a connection is exit 9', async () => {
    write('rows.csv', csvOf(5))
    const ran = await withService('rows.csv --json', () => {
      throw new TransportFailure('refused', false, '127.0.0.1:9 refused the connection')
    })
    expect(ran).toMatchObject({ exitCode: 9, stdout: '' })
  })

  test('a quote that is never closed ends it there, and the rows before it are done', async () => {
    write('rows.csv', `${csvOf(3)}"ext-4,EUR\n`)
    const ran = await withService('rows.csv --json', okay)
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 3, created: 3, ended: 'unusable_file' })
    expect(errorOf(ran.stderr)).toMatchObject({
      error: { code: 'unusable_file', message: expect.stringContaining('Line 5') },
    })
  })

  test('--max-failures stops at a number of failures', async () => {
    write('rows.csv', csvOf(500))
    const refuse = () => jsonAnswer(422, envelope('RequestValidationError'))
    const ran = await withService('rows.csv --max-failures 5 --json', refuse)
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(ran.requests.length).toBeLessThan(40)
    expect(JSON.parse(ran.stdout)).toMatchObject({ ended: 'max_failures' })
    expect(errorOf(ran.stderr)).toMatchObject({ error: { code: 'max_failures', exitCode: 14 } })
  })

  test('--max-failures names the row that stopped it, in the error, the summary and the results', async () => {
    write(
      'rows.csv',
      csvOf(50, (row) => (row === 2 ? -5 : 100)),
    )
    const words = 'rows.csv --max-failures 0 --results results.csv --rejects rejects.csv'
    const ran = await withService(`${words} --json`, okay)
    expect(ran).toMatchObject({ exitCode: 14 })
    const results = readTable(bench.folder, 'results.csv')
    expect(results).toContainEqual(['2', 'ext-2', 'failed', '', expect.stringContaining('is negative')])
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: results.length, failed: 1, ended: 'max_failures' })
    expect(errorOf(ran.stderr)).toMatchObject({
      error: {
        message: expect.stringContaining('Stopped by --max-failures at row 2 (ext-2)'),
        validationErrors: [{ path: 'row 2 (ext-2)', description: expect.stringContaining('is negative') }],
      },
    })
    expect(read('rejects.csv')).toContain('ext-2')
    const rest = await withService('rows.csv --results results.csv --rejects rejects.csv --json', okay)
    expect(JSON.parse(rest.stdout)).toMatchObject({ rows: 50, created: 49, failed: 1 })
    expect(readTable(bench.folder, 'results.csv').map(([row]) => Number(row))).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    )
  })

  test('--max-failures as a share of the rows', async () => {
    write('rows.csv', csvOf(2_000))
    const third = (_: unknown, attempt: number) =>
      attempt % 3 === 0 ? jsonAnswer(422, envelope('RequestValidationError')) : okay()
    expect(await withService('rows.csv --max-failures 50% --json', third)).toMatchObject({ exitCode: 14 })
    const ran = await withService('rows.csv --max-failures 20% --json --restart', third)
    expect(JSON.parse(ran.stdout)).toMatchObject({ ended: 'max_failures' })
    expect(ran.requests.length).toBeLessThan(200)
  })
})

describe('repeats of a paymentId', () => {
  const rows = HEADER + ['a', 'b', 'a', 'a'].map((id, index) => rowOf(id, index + 1)).join('')

  test.each([
    ['update', 'last'],
    ['skip', 'first'],
  ])('are counted and named: %s keeps the %s row', async (onExists, kept) => {
    write('rows.csv', rows)
    const ran = await importing(`rows.csv --on-exists ${onExists} --json`)
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 4, created: 2, repeats: 2 })
    expect(ran.stderr).toContain(
      `Warning: 2 rows repeat the paymentId of an earlier row; only the ${kept} row of each stays: a (rows 1, 3, 4)\n`,
    )
  })

  test('are found across a trial and the rest', async () => {
    write('rows.csv', rows)
    const ran = await importing('rows.csv --canary 2 --yes --json')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 4, repeats: 2 })
  })

  test('where there are none, nothing is said', async () => {
    write('rows.csv', csvOf(3))
    const ran = await importing('rows.csv --json')
    expect(JSON.parse(ran.stdout)).not.toHaveProperty('repeats')
    expect(ran.stderr).not.toContain('repeat')
  })
})

describe('taken up again', () => {
  const words = 'rows.csv --results results.csv --json'
  /** Stopped by Ctrl-C at the twentieth request. */
  async function stopped(more = words): Promise<void> {
    const signal = new AbortController()
    const ran = await withService(
      more,
      (_, attempt) => {
        if (attempt === 20) signal.abort('SIGINT')
        return okay()
      },
      { signal: signal.signal },
    )
    expect(ran).toMatchObject({ exitCode: 130 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ ended: 'interrupted', failed: 0, unknown: 0 })
    expect(errorOf(ran.stderr)).toMatchObject({ error: { code: 'interrupted', exitCode: 130 } })
    expect(ran.stderr).toContain('no new rows are sent')
    expect(ran.requests.length).toBeLessThan(40)
  }
  beforeEach(() => write('rows.csv', csvOf(60)))

  test('after Ctrl-C it goes on, and sends no row twice', async () => {
    await stopped()
    const told = readTable(bench.folder, 'results.csv').length
    const again = await withService(words, okay)
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 60, created: 60 })
    expect(again.requests).toHaveLength(60 - told)
  })

  test.each([
    [
      'another file',
      () =>
        write(
          'rows.csv',
          csvOf(60, () => 7),
        ),
      words,
    ],
    ['another mapping', () => {}, 'rows.csv --const metadata.a=b --results results.csv --json'],
    ['amounts in other units', () => {}, 'rows.csv --amounts major --results results.csv --json'],
    ['another --on-exists', () => {}, 'rows.csv --on-exists skip --results results.csv --json'],
    ['another part of it', () => {}, 'rows.csv --shard 1/1 --on-exists fail --results results.csv --json'],
  ])('%s is another import, from its first row', async (_, change, other) => {
    await stopped()
    change()
    const again = await withService(other, okay)
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 60, created: 60 })
    expect(again.requests).toHaveLength(60)
  })

  test('another account is another import', async () => {
    await stopped()
    const env = { ...SERVICE_ENV, PAY_API_KEY: 'key_of_another_1111' }
    expect((await withService(words, okay, { env })).requests).toHaveLength(60)
  })

  test('--restart starts over', async () => {
    await stopped()
    const again = await withService(`${words} --restart`, okay)
    expect(again.requests).toHaveLength(60)
    expect(readTable(bench.folder, 'results.csv')).toHaveLength(60)
  })

  test.each([
    ['other results', 'rows.csv --results other.csv --json'],
    ['no results', 'rows.csv --json'],
    ['rejects too', `${words} --rejects rejects.csv`],
  ])('%s are refused, and nothing is sent', async (_, other) => {
    await stopped()
    const again = await withService(other, okay)
    expect(again).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(errorOf(again.stderr)).toMatchObject({ error: { code: 'results_changed' } })
  })

  test.each([
    ['gone', () => rmSync(join(bench.folder, 'results.csv'))],
    ['shortened', () => write('results.csv', 'row,paymentId\n')],
  ])('results that are %s meanwhile are refused', async (_, change) => {
    await stopped()
    change()
    const again = await withService(words, okay)
    expect(again).toMatchObject({ exitCode: 2, requests: [] })
    expect(errorOf(again.stderr)).toMatchObject({ error: { code: 'results_changed' } })
    expect((await withService(`${words} --restart`, okay)).exitCode).toBe(0)
  })

  test('a checkpoint that is damaged is refused, and --restart helps', async () => {
    await stopped()
    const name = stateFiles().find((file) => file.endsWith('.json')) ?? ''
    writeFileSync(join(bench.stateFolder, 'imports', name), '{"version":1')
    const again = await withService(words, okay)
    expect(errorOf(again.stderr)).toMatchObject({ error: { code: 'checkpoint_damaged', exitCode: 2 } })
    expect((await withService(`${words} --restart`, okay)).requests).toHaveLength(60)
  })
})

describe('while another process is at it', () => {
  test('the same import is refused, exit 6, and is not when the other has ended', async () => {
    write('rows.csv', csvOf(3))
    let inside: Awaited<ReturnType<typeof importing>> | undefined
    const ran = await withService('rows.csv --json', async () => {
      inside ??= await withService('rows.csv --json', okay)
      return okay()
    })
    expect(inside).toMatchObject({ exitCode: 6, stdout: '', requests: [] })
    expect(errorOf(inside?.stderr ?? '')).toMatchObject({
      error: { code: 'import_running', retryable: true },
    })
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(await withService('rows.csv', okay)).toMatchObject({ exitCode: 0 })
  })

  test('another import into the same results is refused', async () => {
    write('rows.csv', csvOf(3))
    write('other.csv', csvOf(4))
    let inside: Awaited<ReturnType<typeof importing>> | undefined
    await withService('rows.csv --results r.csv', async () => {
      inside ??= await withService('other.csv --results r.csv --json', okay)
      return okay()
    })
    expect(inside).toMatchObject({ exitCode: 6, requests: [] })
    expect(inside?.stderr).toContain('r.csv')
    expect(readTable(bench.folder, 'r.csv')).toHaveLength(3)
  })
})

describe('--canary', () => {
  beforeEach(() =>
    write(
      'rows.csv',
      csvOf(10, (row) => (row === 2 ? 'x' : 1)),
    ),
  )

  test('a script without --yes stops behind it, says so, and goes on with --yes', async () => {
    const ran = await withService('rows.csv --canary 3 --json', okay)
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(ran.requests).toHaveLength(2)
    expect(ran.stderr).toContain('Of the first 3 rows: 2 created, 1 failed.')
    expect(ran.stderr).toContain('row 2 (ext-2)')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 3, ended: 'rest_not_sent' })
    expect(errorOf(ran.stderr)).toMatchObject({ error: { code: 'rest_not_sent', exitCode: 14 } })
    const again = await withService('rows.csv --canary 3 --json --yes', okay)
    expect(again.requests).toHaveLength(7)
    expect(again.stderr.match(/Reading CSV/g)).toHaveLength(1)
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 10, created: 9, failed: 1 })
  })

  test.each([
    [true, 9, 10],
    [false, 2, 3],
  ])('on a terminal it asks: %s', async (answer, requests, rows) => {
    const ran = await withService('rows.csv --canary 3', okay, {
      answers: { 'Send the rest?': answer },
      env: { ...SERVICE_ENV, NO_COLOR: '1' },
    })
    expect(ran.requests).toHaveLength(requests)
    expect(ran.stdout).toMatch(new RegExp(`Rows +${rows}\\n`))
  })

  test('as long as the file it asks nothing', async () => {
    const ran = await withService('rows.csv --canary 10 --json', okay)
    expect(ran.stderr).not.toContain('Of the first')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 10 })
  })

  test('that meets what every row would does not ask', async () => {
    const ran = await withService('rows.csv --canary 3 --json', () => jsonAnswer(403, envelope('Forbidden')))
    expect(ran.stderr).not.toContain('Of the first')
  })
})

describe('on a live profile', () => {
  const env = { PAY_API_KEY: 'key_of_a_test_0000', PAY_BASE_URL: 'https://api.example.com' }
  beforeEach(() => write('rows.csv', csvOf(2)))

  test('a script needs --yes', async () => {
    expect(await withService('rows.csv', okay, { env })).toMatchObject({ exitCode: 2, requests: [] })
    expect(existsSync(join(bench.stateFolder, 'imports'))).toBe(false)
    expect((await withService('rows.csv --yes', okay, { env })).requests).toHaveLength(2)
  })

  const question = (rows: string) => `Import ${rows}rows.csv on LIVE profile https://api.example.com?`

  test('a person is asked, and sees how many rows there are, what they come to, and where they go', async () => {
    const bad = rowOf('ext-3', 100).replace('EUR', 'EURO')
    write('rows.csv', csvOf(2, () => 123_456) + rowOf('ext-yen', 50).replace('EUR', 'JPY') + bad)
    const ran = await withService('rows.csv', okay, {
      env: { ...env, NO_COLOR: '1' },
      answers: { [question('4 rows from ')]: false },
    })
    expect(ran).toMatchObject({ exitCode: 2, requests: [] })
    expect(ran.stderr).toContain(`File     rows.csv
Rows     4, of which 1 can't be sent and will fail
Total    2469.12 EUR in 2 rows
         50 JPY in 1 row
Account  live, https://api.example.com
Effect   creates records, which can't be removed; existing ones are updated
`)
  })

  test('of a large file the rows are estimated', async () => {
    const one = rowOf('ext-1', 100)
    write('rows.csv', HEADER + one.repeat(Math.ceil((33 * 1024 * 1024) / one.length)))
    const ran = await withService('rows.csv --canary 1', okay, { env, answers: { Confirm: false } })
    expect(ran.stderr).toMatch(/^Rows {5}about \d{3},\d{3}$/m)
    expect(ran.stderr).not.toContain('Total')
  })

  test('of stdin nothing is known before', async () => {
    const ran = await withService('- --format csv', okay, {
      env,
      stdin: csvOf(2),
      answers: { Confirm: false },
    })
    expect(ran.requests).toEqual([])
  })

  test('a warning about a value is counted once for the question and the import', async () => {
    write('rows.csv', `${HEADER.trim()},order.countryCode\n${rowOf('ext-1', 1).trim()},Germany\n`)
    const ran = await withService('rows.csv', okay, { env, answers: { Confirm: true } })
    expect(ran.requests).toHaveLength(1)
    expect(ran.stderr).toContain('"Germany" is not a known value')
    expect(ran.stderr).not.toContain('(2 rows)')
  })

  test('without rows nobody is asked', async () => {
    write('rows.csv', HEADER)
    const ran = await withService('rows.csv', okay, { env, tty: true })
    expect(ran).toMatchObject({ exitCode: 0, questions: [], requests: [] })
  })
})

describe('the end names', () => {
  test('the files, and the command that imports the mended rejects', async () => {
    write('rows.csv', csvOf(3, (row) => (row === 2 ? 'x' : 1)).replace('amount', 'Total due'))
    const words = ['rows.csv', '--map', 'amount=Total due', '--results', 'out/r.csv', '--rejects', 'bad.csv']
    mkdirSync(join(bench.folder, 'out'))
    const command = ['--sandbox', 'observability', 'import', ...words]
    const ran = await bench.runPay(command)
    expect(ran.stderr).toContain('Results: out/r.csv (every row)\n')
    expect(ran.stderr).toContain('Rejects: bad.csv (1 failed row, each with the reason)\n')
    expect(ran.stderr).toContain("pay --sandbox observability import bad.csv --map 'amount=Total due'\n")
    const again = await bench.runPay([...command, '--json'])
    expect(errorOf(again.stderr)).toMatchObject({
      error: { next: ["pay --sandbox observability import bad.csv --map 'amount=Total due'"] },
    })
  })

  test('the same command, where the run stopped early', async () => {
    write(
      'rows.csv',
      csvOf(9, () => 'x'),
    )
    const ran = await withService('rows.csv --max-failures 1 --results r.csv --json', okay)
    expect(errorOf(ran.stderr)).toMatchObject({
      // The same limit would stop it again.
      error: { next: ['pay observability import rows.csv --results r.csv'] },
    })
    expect(ran.stderr).toContain('Results: r.csv (the rows so far)')
  })

  test('how to learn more where no file was named', async () => {
    write(
      'rows.csv',
      csvOf(1, () => 'x'),
    )
    expect((await withService('rows.csv', okay)).stderr).toContain('Add --results FILE')
  })

  test('that there was nothing to import', async () => {
    write('rows.csv', HEADER)
    const ran = await withService('rows.csv --json', okay)
    expect(ran).toMatchObject({ exitCode: 0, requests: [] })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 0 })
    expect(ran.stderr).toContain('No rows: there is nothing to import in rows.csv.')
  })
})

describe('progress', () => {
  /** Every request takes this long on the clock of the test. */
  const slow = (ms: number) => () => {
    bench.clock.now = new Date(bench.clock.now.getTime() + ms)
    return okay()
  }
  beforeEach(() => write('rows.csv', csvOf(40)))

  test('is a plain line now and then where nobody looks', async () => {
    const { stderr } = await withService('rows.csv', slow(500))
    expect(stderr).toMatch(/^\d+ %  \d+ rows  \d\/s  \d+:\d\d left$/m)
    expect(stderr).not.toContain('\u001B')
  })

  test('is a bar on a terminal, and is gone when it ends', async () => {
    const { stderr } = await withService('rows.csv', slow(500), { tty: true })
    expect(stderr).toMatch(/\r\u001B\[2K█+░* +\d+ %  \d+ rows/)
    expect(stderr.endsWith('\r\u001B[2K')).toBe(true)
  })

  test.each([80, 40, 0])('fits into %i columns', async (columns) => {
    write(
      'rows.csv',
      csvOf(400, (row) => (row % 2 === 0 ? 'x' : 1)),
    )
    const { stderr } = await withService('rows.csv', slow(50_000), { tty: true, columns })
    const lines = stderr.split('\r\u001B[2K').filter((line) => line.includes('rows  '))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line.length).toBeLessThan(columns === 0 ? 80 : columns)
    if (columns === 80) expect(lines.at(-1)).toMatch(/left {2}\d+ failed/)
  })

  test.each([
    ['-q', {}, true],
    ['', { CI: 'true' }, false],
    ['', { TERM: 'dumb' }, false],
  ])('is no bar with "%s" and %j', async (words, env, isQuiet) => {
    const { stderr } = await withService(`rows.csv ${words}`, slow(500), {
      tty: true,
      env: { ...SERVICE_ENV, ...env },
    })
    expect(stderr).not.toContain('█')
    if (isQuiet) expect(stderr).toBe('')
    else expect(stderr).toContain('left')
  })

  test('a long wait that the service asks for is told once', async () => {
    const { stderr } = await withService('rows.csv', (_, attempt) =>
      attempt === 5 || attempt === 6 ? jsonAnswer(429, {}, { 'retry-after': '20' }) : okay(),
    )
    expect(stderr.match(/Waiting 20 s/g)).toHaveLength(1)
  })
})

test('--verbose tells of every attempt, and the key of none', async () => {
  write('rows.csv', csvOf(2))
  const { stderr } = await withService('rows.csv --debug', okay)
  expect(stderr.match(/^attempt 1: POST http:.*: 200/gm)).toHaveLength(2)
  expect(stderr).not.toContain(SERVICE_ENV.PAY_API_KEY)
})

test('a page in place of records is warned of once, and leaves the rows unknown', async () => {
  write('rows.csv', csvOf(20))
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }
  const { exitCode, stdout, stderr } = await withService('rows.csv --json', () => page)
  expect(exitCode).toBe(14)
  expect(JSON.parse(stdout)).toMatchObject({ created: 0, unknown: 20 })
  expect(stderr.match(/something that is not a record/g)).toHaveLength(1)
})

test.each(['--curl', '--idempotency-key k'])('%s has no meaning here', async (words) => {
  write('rows.csv', csvOf(1))
  expect(await withService(`rows.csv ${words}`, okay)).toMatchObject({ exitCode: 2, requests: [] })
})

describe('on a volume that another machine writes to', () => {
  /** As a process there has left it: begun that long ago, and last written to. */
  async function left(begunMinutes: number, writtenMinutes: number): Promise<void> {
    const folder = join(bench.stateFolder, 'imports')
    const kept = new Map<string, string>()
    await withService('rows.csv', () => {
      for (const file of stateFiles()) kept.set(file, readFileSync(join(folder, file), 'utf8'))
      return okay()
    })
    for (const [file, text] of kept) {
      writeFileSync(join(folder, file), text.replace('test-machine', 'far-away'))
      const minutes = file.includes('.lock.') ? begunMinutes : writtenMinutes
      const at = new Date(bench.clock.now.getTime() - minutes * 60_000)
      utimesSync(join(folder, file), at, at)
    }
  }
  beforeEach(() => write('rows.csv', csvOf(2)))

  test('an import that has written lately is running there', async () => {
    await left(600, 1)
    expect(await withService('rows.csv', okay)).toMatchObject({ exitCode: 6, requests: [] })
  })

  test('one that has not for ten minutes has ended', async () => {
    await left(600, 11)
    expect(await withService('rows.csv', okay)).toMatchObject({ exitCode: 0 })
  })
})
