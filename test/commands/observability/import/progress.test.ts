import { beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../../support/error-envelope.ts'
import { csvOf } from '../../../support/import-bench.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { errorOf } from '../../../support/run-result.ts'
import { okay, useImportBench } from './import-bench.ts'

const { bench, write, withService, stateFiles } = useImportBench()

describe('the summary', () => {
  const run = async (format: string) => {
    write(
      'rows.csv',
      csvOf(2, (row) => (row === 2 ? 'x' : 1)),
    )
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
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(ran.stdout).toContain('"created": 1')
  })

  test('follows exit code 0 and an empty state folder if all rows are done', async () => {
    write('rows.csv', csvOf(3))
    const ran = await withService('rows.csv --json', okay)
    expect(ran).toMatchObject({ exitCode: 0 })
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
