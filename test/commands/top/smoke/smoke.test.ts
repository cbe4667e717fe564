import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV, envelope } from '../../../support/error-envelope.ts'
import { createBench, jsonAnswer } from '../../../support/run-pay.ts'
import type { Bench } from '../../../support/run-pay.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

const smoke = async (words: readonly string[] = []) => {
  const result = await bench.runPay(['smoke', '--sandbox', '--json', ...words])
  const report: unknown = JSON.parse(result.stdout)
  return { ...result, report }
}

test('passes every step on the embedded sandbox, again and again', async () => {
  for (let run = 0; run < 2; run += 1) {
    const { exitCode, report } = await smoke()
    expect(exitCode).toBe(0)
    expect(report).toMatchObject({ passed: 12, total: 12 })
  }
})

test('shows each step as the command that does it, with time and request id, and without tokens', async () => {
  const { stdout, report } = await smoke()
  expect(report).toMatchObject({
    steps: expect.arrayContaining([
      expect.objectContaining({
        command: expect.stringMatching(/^pay --sandbox payment capture \w+ --amount 700$/),
        outcome: 'passed',
        exitCode: 0,
        durationMs: expect.any(Number),
        requestId: expect.any(String),
      }),
      expect.objectContaining({ command: 'pay --sandbox instrument delete "$SAVED"' }),
    ]),
  })
  expect(stdout).not.toMatch(/eyJ/)
})

test('pays through its session: the payment is created with the token of that session alone', async () => {
  const { requests, report, stdout } = await smoke()
  const [session, paid] = requests.filter(({ method }) => method === 'POST')
  expect(JSON.parse(session?.body ?? '')).toMatchObject({ amount: 1000, currencyCode: 'EUR' })
  expect(Object.keys(JSON.parse(paid?.body ?? ''))).toEqual(['paymentMethodToken'])
  expect(report).toMatchObject({
    steps: expect.arrayContaining([
      expect.objectContaining({
        command: 'pay --sandbox sandbox tokenize --card 4111111111111111 --client-token "$CLIENT_TOKEN"',
      }),
      expect.objectContaining({
        command: 'pay --sandbox payment create --token "$TOKEN"',
        says: expect.stringContaining('AUTHORIZED: 10.00 EUR'),
      }),
    ]),
  })
  expect(stdout).not.toContain(JSON.parse(paid?.body ?? '').paymentMethodToken)
})

test('does not pay with another token where the session brings none', async () => {
  const result = await bench.runPay('smoke --sandbox --json', {
    service: ({ url }) => jsonAnswer(url.endsWith('/client-session') ? 422 : 200, { id: 'p1' }),
  })
  expect(result.requests.some(({ url }) => new URL(url).pathname === '/payments')).toBe(false)
})

test('with --quiet shows what failed and the sum alone', async () => {
  expect((await bench.runPay('smoke --sandbox -q')).stdout).toBe('All 12 steps passed.\n')
  const failed = await bench.runPay('smoke --sandbox -q --token tok_declined')
  expect(failed.exitCode).toBe(13)
  expect(failed.stdout.match(/^\S +\d+\. /gm)).toEqual(['✗  2. '])
  expect(failed.stdout).toContain('5 of 11 steps passed.')
})

test('writes a JUnit report of all steps', async () => {
  await smoke(['--junit', 'report.xml'])
  const xml = readFileSync(join(bench.folder, 'report.xml'), 'utf8')
  expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites>/)
  expect(xml).toContain('tests="12" failures="0" skipped="0"')
  expect(xml.match(/<testcase /g)).toHaveLength(12)
  expect(wellFormed(xml)).toBe(true)
})

test('a report that cannot be written is told before anything is sent', async () => {
  const result = await bench.runPay('smoke --sandbox --junit nowhere/report.xml')
  expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(result.stderr).toContain('nowhere/report.xml')
  expect(readdirSync(bench.stateFolder)).toEqual([])
})

const failing = (status: number, errorId: string) => ({
  env: SERVICE_ENV,
  service: () => jsonAnswer(status, envelope(errorId, { description: `<&"'\u0000\u001b]]> 🧾 ${errorId}` })),
})

describe('when the service fails', () => {
  test.each([
    [401, 'Unauthorized', 4],
    [422, 'RequestValidationError', 3],
    [409, 'SomethingNew', 6],
  ])('%d %s gives the exit code of the first failed step: %d', async (status, errorId, exitCode) => {
    const result = await bench.runPay('smoke --json --junit report.xml', failing(status, errorId))
    expect(result.exitCode).toBe(exitCode)
    expect(JSON.parse(result.stdout)).toMatchObject({ passed: 0, total: 11 })
    const xml = readFileSync(join(bench.folder, 'report.xml'), 'utf8')
    expect(wellFormed(xml)).toBe(true)
    expect(xml).toContain('<failure')
    expect(xml).toContain('<skipped')
    expect(xml).toContain(errorId)
  })

  test('steps that need what is missing are skipped, the others run', async () => {
    const result = await bench.runPay('smoke --json', failing(422, 'RequestValidationError'))
    expect(result.requests.map(({ url }) => new URL(url).pathname)).toEqual([
      '/client-session',
      '/payments',
      '/observability/payments',
      '/loyalty-transactions',
      '/payment-instruments',
    ])
  })

  test('--max-retries holds for the steps', async () => {
    const result = await bench.runPay('smoke --json --max-retries 0', {
      env: SERVICE_ENV,
      service: () => jsonAnswer(503, {}),
    })
    expect(result.requests).toHaveLength(5)
    expect(result.exitCode).toBe(10)
  })
})

describe('a success that is not in JSON is a failed step', () => {
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
    expect(wellFormed(xml)).toBe(true)
  })
})

