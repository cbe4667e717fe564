import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startConnectProxy } from '../client/http/connect-proxy.ts'
import { envelope } from '../support/error-envelope.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { ReceivedRequest, Scripted, ScriptedServer } from '../support/scripted-server.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'
import type { Ended } from '../support/spawn-pay.ts'

/** The built program with unusual responses on a real connection. */

const KEY = 'key_of_a_contract_test_4711'

const bench = createSpawnBench()
afterAll(() => bench.dispose())

interface EndedWithRequests extends Ended {
  readonly requests: readonly ReceivedRequest[]
}

async function pay(scripted: Scripted, words: string): Promise<EndedWithRequests> {
  const server = await startScriptedServer(() => scripted)
  try {
    const ended = await bench.pay(words, { env: { PAY_API_KEY: KEY, PAY_BASE_URL: server.url } })
    return { ...ended, requests: [...server.requests] }
  } finally {
    await server.close()
  }
}

const ONCE = '--max-retries 0'
const MEGABYTE = 1024 * 1024

describe('a response above 8 MB is cut off', () => {
  test('with a Content-Length: at once', async () => {
    const answer = { repeatBody: { bytes: 9 * MEGABYTE }, headers: { 'content-length': 9 * MEGABYTE } }
    const read = await pay(answer, `payment get p1 ${ONCE}`)
    expect(read).toMatchObject({ exitCode: 11, stdout: '' })
    expect(read.stderr).toContain('larger than 8 MB')
  })

  test('without one: while it is read, which leaves a write in doubt', async () => {
    const written = await pay({ repeatBody: { bytes: 9 * MEGABYTE } }, `payment refund p1 ${ONCE}`)
    expect(written).toMatchObject({ exitCode: 10, stdout: '' })
    expect(written.stderr).toContain('larger than 8 MB')
    expect(written.requests).toHaveLength(1)
  })

  test('a refusal counts by its status', async () => {
    const refusal = { status: 403, body: Buffer.alloc(9 * MEGABYTE, 'x') }
    expect(await pay(refusal, `payment refund p1 ${ONCE}`)).toMatchObject({ exitCode: 4, stdout: '' })
  })
})

describe('a redirect is not followed', () => {
  let second: ScriptedServer
  beforeAll(async () => {
    second = await startScriptedServer(() => ({ status: 200, body: { id: 'stolen' } }))
  })
  afterAll(() => second.close())

  test('303: the second server sees no request and no key', async () => {
    const redirect = { status: 303, headers: { location: `${second.url}/payments/p1` } }
    for (const [words, exitCode] of [
      ['payment get p1', 11],
      ['payment capture p1', 10],
      ['session create', 10],
    ])
      expect(await pay(redirect, `${words} --max-retries 0 --json`)).toMatchObject({ exitCode, stdout: '' })
    expect(second.requests).toEqual([])
  })

  test.each([301, 302, 307, 308])('%d: the second server sees no request and no key', async (status) => {
    const redirect = { status, headers: { location: `${second.url}/payments/p1` } }
    for (const words of ['payment get p1', 'payment refund p1', 'session create']) {
      const ended = await pay(redirect, `${words} --json`)
      expect(ended).toMatchObject({ exitCode: 3, stdout: '' })
      expect(ended.stderr).toContain('"code":"redirected"')
      expect(ended.requests).toHaveLength(1)
    }
    expect(second.requests).toEqual([])
  })
})

describe('text from the server', () => {
  const ATTACK = 'Ann\u001b[2J\u001b]0;owned\u0007\u009b31m\u202eevil\r\nSecond line'
  // oxlint-disable-next-line no-control-regex -- matches what must not appear
  const DANGEROUS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

  test.each(['table', 'json', 'ndjson', 'yaml', 'csv', 'id'])(
    'cannot control the terminal with -o %s',
    async (format) => {
      const payment = { id: 'p1', status: ATTACK, orderId: ATTACK, customer: { firstName: ATTACK } }
      for (const [body, words] of [
        [payment, 'payment get p1'],
        [{ data: [{ ...payment, id: `p1${ATTACK}` }] }, 'payment list'],
      ] as const) {
        const ended = await pay({ status: 200, body }, `${words} -o ${format}`)
        expect(ended.exitCode).toBe(0)
        expect(ended.stdout).not.toMatch(DANGEROUS)
        expect(ended.stderr).not.toMatch(DANGEROUS)
      }
    },
  )

  test('cannot control the terminal in errors, HTML pages and headers', async () => {
    const headers = { 'x-request-id': 'a\u009bb' }
    for (const body of [envelope(ATTACK, { description: ATTACK }), `<b>${ATTACK}</b>`]) {
      const ended = await pay({ status: 422, headers, body }, 'payment refund p1 --debug')
      expect(ended).toMatchObject({ exitCode: 3, stdout: '' })
      expect(ended.stderr).not.toMatch(DANGEROUS)
    }
  })
})

test('every digit and every unknown field of a response is printed', async () => {
  const body = '{"id":"p1","amount":9007199254740993,"x":1.10,"y":1e400,"new":{"z":[null,true]}}'
  const ended = await pay({ status: 200, body }, 'payment get p1 -o ndjson')
  expect(ended.stdout).toBe(`${body}\n`)
})

const through = (port: number) => ({
  PAY_API_KEY: KEY,
  PAY_BASE_URL: 'https://api.example.com',
  HTTPS_PROXY: `http://user:secret-of-the-proxy@127.0.0.1:${port}`,
})

describe('a proxy', () => {
  test.each([403, 407, 502])(
    'that answers %d has forwarded nothing: exit 9, without its password',
    async (status) => {
      const proxy = await startConnectProxy({ status })
      const ended = await bench.pay(`payment refund p1 --yes --json ${ONCE}`, { env: through(proxy.port) })
      await proxy.close()
      expect(ended).toMatchObject({ exitCode: 9, stdout: '' })
      expect(proxy.connects.map(({ target }) => target)).toEqual(['api.example.com:443'])
      expect(JSON.stringify(proxy.connects)).not.toContain(KEY)
      expect(ended.stderr).not.toContain('secret-of-the-proxy')
    },
  )

  test('that does not run is exit 9', async () => {
    const gone = await startConnectProxy({ status: 500 })
    await gone.close()
    const ended = await bench.pay(`payment refund p1 --yes --json ${ONCE}`, { env: through(gone.port) })
    expect(ended).toMatchObject({ exitCode: 9, stdout: '' })
  })

  test('is not used for a server on loopback', async () => {
    const proxy = await startConnectProxy({ status: 500 })
    const server = await startScriptedServer(() => ({ status: 200, body: { id: 'p1' } }))
    const ended = await bench.pay('payment get p1', {
      env: {
        PAY_API_KEY: KEY,
        PAY_BASE_URL: server.url,
        HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
        http_proxy: `http://127.0.0.1:${proxy.port}`,
      },
    })
    await Promise.all([proxy.close(), server.close()])
    expect(ended).toMatchObject({ exitCode: 0 })
    expect(proxy.connects).toEqual([])
  })
})

test('a very long timeout works', async () => {
  const ended = await pay({ status: 200, delayMs: 50, body: { id: 'p1' } }, 'payment get p1 --timeout 60d')
  expect(ended).toMatchObject({ exitCode: 0 })
})
