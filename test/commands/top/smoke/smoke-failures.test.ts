import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SERVICE_ENV, envelope } from '../../../support/error-envelope.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { errorOf } from '../../../support/run-result.ts'
import { useBench } from '../../../support/use-bench.ts'
import { isWellFormed } from './well-formed.ts'

const bench = useBench()

const smoke = async (words: readonly string[] = []) => {
  const result = await bench.runPay(['smoke', '--sandbox', '--json', ...words])
  const report: unknown = JSON.parse(result.stdout)
  return { ...result, report }
}

test('does not pay with another token if the session has none', async () => {
  const result = await bench.runPay('smoke --sandbox --json', {
    service: ({ url }) => jsonAnswer(url.endsWith('/client-session') ? 422 : 200, { id: 'p1' }),
  })
  expect(result.requests.some(({ url }) => new URL(url).pathname === '/payments')).toBe(false)
})

test('an empty token is refused before anything is sent', async () => {
  const result = await bench.runPay(['smoke', '--sandbox', '--token', ''])
  expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(result.stderr).toContain('--token is empty')
})

const failing = (status: number, errorId: string) => ({
  env: SERVICE_ENV,
  service: () => jsonAnswer(status, envelope(errorId, { description: `<&"'\u0000\u001b]]> 🧾 ${errorId}` })),
})

describe('if the service fails', () => {
  test.each([
    [401, 'Unauthorized', 4],
    [422, 'RequestValidationError', 3],
    [409, 'SomethingNew', 6],
  ])('%d %s exits with the code of the first failed step: %d', async (status, errorId, exitCode) => {
    const result = await bench.runPay('smoke --json --junit report.xml', failing(status, errorId))
    expect(result.exitCode).toBe(exitCode)
    expect(errorOf(result)).toMatchObject({ code: 'step_failed', exitCode })
    expect(JSON.parse(result.stdout)).toMatchObject({ passed: 0, total: 11 })
    const xml = readFileSync(join(bench.folder, 'report.xml'), 'utf8')
    expect(isWellFormed(xml)).toBe(true)
    expect(xml).toContain('<failure')
    expect(xml).toContain('<skipped')
    expect(xml).toContain(errorId)
  })

  test('skips steps that depend on a failed one and runs the others', async () => {
    const result = await bench.runPay('smoke --json', failing(422, 'RequestValidationError'))
    expect(result.requests.map(({ url }) => new URL(url).pathname)).toEqual([
      '/client-session',
      '/payments',
      '/observability/payments',
      '/loyalty-transactions',
      '/payment-instruments',
    ])
  })

  test('--max-retries applies to every step', async () => {
    const result = await bench.runPay('smoke --json --max-retries 0', {
      env: SERVICE_ENV,
      service: () => jsonAnswer(503, {}),
    })
    expect(result.requests).toHaveLength(5)
    expect(result.exitCode).toBe(10)
  })
})

describe('a 200 response that is not JSON is a failed step', () => {
  test.each([['<html>maintenance</html>'], ['']])('%j', async (body) => {
    const result = await bench.runPay('smoke --json --junit report.xml', {
      env: SERVICE_ENV,
      service: () => ({ status: 200, headers: {}, body }),
    })
    expect(result.exitCode).toBe(10)
    const report: unknown = JSON.parse(result.stdout)
    expect(report).toMatchObject({
      passed: 0,
      steps: expect.arrayContaining([
        expect.objectContaining({
          outcome: 'failed',
          exitCode: 10,
          says: expect.stringContaining('the response (200) is'),
        }),
        expect.objectContaining({
          command: expect.stringContaining('instrument list'),
          outcome: 'failed',
          exitCode: 11,
        }),
      ]),
    })
    const xml = readFileSync(join(bench.folder, 'report.xml'), 'utf8')
    expect(xml).toContain('tests="11" failures="5" skipped="6"')
    expect(isWellFormed(xml)).toBe(true)
  })
})

test('a declined card fails the run', async () => {
  const { exitCode, report, stdout } = await smoke(['--token', 'tok_declined'])
  expect(exitCode).toBe(13)
  expect(report).toMatchObject({ total: 11 })
  expect(stdout).not.toContain('tok_declined')
})
