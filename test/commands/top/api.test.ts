import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const service = { env: SERVICE_ENV, service: () => jsonAnswer(200, { anything: 'goes' }) }
const api = (words: readonly string[]) => bench.runPay(['api', ...words], service)
const LIVE = { PAY_API_KEY: 'key_of_a_live_0000', PAY_BASE_URL: 'https://api.example.com' }

test('calls a known path as its operation', async () => {
  const result = await bench.runPay('api POST /payments/p1/refund --set amount:=5', {
    env: SERVICE_ENV,
    service: () => jsonAnswer(200, { id: 'p1' }),
  })
  expect(result.exitCode).toBe(0)
  expect(result.requests[0]).toMatchObject({ method: 'POST', body: '{"amount":5}' })
  expect(result.requests[0]?.headers['x-idempotency-key']).toBeDefined()
})

test('checks the body of a known path', async () => {
  expect(await api(['POST', '/payments/p1/refund', '--set', 'amount=5'])).toMatchObject({
    exitCode: 2,
    requests: [],
  })
  expect(await api(['GET', '/payments', '--data', '{}'])).toMatchObject({ exitCode: 2, requests: [] })
  const sent = await api(['POST', '/payments/p1/refund', '--set', 'amount=5', '--no-validate'])
  expect(sent.requests[0]?.body).toBe('{"amount":"5"}')
})

test('sends an unknown path unchanged, once and without a key', async () => {
  const result = await bench.runPay(['api', 'POST', '/brand-new/x?y=1&y=2', '--data', '{"a":1}'], {
    env: SERVICE_ENV,
    service: () => jsonAnswer(503, {}),
  })
  expect(result).toMatchObject({ exitCode: 10, stdout: '' })
  expect(result.requests).toHaveLength(1)
  expect(result.requests[0]?.url).toBe(`${SERVICE_ENV.PAY_BASE_URL}/brand-new/x?y=1&y=2`)
  expect(result.requests[0]?.headers).not.toHaveProperty('x-idempotency-key')
})

test('prints a response that is not JSON as received', async () => {
  const result = await bench.runPay('api GET /health', {
    env: SERVICE_ENV,
    service: () => ({ status: 200, headers: {}, body: 'OK\u001b[31m\n' }),
  })
  expect(result).toMatchObject({ exitCode: 0 })
  expect(result.stdout).toMatch(/^OK/)
  expect(result.stdout).not.toContain('\u001b')
})

test('passes on a query, joining repeated parameters with commas', async () => {
  const result = await api(['GET', '/payments?status=SETTLED&status=DECLINED&order_id=a%20b&limit=5'])
  expect(Object.fromEntries(new URL(result.requests[0]?.url ?? '').searchParams)).toEqual({
    status: 'SETTLED,DECLINED',
    order_id: 'a b',
    limit: '5',
  })
})

test.each(['get', 'Get', 'GET'])('accepts %s as GET', async (method) => {
  expect((await api([method, '/payments'])).requests[0]?.method).toBe('GET')
})

test.each(['PUT', 'PATCH', 'DELETE', 'POST'])('sends %s', async (method) => {
  expect((await api([method, '/brand-new'])).requests[0]?.method).toBe(method)
})

describe('refused before anything is sent', () => {
  test.each([
    ['no arguments', []],
    ['no path', ['GET']],
    ['an unsupported method', ['HEAD', '/payments']],
    ['an unknown method', ['FETCH', '/payments']],
    ['an absolute URL', ['GET', 'https://evil.example.com/payments']],
    ['a URL without a scheme', ['GET', '//evil.example.com/payments']],
    ['a path that begins with a point', ['GET', './payments']],
    ['an empty path', ['GET', '']],
    ['a parent path', ['GET', '/payments/../admin']],
    ['an encoded parent path', ['GET', '/payments/%2e%2e/admin']],
    ['a backslash', ['GET', '/\\evil.example.com']],
    ['a space', ['GET', '/pay ments']],
    ['a line break', ['GET', '/payments\r\nx-api-key: y']],
    ['a tab', ['GET', '/pay\tments']],
    ['a fragment', ['GET', '/payments#x']],
    ['user info', ['GET', '@evil.example.com/']],
    ['three arguments', ['GET', '/payments', '/more']],
  ])('%s', async (_, words) => {
    expect(await api(words)).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  })

  test('an encoded slash in the id of a known path', async () => {
    expect(await api(['GET', '/payments/a%2Fb'])).toMatchObject({ exitCode: 2, requests: [] })
  })
})

describe('on a live profile', () => {
  test.each([
    ['POST', '/payments/p1/refund'],
    ['DELETE', '/payment-instruments/pm-12345'],
    ['POST', '/brand-new'],
    ['PUT', '/payments'],
    ['PATCH', '/brand-new'],
  ])('%s %s needs --yes', async (method, path) => {
    const live = { env: LIVE, service: () => jsonAnswer(200, { id: 'p1' }) }
    const refused = await bench.runPay(['api', method, path], live)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    const { requests } = await bench.runPay(['api', method, path, '--yes'], live)
    expect(requests.filter((one) => one.method !== 'GET')).toHaveLength(1)
  })

  test('a read needs no confirmation', async () => {
    const live = { env: LIVE, service: () => jsonAnswer(200, {}) }
    expect((await bench.runPay(['api', 'GET', '/brand-new'], live)).requests).toHaveLength(1)
  })
})

test.each([
  ['a client token in a query', ['GET', '/client-session?clientToken=secret-client-token'], '$CLIENT_TOKEN'],
  ['a saved method', ['DELETE', '/payment-instruments/secret-client-token'], '$PAYMENT_METHOD_TOKEN'],
])('%s is not shown by --dry-run and --curl', async (_, words, variable) => {
  const dry = await api([...words, '--dry-run'])
  const curl = await api([...words, '--curl'])
  for (const result of [dry, curl]) {
    expect(result).toMatchObject({ exitCode: 0, requests: [] })
    expect(result.stdout + result.stderr).not.toContain('secret-client-token')
  }
  expect(curl.stdout).toContain(variable)
})

test('calls known paths in the sandbox; others exit 5 or 3', async () => {
  const made = await bench.runPay('--sandbox api POST /client-session --set orderId=A-1')
  expect(JSON.parse(made.stdout)).toMatchObject({ orderId: 'A-1' })
  expect(await bench.runPay('--sandbox api GET /nowhere')).toMatchObject({ exitCode: 5, stdout: '' })
  expect(await bench.runPay('--sandbox api PUT /payments')).toMatchObject({ exitCode: 3, stdout: '' })
})

test('takes a path without its slash, which Git Bash would rewrite, and says so of a rewritten one', async () => {
  const read = await api(['GET', 'payments?limit=5'])
  expect(new URL(read.requests[0]?.url ?? '').pathname).toMatch(/\/payments$/)
  for (const path of ['C:/Program Files/Git/payments', String.raw`d:\git\payments`]) {
    const refused = await api(['GET', path])
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
    expect(refused.stderr.replaceAll(/\s+/g, ' ')).toMatch(/Git Bash.*pay api GET payments.*MSYS_NO_PATHCONV/)
  }
  expect(await api(['POST', 'payments/p1/cancel'])).toMatchObject({ exitCode: 2, requests: [] })
  expect(await api(['GET', 'https://api.example.com/payments'])).toMatchObject({ exitCode: 2, requests: [] })
})
