import { existsSync, linkSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { HEADER, csvOf, readTable, rowOf } from '../../../support/import-bench.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { errorOf } from '../../../support/run-result.ts'
import { okay, useImportBench } from './import-bench.ts'
import { SERVICE_ENV, envelope } from '../../../support/error-envelope.ts'

const { bench, write, read, importing, withService, stateFiles } = useImportBench()
const allBad = () => 'x'
/** Only the second row is bad. */
const oneBad = (row: number) => (row === 2 ? 'x' : 1)

describe('--results and --rejects', () => {
  test('have every row once, in the order of the file', async () => {
    await bench().runPay(
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
    expect(readTable(bench().folder, 'results.csv')).toEqual([
      ['1', 'ext-1', 'created', '', ''],
      ['2', 'ext-2', 'failed', '', expect.stringContaining('amount "12,50"')],
      ['3', 'ext-3', 'updated', '', ''],
      ['4', 'ext-4', 'created', '', ''],
      ['5', 'ext-5', 'created', '', ''],
    ])
    expect(read('rejects.csv')).toMatch(/^paymentId,.*,reason\next-2,EUR,ACME,"12,50",.*\n$/)
  })

  test('rejects can be corrected and imported', async () => {
    write('rows.csv', csvOf(3, oneBad))
    await importing('rows.csv --rejects rejects.csv')
    write('corrected.csv', read('rejects.csv').replace(',x,', ',250,'))
    const ran = await importing('corrected.csv --rejects again.csv --json')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 1, created: 1 })
    expect(readTable(bench().folder, 'again.csv')).toEqual([])
  })

  test('have the service’s own reason, without card numbers and control characters', async () => {
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
    expect(readTable(bench().folder, 'results.csv')).toEqual([
      ['1', 'ext-1', 'failed', 'RequestValidationError', `'${message}`],
    ])
    expect(ran.stderr).toContain(message)
    expect(`${ran.stderr}${read('results.csv')}`).not.toContain('4111111111111111')
  })

  test.each([
    ['the same path', '--results rows.csv'],
    ['another name of the file', '--results other-name.csv'],
    ['one file for both', '--results r.csv --rejects r.csv'],
    ['a longer path', '--rejects ./x/../rows.csv'],
  ])('are never written over the input: %s', async (_, words) => {
    const content = csvOf(3)
    write('rows.csv', content)
    linkSync(join(bench().folder, 'rows.csv'), join(bench().folder, 'other-name.csv'))
    mkdirSync(join(bench().folder, 'x'))
    const ran = await importing(`rows.csv ${words} --json`)
    expect(ran).toMatchObject({ exitCode: 2, requests: [] })
    expect(errorOf(ran)).toMatchObject({ code: 'two_sources' })
    expect(read('rows.csv')).toBe(content)
  })

  test('that cannot be written are refused before anything is sent', async () => {
    write('rows.csv', csvOf(1))
    const ran = await importing('rows.csv --results none/r.csv')
    expect(ran).toMatchObject({ exitCode: 2, requests: [], stdout: '' })
    expect(ran.stderr).toContain('there is no such folder')
  })
})

describe('after the import, stderr names', () => {
  test('the files and the command that imports the corrected rejects', async () => {
    write('rows.csv', csvOf(3, oneBad).replace('amount', 'Total due'))
    const words = ['rows.csv', '--map', 'amount=Total due', '--results', 'out/r.csv', '--rejects', 'bad.csv']
    mkdirSync(join(bench().folder, 'out'))
    const command = ['--sandbox', 'observability', 'import', ...words]
    const ran = await bench().runPay(command)
    expect(ran.stderr).toContain('Results: out/r.csv (every row)\n')
    expect(ran.stderr).toContain('Rejects: bad.csv (1 failed row, each with the reason)\n')
    expect(ran.stderr).toContain('pay --sandbox observability import bad.csv --map "amount=Total due"\n')
    const again = await bench().runPay([...command, '--json'])
    expect(errorOf(again)).toMatchObject({
      next: ['pay --sandbox observability import bad.csv --map "amount=Total due"'],
    })
  })

  test('the same command if the import stopped early', async () => {
    write('rows.csv', csvOf(9, allBad))
    const ran = await withService('rows.csv --max-failures 1 --results r.csv --json', okay)
    // The same limit would stop it again.
    expect(errorOf(ran)).toMatchObject({ next: ['pay observability import rows.csv --results r.csv'] })
    expect(ran.stderr).toContain('Results: r.csv (the rows so far)')
  })

  test('--results if it was not used', async () => {
    write('rows.csv', csvOf(1, allBad))
    expect((await withService('rows.csv', okay)).stderr).toContain('Add --results FILE')
  })

  test('an input without rows', async () => {
    write('rows.csv', HEADER)
    const ran = await withService('rows.csv --json', okay)
    expect(ran).toMatchObject({ exitCode: 0, requests: [] })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 0 })
    expect(ran.stderr).toContain('No rows: there is nothing to import in rows.csv.')
  })
})

