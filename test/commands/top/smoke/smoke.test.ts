import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../../support/error-envelope.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { useBench } from '../../../support/use-bench.ts'

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
    expect(result.exitCode).toBe(0)
    expect(result.stdout).toContain('--token \\"$TOKEN\\"')
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
  expect(result.exitCode).toBe(2)
  expect(result.stderr).toContain('cannot be written')
  expect(result.stderr).not.toContain('tok_mine_123')
})

describe('refuses a live profile without sending anything', () => {
  test.each([[[]], [['--yes']]])('with %j', async (words) => {
    const result = await bench.runPay(['smoke', ...words], {
      env: { PAY_API_KEY: 'key_of_a_live_0000', PAY_BASE_URL: 'https://api.example.com' },
      service: () => jsonAnswer(200, {}),
    })
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain('live')
  })
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