test('until the run has ended its report holds a failure', async () => {
  const reports: string[] = []
  await bench.runPay('smoke --json --junit report.xml', {
    env: SERVICE_ENV,
    service: () => {
      reports.push(readFileSync(join(bench.folder, 'report.xml'), 'utf8'))
      return jsonAnswer(200, {})
    },
  })
  expect(reports[0]).toContain('tests="1" failures="1"')
  expect(reports[0]).toContain('the run did not end')
  expect(wellFormed(reports[0] ?? '<')).toBe(true)
  expect(readFileSync(join(bench.folder, 'report.xml'), 'utf8')).not.toContain('the run did not end')
})

test('the request id is shown whatever the service calls it', async () => {
  const result = await bench.runPay('smoke --json', {
    env: SERVICE_ENV,
    service: () => jsonAnswer(200, {}, { 'x-correlation-id': 'c-17' }),
  })
  const report: unknown = JSON.parse(result.stdout)
  expect(report).toMatchObject({
    steps: expect.arrayContaining([expect.objectContaining({ requestId: 'c-17' })]),
  })
})

describe('the token comes from stdin with --token -', () => {
  test('and is not shown', async () => {
    const result = await bench.runPay('smoke --sandbox --json --token -', { stdin: 'tok_mastercard\n' })
    expect(result.exitCode).toBe(0)
    expect(result.stdout).toContain('--token \\"$TOKEN\\"')
    expect(result.stdout + result.stderr).not.toContain('tok_mastercard')
    const [, paid] = result.requests
    expect(paid?.body).toContain('tok_mastercard')
  })

  test('and an empty stdin is refused with nothing sent', async () => {
    const result = await bench.runPay('smoke --sandbox --json --token -', { stdin: '' })
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  })
})

test('the token is in no error, though the error quotes it', async () => {
  const result = await bench.runPay('smoke --sandbox --token tok_mine_123 --junit tok_mine_123/report.xml')
  expect(result.exitCode).toBe(2)
  expect(result.stderr).toContain('cannot be written')
  expect(result.stderr).not.toContain('tok_mine_123')
})

test('a declined card fails the smoke', async () => {
  const { exitCode, report, stdout } = await smoke(['--token', 'tok_declined'])
  expect(exitCode).toBe(13)
  expect(report).toMatchObject({ total: 11 })
  expect(stdout).not.toContain('tok_declined')
})

describe('a live profile is refused, and nothing is sent', () => {
  test.each([[[]], [['--yes']]])('with %j', async (words) => {
    const result = await bench.runPay(['smoke', ...words], {
      env: { PAY_API_KEY: 'key_of_a_live_0000', PAY_BASE_URL: 'https://api.example.com' },
      service: () => jsonAnswer(200, {}),
    })
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain('live')
  })
})

test('an interrupted smoke has not passed', async () => {
  const stop = new AbortController()
  const result = await bench.runPay('smoke --json --junit report.xml', {
    env: SERVICE_ENV,
    signal: stop.signal,
    service: () => {
      stop.abort('SIGINT')
      return jsonAnswer(200, { clientToken: 't', id: 'p1' })
    },
  })
  expect(result.requests).toHaveLength(1)
  expect(result.exitCode).toBe(130)
  const xml = readFileSync(join(bench.folder, 'report.xml'), 'utf8')
  expect(xml).toContain('tests="2" failures="1"')
})

/** Tags that open and close in order, entities and characters that XML allows. */
function wellFormed(xml: string): boolean {
  const open: string[] = []
  const bare = xml.replace(/^<\?xml[^>]*\?>/, '')
  for (const [, closing, name, rest] of bare.matchAll(/<(\/?)([a-z]+)((?:\s+[a-z]+="[^"<]*")*\s*\/?)>/g)) {
    if (closing === '/') {
      if (open.pop() !== name) return false
    } else if (rest?.endsWith('/') !== true) open.push(name ?? '')
  }
  const text = bare.replaceAll(/<\/?[a-z]+(?:\s+[a-z]+="[^"<]*")*\s*\/?>/g, '')
  const isPlain = !/[<>]/.test(text) && !/&(?!amp;|lt;|gt;|quot;|apos;)/.test(bare)
  // oxlint-disable-next-line no-control-regex -- XML 1.0 has none of them
  return open.length === 0 && isPlain && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(bare)
}

test('the check of this file knows bad XML', () => {
  expect(wellFormed('<a><b></a></b>')).toBe(false)
  expect(wellFormed('<a>&</a>')).toBe(false)
  expect(wellFormed('<a x="<"></a>')).toBe(false)
  expect(wellFormed('<a x="1"><b/>&amp;</a>')).toBe(true)
})

test('passes where ids and tokens of the service begin with a hyphen', async () => {
  const payment = { id: '-payment', status: 'SETTLED', currencyCode: 'EUR', amount: 1000 }
  const result = await bench.runPay('smoke --json', {
    env: { PAY_API_KEY: 'key-0123456789abcdef', PAY_BASE_URL: 'http://127.0.0.1:9' },
    service: ({ url, body = '{}' }) => {
      const { paymentId = url.split('/').at(-1) }: { paymentId?: string } = JSON.parse(body)
      return jsonAnswer(
        200,
        url.includes('payment-instruments?') ? { data: [{ token: '-saved' }] } : { ...payment, paymentId },
      )
    },
  })
  expect(result.exitCode).toBe(0)
  expect(result.requests.some(({ url }) => url.endsWith('/payments/-payment/capture'))).toBe(true)
  expect(result.requests.some(({ url }) => url.endsWith('/payment-instruments/-saved/default'))).toBe(true)
})