describe('--results and --rejects never replace', () => {
  const refused = async (words: string) => {
    const ran = await withService(`rows.csv ${words} --json`, okay)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(errorOf(ran)).toMatchObject({ code: 'unwritable_file', outcome: 'none', hint: expect.any(String) })
  }

  test.each(['--results', '--rejects', '--dry-run --rejects'])('other files, with %s', async (flags) => {
    write('rows.csv', csvOf(2))
    write('notes.txt', 'notes\n')
    await refused(`${flags} notes.txt`)
    expect(read('notes.txt')).toBe('notes\n')
  })

  test.each(['--results', '--dry-run --rejects'])(
    'anything in the folders of pay, with %s',
    async (flags) => {
      write('rows.csv', csvOf(2))
      mkdirSync(bench().stateFolder, { recursive: true })
      symlinkSync(bench().stateFolder, join(bench().folder, 'linked'))
      await refused(`${flags} linked/x.csv`)
    },
  )

  test('their own files are replaced', async () => {
    for (const rows of [3, 2]) {
      write(
        'rows.csv',
        csvOf(rows, () => -1),
      )
      expect((await withService('rows.csv --results r.csv --rejects x.csv', okay)).exitCode).toBe(14)
      expect(read('x.csv').trimEnd().split('\n')).toHaveLength(rows + 1)
      expect(readTable(bench().folder, 'r.csv')).toHaveLength(rows)
    }
  })
})

test('an ID of NDJSON in the results cannot control a terminal', async () => {
  const record = { currencyCode: 'EUR', amount: -1, paymentId: 'p\u009b\u202e' }
  write('rows.ndjson', `${JSON.stringify(record)}\n`)
  await withService('rows.ndjson --results r.csv', okay)
  expect(read('r.csv')).toContain(String.raw`1,p\u009b\u202e,failed`)
})

