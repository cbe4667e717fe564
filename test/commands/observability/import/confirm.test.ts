import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV, envelope } from '../../../support/error-envelope.ts'
import { HEADER, csvOf, rowOf } from '../../../support/import-bench.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { errorOf } from '../../../support/run-result.ts'
import { okay, useImportBench } from './import-bench.ts'

const { bench, write, withService } = useImportBench()

describe('--canary', () => {
  beforeEach(() =>
    write(
      'rows.csv',
      csvOf(10, (row) => (row === 2 ? 'x' : 1)),
    ),
  )

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
