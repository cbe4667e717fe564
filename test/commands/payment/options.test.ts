import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { SERVICE_ENV, envelope } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const service = {
  env: SERVICE_ENV,
  service: () => jsonAnswer(200, { id: 'p1', clientToken: 't', token: 't', data: [] }),
}

const KEYED: readonly string[][] = [
  ['payment', 'create', '--token', 'tok_visa'],
  ['payment', 'capture', 'p1'],
  ['payment', 'refund', 'p1'],
  ['payment', 'cancel', 'p1'],
  ['payment', 'authorize', 'p1', '--processor-merchant-id', 'm'],
  ['api', 'POST', '/payments/p1/refund'],
]
const RECORD =
  '{"paymentId":"x","currencyCode":"EUR","processor":{"name":"A"},"amount":1,"createdAt":"2026-01-01T00:00:00Z","order":{"id":"o"},"paymentMethod":{"paymentMethodType":"PAYMENT_CARD"}}'
const POINTS = ['--connection-id', 'k', '--customer-id', 'c', '--order-id', 'o', '--value', '5']
const UNKEYED: readonly string[][] = [
  ['session', 'create'],
  ['session', 'update', '--client-token', 'ct-12345'],
  ['session', 'get', '--client-token', 'ct-12345'],
  ['payment', 'get', 'p1'],
  ['payment', 'list'],
  ['payment', 'adjust', 'p1', '--amount', '1'],
  ['payment', 'resume', 'p1', '--resume-token', 'rt-12345'],
  ['observability', 'push', '--data', RECORD],
  ['observability', 'update', 'x', '--status', 'SETTLED'],
  ['loyalty', 'redeem', ...POINTS],
  ['loyalty', 'refund', ...POINTS],
  ['instrument', 'list', '--customer-id', 'c'],
  ['instrument', 'default', 'pm-12345'],
  ['instrument', 'delete', 'pm-12345'],
  ['instrument', 'vault', 'pm-12345', '--customer-id', 'c'],
  ['api', 'GET', '/payments'],
  ['api', 'POST', '/unknown'],
]
const LOCAL: readonly string[][] = [
  ['smoke'],
  ['sandbox', 'reset'],
  ['sandbox', 'clock', 'advance', '1h'],
  ['sandbox', 'tokenize', '--card', '4111111111111111'],
  ['sandbox', 'challenge', 'ct-12345', '--outcome', 'pass'],
  ['whoami'],
]
const named = (commands: readonly string[][]) =>
  commands.map((words) => [words.slice(0, 3).join(' '), words] as const)

describe('--idempotency-key', () => {
  test.each(named(KEYED))('is sent with %s', async (_, words) => {
    const result = await bench.runPay([...words, '--idempotency-key', 'ticket-4711'], service)
    expect(result.requests.at(-1)?.headers['x-idempotency-key']).toBe('ticket-4711')
  })

  test.each(named([...UNKEYED, ...LOCAL]))('is refused with %s', async (_, words) => {
    const result = await bench.runPay([...words, '--idempotency-key', 'ticket-4711'], service)
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain('idempotency key')
  })

  test.each([
    ['empty', ''],
    ['a space', 'a b'],
    ['a line break', 'a\nb'],
    ['unicode', 'clé'],
    ['256 characters', 'k'.repeat(256)],
    ['an escape', '\u001b[31m'],
  ])('is refused if it is %s', async (_, key) => {
    const result = await bench.runPay(['payment', 'capture', 'p1', '--idempotency-key', key], service)
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
  })

  test('that was already used exits 6 and reports no effect', async () => {
    const result = await bench.runPay('payment refund p1 --idempotency-key k1 --json', {
      env: SERVICE_ENV,
      service: () => jsonAnswer(409, envelope('IdempotencyKeyAlreadyExists', { paymentId: 'p1' })),
    })
    expect(result).toMatchObject({ exitCode: 6, stdout: '' })
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { outcome: 'none', idempotencyKey: 'k1' } })
  })

  test('is generated for each command', async () => {
    const keys = new Set<string | undefined>()
    for (let run = 0; run < 3; run += 1) {
      const { requests } = await bench.runPay('payment capture p1', service)
      keys.add(requests[0]?.headers['x-idempotency-key'])
    }
    expect(keys.size).toBe(3)
    expect(keys).not.toContain(undefined)
  })
})