describe('the summary', () => {
  const run = async (format: string) => {
    write('rows.csv', csvOf(2, oneBad))
    return withService(`rows.csv -o ${format} --restart`, okay)
  }

  test('on a terminal, names failed rows and the flag for all outcomes', async () => {
    const ran = await run('table')
    expect(ran.stdout).toMatch(/Rows +2\nCreated +1\n/)
    expect(ran.stderr).toContain('1 failed')
    expect(ran.stderr).toContain('row 2 (line 3) ext-2')
    expect(ran.stderr).toContain('--results FILE')
  })

  test.each([
    ['json', /^\{\n {2}"rows": 2,/],
    ['ndjson', /^\{"rows":2,.*\}\n$/],
    ['yaml', /^rows: 2\ncreated: 1\n/],
    ['csv', /^rows,created,updated,skipped,failed,unknown,retries,seconds\n2,1,0,0,1,0,0,[\d.]+\n$/],
    ['id', /^$/],
  ])('as %s, with one error on the last line of stderr', async (format, wanted) => {
    const ran = await run(format)
    expect(ran.stdout).toMatch(wanted)
    expect(errorOf(ran)).toMatchObject({ code: 'rows_failed', exitCode: 14 })
  })

  test('is printed even if the query fails', async () => {
    write('rows.csv', csvOf(1))
    const ran = await withService('rows.csv --query "abs(@)"', okay)
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"created": 1') })
  })

  test('follows exit code 0 and an empty state folder if all rows are done', async () => {
    write('rows.csv', csvOf(3))
    expect(await withService('rows.csv --json', okay)).toMatchObject({ exitCode: 0 })
    expect(stateFiles()).toEqual([])
  })
})

describe('progress', () => {
  /** A service that takes this long for each request, on the test's clock. */
  const slow = (ms: number) => () => {
    bench().clock.now = new Date(bench().clock.now.getTime() + ms)
    return okay()
  }
  beforeEach(() => write('rows.csv', csvOf(40)))

  test('is a line every few seconds without a terminal', async () => {
    const { stderr } = await withService('rows.csv', slow(500))
    expect(stderr).toMatch(/^\d+ %  \d+ rows  \d\/s  \d+:\d\d left$/m)
    expect(stderr).not.toContain('\u001B')
  })

  test('is a bar on a terminal and disappears at the end', async () => {
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
  ])('is not a bar with "%s" and %j', async (words, env, isQuiet) => {
    const { stderr } = await withService(`rows.csv ${words}`, slow(500), {
      tty: true,
      env: { ...SERVICE_ENV, ...env },
    })
    expect(stderr).not.toContain('█')
    if (isQuiet) expect(stderr).toBe('')
    else expect(stderr).toContain('left')
  })

  test('mentions a long Retry-After once', async () => {
    const { stderr } = await withService('rows.csv', (_, attempt) =>
      attempt === 5 || attempt === 6 ? jsonAnswer(429, {}, { 'retry-after': '20' }) : okay(),
    )
    expect(stderr.match(/Waiting 20 s/g)).toHaveLength(1)
  })
})

test('--debug shows every attempt without the key', async () => {
  write('rows.csv', csvOf(2))
  const { stderr } = await withService('rows.csv --debug', okay)
  expect(stderr.match(/^attempt 1: POST http:.*: 200/gm)).toHaveLength(2)
  expect(stderr).not.toContain(SERVICE_ENV.PAY_API_KEY)
})

test('responses with HTML instead of a record leave rows unknown and warn once', async () => {
  write('rows.csv', csvOf(20))
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }
  const { exitCode, stdout, stderr } = await withService('rows.csv --json', () => page)
  expect(exitCode).toBe(14)
  expect(JSON.parse(stdout)).toMatchObject({ created: 0, unknown: 20 })
  expect(stderr.match(/something that is not a record/g)).toHaveLength(1)
})

test.each(['--curl', '--idempotency-key k'])('%s is refused', async (words) => {
  write('rows.csv', csvOf(1))
  expect(await withService(`rows.csv ${words}`, okay)).toMatchObject({ exitCode: 2, requests: [] })
})

const exists = jsonAnswer(409, envelope('EntityAlreadyExists'))

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

  test('sends rows with the same paymentId one after another, in order', async () => {
    write('rows.csv', HEADER + [1, 2, 3, 4, 5].map((amount) => rowOf('ext-same', amount)).join(''))
    let inFlight = 0
    const ran = await withService('rows.csv --json', async ({ method }, attempt) => {
      inFlight += 1
      expect(inFlight).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      inFlight -= 1
      return method === 'POST' && attempt > 1 ? exists : okay()
    })
    expect(JSON.parse(ran.stdout)).toMatchObject({ created: 1, updated: 4 })
    const amounts = ran.requests
      .filter(({ method }) => method === 'PATCH')
      .map(({ body = '' }) => /"amount":(\d)/.exec(body)?.[1])
    expect(amounts).toEqual(['2', '3', '4', '5'])
  })
})

describe('repeated paymentIds', () => {
  const rows = HEADER + ['a', 'b', 'a', 'a'].map((id, index) => rowOf(id, index + 1)).join('')

  test.each([
    ['update', 'last'],
    ['skip', 'first'],
  ])('are counted and named: with --on-exists %s, the %s row counts', async (onExists, kept) => {
    write('rows.csv', rows)
    const ran = await importing(`rows.csv --on-exists ${onExists} --json`)
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 4, created: 2, repeats: 2 })
    expect(ran.stderr).toContain(
      `Warning: 2 rows repeat the paymentId of an earlier row; only the ${kept} row of each counts: a (rows 1, 3, 4)\n`,
    )
  })

  test('are found across the trial and the rest', async () => {
    write('rows.csv', rows)
    const ran = await importing('rows.csv --canary 2 --yes --json')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 4, repeats: 2 })
  })

  test('are not mentioned if there are none', async () => {
    write('rows.csv', csvOf(3))
    const ran = await importing('rows.csv --json')
    expect(JSON.parse(ran.stdout)).not.toHaveProperty('repeats')
    expect(ran.stderr).not.toContain('repeat')
  })
})

