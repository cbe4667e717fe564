import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SERVICE_ENV, envelope } from '../../../support/error-envelope.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { useBench } from '../../../support/use-bench.ts'
import { isWellFormed } from './well-formed.ts'
import { errorOf } from '../../../support/run-result.ts'

const bench = useBench()

const smoke = async (words: readonly string[] = []) => {
  const result = await bench.runPay(['smoke', '--sandbox', '--json', ...words])
  const report: unknown = JSON.parse(result.stdout)
  return { ...result, report }
}

test('passes every step on the embedded sandbox, repeatedly', async () => {
  for (let run = 0; run < 2; run += 1) {
    const { exitCode, report } = await smoke()
    expect(exitCode).toBe(0)
    expect(report).toMatchObject({ passed: 12, total: 12 })
  }
})

test('shows each step as a command with time and request id, without tokens', async () => {
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

test('creates the payment with only the token of its session', async () => {
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

test('--quiet prints only failed steps and the total', async () => {
  expect((await bench.runPay('smoke --sandbox -q')).stdout).toBe('All 12 steps passed.\n')
  const failed = await bench.runPay('smoke --sandbox -q --token tok_declined')
  expect(failed.exitCode).toBe(13)
  expect(failed.stdout.match(/^\S +\d+\. /gm)).toEqual(['✗  2. '])
  expect(failed.stdout).toContain('5 of 11 steps passed.')
})

test('shows the request id from any known header', async () => {
  const result = await bench.runPay('smoke --json', {
    env: SERVICE_ENV,
    service: () => jsonAnswer(200, {}, { 'x-correlation-id': 'c-17' }),
  })
  const report: unknown = JSON.parse(result.stdout)
  expect(report).toMatchObject({
    steps: expect.arrayContaining([expect.objectContaining({ requestId: 'c-17' })]),
  })
})

describe('--token - reads the token from stdin', () => {
  test('and does not show it', async () => {
    const result = await bench.runPay('smoke --sandbox --json --token -', { stdin: 'tok_mastercard\n' })
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('--token \\"$TOKEN\\"') })
    expect(result.stdout + result.stderr).not.toContain('tok_mastercard')
    const [, paid] = result.requests
    expect(paid?.body).toContain('tok_mastercard')
  })

  test('and refuses an empty stdin without sending anything', async () => {
    const result = await bench.runPay('smoke --sandbox --json --token -', { stdin: '' })
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  })
})

test('an error that quotes the token masks it', async () => {
  const result = await bench.runPay('smoke --sandbox --token tok_mine_123 --junit tok_mine_123/report.xml')
  expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be written') })
  expect(result.stderr).not.toContain('tok_mine_123')
})

test.each([[[]], [['--yes']]])('refuses a live profile without sending anything with %j', async (words) => {
  const result = await bench.runPay(['smoke', ...words], {
    env: { PAY_API_KEY: 'key_of_a_live_0000', PAY_BASE_URL: 'https://api.example.com' },
    service: () => jsonAnswer(200, {}),
  })
  expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(result.stderr).toContain('live')
})

test('passes if ids and tokens begin with a hyphen', async () => {
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

test('writes a JUnit report with all steps', async () => {
  await smoke(['--junit', 'report.xml'])
  const xml = readFileSync(join(bench.folder, 'report.xml'), 'utf8')
  expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites>/)
  expect(xml).toContain('tests="12" failures="0" skipped="0"')
  expect(xml.match(/<testcase /g)).toHaveLength(12)
  expect(isWellFormed(xml)).toBe(true)
})

test('refuses a report path that is not writable before anything is sent', async () => {
  const result = await bench.runPay('smoke --sandbox --junit nowhere/report.xml')
  expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(result.stderr).toContain('nowhere/report.xml')
  expect(readdirSync(bench.stateFolder)).toEqual([])
})

test.each(['smoke --sandbox --junit', 'sandbox compare --against kept.json --out'])(
  'never overwrites a file of pay itself: %s',
  async (words) => {
    const ledger = join(bench.stateFolder, 'ledger.db')
    writeFileSync(ledger, '')
    const result = await bench.runPay([...words.split(' '), ledger])
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain('is in a folder where pay keeps its own files')
    expect(readFileSync(ledger, 'utf8')).toBe('')
  },
)

test('has a failure in the report until the run ends', async () => {
  const reports: string[] = []
  await bench.runPay('smoke --json --junit report.xml', {
    env: SERVICE_ENV,
    service: () => {
      reports.push(readFileSync(join(bench.folder, 'report.xml'), 'utf8'))
      return jsonAnswer(200, {})
    },
  })
  expect(reports[0]).toContain('tests="1" failures="1"')
  expect(reports[0]).toContain('the run did not complete')
  expect(isWellFormed(reports[0] ?? '<')).toBe(true)
  expect(readFileSync(join(bench.folder, 'report.xml'), 'utf8')).not.toContain('the run did not complete')
})

test('an interrupted run has not passed', async () => {
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

test('isWellFormed rejects invalid XML', () => {
  expect(isWellFormed('<a><b></a></b>')).toBe(false)
  expect(isWellFormed('<a>&</a>')).toBe(false)
  expect(isWellFormed('<a x="<"></a>')).toBe(false)
  expect(isWellFormed('<a x="1"><b/>&amp;</a>')).toBe(true)
})

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

test.each([['<html>maintenance</html>'], ['']])(
  'a 200 response that is not JSON is a failed step: %j',
  async (body) => {
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
  },
)

test('a declined card fails the run', async () => {
  const { exitCode, report, stdout } = await smoke(['--token', 'tok_declined'])
  expect(exitCode).toBe(13)
  expect(report).toMatchObject({ total: 11 })
  expect(stdout).not.toContain('tok_declined')
})