describe('--timeout and --max-retries', () => {
  test.each([
    ['--timeout', ''],
    ['--timeout', '0s'],
    ['--timeout', '-1s'],
    ['--timeout', '10'],
    ['--timeout', '1.5s'],
    ['--timeout', '5 s'],
    ['--timeout', 's'],
    ['--timeout', '1y'],
    ['--timeout', '999999999d'],
    ['--max-retries', ''],
    ['--max-retries', '-1'],
    ['--max-retries', '1.5'],
    ['--max-retries', 'many'],
    ['--max-retries', '99999999999999999'],
  ])('%s "%s" is refused', async (flag, value) => {
    const result = await bench.runPay(['payment', 'get', 'p1', flag, value], service)
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
    expect(result.stderr).toContain(flag)
  })

  test.each(['PAY_TIMEOUT', 'PAY_MAX_RETRIES'])('%s is checked like its flag', async (name) => {
    const result = await bench.runPay('payment get p1', { ...service, env: { ...SERVICE_ENV, [name]: 'x' } })
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
    expect(result.stderr).toContain(name)
  })

  test.each([
    ['0', 1],
    ['1', 2],
    ['3', 4],
  ])('--max-retries %s sends at most %d times', async (retries, times) => {
    const result = await bench.runPay(['payment', 'get', 'p1', '--max-retries', retries], {
      env: SERVICE_ENV,
      service: () => jsonAnswer(503, {}),
    })
    expect(result.exitCode).toBe(11)
    expect(result.requests).toHaveLength(times)
  })
})

describe.each(['--dry-run', '--curl'])('%s', (flag) => {
  test.each(named([...KEYED, ...UNKEYED]))('sends and stores nothing: %s', async (_, words) => {
    const result = await bench.runPay([...words, flag], service)
    expect(result).toMatchObject({ exitCode: 0, requests: [] })
    expect(result.stdout).not.toBe('')
    expect(result.stderr).toContain('Nothing was sent')
    expect(readdirSync(bench.stateFolder)).toEqual([])
    expect(readdirSync(bench.configFolder)).toEqual([])
  })

  test.each(named([...KEYED, ...UNKEYED]))('does not open the sandbox: %s', async (_, words) => {
    const result = await bench.runPay(['--sandbox', ...words, flag, '--json'])
    expect(result).toMatchObject({ exitCode: 0, requests: [] })
    expect(readdirSync(bench.stateFolder)).toEqual([])
  })

  test.each(named(LOCAL))('is refused for a command without a request: %s', async (_, words) => {
    const result = await bench.runPay(['--sandbox', ...words, flag])
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(readdirSync(bench.stateFolder)).toEqual([])
  })

  test('checks the body', async () => {
    const result = await bench.runPay(['session', 'create', '--set', 'orderIdd=1', flag], service)
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
  })

  test('needs no key', async () => {
    const result = await bench.runPay(['payment', 'capture', 'p1', flag], {
      env: { PAY_BASE_URL: 'https://api.example.com' },
    })
    expect(result.exitCode).toBe(0)
    expect(result.stdout).toContain('https://api.example.com/payments/p1/capture')
  })
})

test('refuses --dry-run with --curl', async () => {
  expect(await bench.runPay('payment get p1 --dry-run --curl', service)).toMatchObject({
    exitCode: 2,
    requests: [],
  })
})

test('a dry run shows method, URL, headers with a masked key, and body', async () => {
  const result = await bench.runPay('payment refund p1 --amount 700 --reason torn --dry-run --json', service)
  expect(JSON.parse(result.stdout)).toEqual({
    method: 'POST',
    url: `${SERVICE_ENV.PAY_BASE_URL}/payments/p1/refund`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'payctl/0.0.0-test',
      'x-api-key': '••••0000',
      'x-api-version': '2.1',
      'x-idempotency-key': expect.stringMatching(/^[\w-]{36}$/),
      'content-type': 'application/json',
    },
    body: { amount: 700, reason: 'torn' },
  })
})

test('sends --reason only if the API has the field', async () => {
  const refund = await bench.runPay(['payment', 'cancel', 'p1', '--reason', 'sold out'], service)
  expect(refund.requests.at(-1)?.body).toBe('{"reason":"sold out"}')
  const capture = await bench.runPay(['payment', 'capture', 'p1', '--reason', 'ticket 5'], service)
  expect(capture.requests.at(-1)?.body).toBeUndefined()
})