describe('--canary', () => {
  beforeEach(() => write('rows.csv', csvOf(10, oneBad)))

  test('stops a script without --yes; with --yes it resumes', async () => {
    const ran = await withService('rows.csv --canary 3 --json', okay)
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(ran.requests).toHaveLength(2)
    expect(ran.stderr).toContain('Of the first 3 rows: 2 created, 1 failed.')
    expect(ran.stderr).toContain('row 2 (line 3) ext-2')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 3, ended: 'rest_not_sent' })
    expect(errorOf(ran)).toMatchObject({ code: 'rest_not_sent', exitCode: 14 })
    const again = await withService('rows.csv --canary 3 --json --yes', okay)
    expect(again.requests).toHaveLength(7)
    expect(again.stderr.match(/Reading CSV/g)).toHaveLength(1)
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 10, created: 9, failed: 1 })
  })

  test.each([
    [true, 9, 10],
    [false, 2, 3],
  ])('asks on a terminal: %s', async (answer, requests, rows) => {
    const ran = await withService('rows.csv --canary 3', okay, {
      answers: { 'Send the rest?': answer },
      env: { ...SERVICE_ENV, NO_COLOR: '1' },
    })
    expect(ran.requests).toHaveLength(requests)
    expect(ran.stdout).toMatch(new RegExp(`Rows +${rows}\\n`))
  })

  test('does not ask if it covers the whole file', async () => {
    const ran = await withService('rows.csv --canary 10 --json', okay)
    expect(ran.stderr).not.toContain('Of the first')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 10 })
  })

  test.each(['0', '-1', '1.5', 'ten'])('takes no %s', async (count) => {
    const ran = await withService(`rows.csv --canary=${count} --json`, okay)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(errorOf(ran)).toMatchObject({ code: 'bad_value', message: expect.stringContaining('--canary') })
  })

  test('does not ask if the service refuses every row', async () => {
    const ran = await withService('rows.csv --canary 3 --json', () => jsonAnswer(403, envelope('Forbidden')))
    expect(ran.stderr).not.toContain('Of the first')
  })
})

describe('on a live profile', () => {
  const env = { PAY_API_KEY: 'key_of_a_test_0000', PAY_BASE_URL: 'https://api.example.com' }
  beforeEach(() => write('rows.csv', csvOf(2)))

  test('a script needs --yes', async () => {
    expect(await withService('rows.csv', okay, { env })).toMatchObject({ exitCode: 2, requests: [] })
    expect(existsSync(join(bench().stateFolder, 'imports'))).toBe(false)
    expect((await withService('rows.csv --yes', okay, { env })).requests).toHaveLength(2)
  })

  const question = (rows: string) => `Import ${rows}rows.csv on LIVE profile https://api.example.com?`

  test('the question shows rows, totals, account and effect', async () => {
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

  test('the rows of a large file are estimated', async () => {
    const one = rowOf('ext-1', 100)
    write('rows.csv', HEADER + one.repeat(Math.ceil((33 * 1024 * 1024) / one.length)))
    const ran = await withService('rows.csv --canary 1', okay, { env, answers: { Confirm: false } })
    expect(ran.stderr).toMatch(/^Rows {5}about \d{3},\d{3}$/m)
    expect(ran.stderr).not.toContain('Total')
  })

  test('the rows of stdin are unknown', async () => {
    const ran = await withService('- --format csv', okay, {
      env,
      stdin: csvOf(2),
      answers: { Confirm: false },
    })
    expect(ran.requests).toEqual([])
  })

  test('a warning counts a row once, not for preview and import', async () => {
    write('rows.csv', `${HEADER.trim()},order.countryCode\n${rowOf('ext-1', 1).trim()},Germany\n`)
    const ran = await withService('rows.csv', okay, { env, answers: { Confirm: true } })
    expect(ran.requests).toHaveLength(1)
    expect(ran.stderr).toContain('"Germany" is not a known value')
    expect(ran.stderr).not.toContain('(2 rows)')
  })

  test('an empty file needs no confirmation', async () => {
    write('rows.csv', HEADER)
    const ran = await withService('rows.csv', okay, { env, tty: true })
    expect(ran).toMatchObject({ exitCode: 0, questions: [], requests: [] })
  })
})

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
