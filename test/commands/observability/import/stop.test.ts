import { describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../../src/client/http/transport-port.ts'
import type { HttpRequest, HttpResponse } from '../../../../src/client/http/transport-port.ts'
import { envelope } from '../../../support/error-envelope.ts'
import { csvOf, readTable } from '../../../support/import-bench.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { errorOf } from '../../../support/run-result.ts'
import { okay, useImportBench } from './import-bench.ts'

const { bench, write, read, withService, stateFiles } = useImportBench()

describe('an import stops', () => {
  const unauthorized = jsonAnswer(401, envelope('Unauthorized'))

  test('with exit code 4 and without state if the key is refused from the start', async () => {
    write('rows.csv', csvOf(50))
    const ran = await withService('rows.csv --json', () => unauthorized)
    expect(ran).toMatchObject({ exitCode: 4, stdout: '' })
    expect(errorOf(ran)).toMatchObject({ code: 'unauthorized', exitCode: 4 })
    expect(stateFiles()).toEqual([])
    expect(ran.requests.length).toBeLessThanOrEqual(9)
  })

  test('with exit code 14 and a summary if the key is refused later; the same command resumes', async () => {
    write('rows.csv', csvOf(50))
    const words = 'rows.csv --results results.csv --json'
    const ran = await withService(words, (_, attempt) => (attempt > 20 ? unauthorized : okay()))
    expect(ran).toMatchObject({ exitCode: 14 })
    const { rows } = JSON.parse(ran.stdout)
    expect(rows).toBeGreaterThan(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({ ended: 'unauthorized' })
    expect(errorOf(ran)).toMatchObject({
      code: 'unauthorized',
      exitCode: 14,
      errorId: 'Unauthorized',
      httpStatus: 401,
    })
    const again = await withService(words, okay)
    expect(again).toMatchObject({ exitCode: 0 })
    expect(again.stderr).toMatch(/Resuming: \d+ rows are done\./)
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 50, created: 50 })
    expect(readTable(bench().folder, 'results.csv').map(([row]) => Number(row))).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    )
  })

  test('and resumes after the key of its profile was replaced', async () => {
    const add = 'profile add shop --base-url http://127.0.0.1:9 --test --api-key-stdin'
    await bench().runPay(add, { stdin: 'key-of-old-000000' })
    write('rows.csv', csvOf(30))
    const run = (service: (request: HttpRequest, attempt: number) => HttpResponse) =>
      bench().runPay('-p shop observability import rows.csv --json', { service })
    await run((_, attempt) => (attempt > 10 ? unauthorized : okay()))
    await bench().runPay('profile set shop --api-key-stdin', { stdin: 'key-of-new-111111' })
    const again = await run(okay)
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 30, created: 30 })
    expect(again.requests.length).toBeLessThan(30)
  })

  test('with exit code 9 if connections are refused', async () => {
    write('rows.csv', csvOf(5))
    const ran = await withService('rows.csv --json', () => {
      throw new TransportFailure('refused', false, '127.0.0.1:9 refused the connection')
    })
    expect(ran).toMatchObject({ exitCode: 9, stdout: '' })
  })

  test('at a quote that is never closed, after the rows before it', async () => {
    write('rows.csv', `${csvOf(3)}"ext-4,EUR\n`)
    const ran = await withService('rows.csv --json', okay)
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 3, created: 3, ended: 'unusable_file' })
    expect(errorOf(ran)).toMatchObject({ code: 'unusable_file', message: expect.stringContaining('Line 5') })
  })

  test('after --max-failures failures', async () => {
    write('rows.csv', csvOf(500))
    const refuse = () => jsonAnswer(422, envelope('RequestValidationError'))
    const ran = await withService('rows.csv --max-failures 5 --json', refuse)
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(ran.requests.length).toBeLessThan(40)
    expect(JSON.parse(ran.stdout)).toMatchObject({ ended: 'max_failures' })
    expect(errorOf(ran)).toMatchObject({ code: 'max_failures', exitCode: 14 })
  })

  test('and names the row that exceeded --max-failures in the error, the summary and the results', async () => {
    write(
      'rows.csv',
      csvOf(50, (row) => (row === 2 ? -5 : 100)),
    )
    const words = 'rows.csv --max-failures 0 --results results.csv --rejects rejects.csv'
    const ran = await withService(`${words} --json`, okay)
    expect(ran).toMatchObject({ exitCode: 14 })
    const results = readTable(bench().folder, 'results.csv')
    expect(results).toContainEqual(['2', 'ext-2', 'failed', '', expect.stringContaining('is negative')])
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: results.length, failed: 1, ended: 'max_failures' })
    expect(errorOf(ran)).toMatchObject({
      message: expect.stringContaining('Stopped by --max-failures at row 2 (line 3) ext-2'),
      validationErrors: [
        { path: 'row 2 (line 3) ext-2', description: expect.stringContaining('is negative') },
      ],
    })
    expect(read('rejects.csv')).toContain('ext-2')
    const rest = await withService('rows.csv --results results.csv --rejects rejects.csv --json', okay)
    expect(JSON.parse(rest.stdout)).toMatchObject({ rows: 50, created: 49, failed: 1 })
    expect(readTable(bench().folder, 'results.csv').map(([row]) => Number(row))).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    )
  })

  test('when the share of failures exceeds --max-failures', async () => {
    write('rows.csv', csvOf(2_000))
    const third = (_: unknown, attempt: number) =>
      attempt % 3 === 0 ? jsonAnswer(422, envelope('RequestValidationError')) : okay()
    expect(await withService('rows.csv --max-failures 50% --json', third)).toMatchObject({ exitCode: 14 })
    const ran = await withService('rows.csv --max-failures 20% --json --restart', third)
    expect(JSON.parse(ran.stdout)).toMatchObject({ ended: 'max_failures' })
    expect(ran.requests.length).toBeLessThan(200)
  })
})

describe('an unexpected error', () => {
  test('before any row was sent says that nothing changed', async () => {
    write('rows.csv', csvOf(3))
    const ran = await withService('rows.csv --results missing/rows.csv', okay)
    expect(ran.requests).toEqual([])
    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain('nothing changed')
  })
})
