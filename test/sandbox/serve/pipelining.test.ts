import { describe, expect, test } from 'vitest'
import { createPayment, loggedIn, textAt } from '../service.ts'
import type { Service } from '../service.ts'
import { openServed, serve } from './over-http.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'
import { OK, waiting } from './scripted-sandbox.ts'

/** Clients that send several requests on one connection without waiting for the responses. */

const CLOSE = 'Connection: close\r\n'

/** Sends all texts at once; the last request has to close the connection. */
async function sendAll(port: number, ...texts: readonly string[]) {
  const client = await openRaw(port)
  client.send(texts.join(''))
  return answersIn((await client.untilClosed()).text).map(({ status, body }) => ({
    status,
    body: body === '' ? undefined : JSON.parse(body),
  }))
}

const authorized = async (service: Service) =>
  textAt(await createPayment(service, 'tok_visa', { amount: 100 }), 'id')

/** Captures a payment and refunds it in parts, with reads in between, and a refund of too much. */
function settlementOf(id: string) {
  const read = requestText('GET', `/payments/${id}`)
  const refund = (body: object) => requestText('POST', `/payments/${id}/refund`, JSON.stringify(body))
  return [
    requestText('POST', `/payments/${id}/capture`, '{"amount":100}'),
    read,
    refund({ amount: 30 }),
    // Long bodies are processed apart from others.
    refund({ amount: 20, reason: 'x'.repeat(50_000) }),
    read,
    refund({ amount: 60 }),
    read,
    refund({}),
    requestText('GET', `/payments/${id}`, undefined, CLOSE),
  ]
}

const refunded = (amountRefunded: number) => ({
  status: 200,
  body: { processor: { amountCaptured: 100, amountRefunded } },
})

test('each request finds what those before it did, on many connections at once', async () => {
  const service = await openServed()
  const ids = await Promise.all(Array.from({ length: 20 }, () => authorized(service)))
  const all = await Promise.all(ids.map((id) => sendAll(service.server.port, ...settlementOf(id))))
  for (const answers of all)
    expect(answers).toMatchObject([
      refunded(0),
      refunded(0),
      refunded(30),
      refunded(50),
      refunded(50),
      { status: 422 },
      refunded(50),
      refunded(100),
      refunded(100),
    ])
})

test('a payment of a request is in the list of the next, and gone after a reset', async () => {
  const service = await openServed()
  const list = requestText('GET', '/payments')
  const answers = await sendAll(
    service.server.port,
    requestText(
      'POST',
      '/payments',
      '{"paymentMethodToken":"tok_visa","orderId":"o","currencyCode":"EUR","amount":5}',
    ),
    list,
    requestText('POST', '/sandbox/reset'),
    list,
    requestText('GET', '/sandbox/requests', undefined, CLOSE),
  )
  expect(answers).toMatchObject([
    { status: 200 },
    { body: { data: [{ orderId: 'o' }] } },
    { status: 200 },
    { body: { data: [] } },
    { body: { data: [{ path: '/payments' }] } },
  ])
})

/** A sandbox that records what it is asked, and answers when the test says so. */
function recording() {
  const asked: string[] = []
  const sandbox = waiting()
  const handle = ({ url }: { readonly url: string }) => {
    asked.push(url)
    return sandbox.handle()
  }
  return { asked, open: sandbox.open, handle }
}

test('a connection has one request processed at a time, and delays no other', async () => {
  const sandbox = recording()
  const server = await serve(sandbox)
  const client = await openRaw(server.port)
  client.send(requestText('POST', '/a', '{}') + requestText('GET', '/b'))
  await expect.poll(() => sandbox.asked).toEqual(['/a'])
  const other = await openRaw(server.port)
  other.send(requestText('GET', '/c'))
  await expect.poll(() => sandbox.asked).toEqual(['/a', '/c'])
  sandbox.open[0]?.()
  await expect.poll(() => sandbox.asked).toEqual(['/a', '/c', '/b'])
})

describe('what is no request', () => {
  test.each([
    ['words', 'hello\r\n\r\n', [200, 200, 400]],
    ['a CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', [200, 200, 400]],
    [
      'a broken chunk',
      requestText('POST', '/c', undefined, 'Transfer-Encoding: chunked\r\n') + '2\r\n{}\r\nx\r\n',
      [200, 200, 400],
    ],
    ['headers above 16 kB', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, [200, 200, 431]],
  ])('%s: is refused after the responses to the requests before', async (_, bytes, statuses) => {
    const { asked, open, handle } = recording()
    const server = await serve({ handle })
    const client = await openRaw(server.port)
    client.send(requestText('POST', '/a', '{}') + requestText('GET', '/b') + bytes)
    for (const at of [0, 1]) {
      await expect.poll(() => open).toHaveLength(at + 1)
      open[at]?.()
    }
    const { text } = await client.untilClosed()
    expect(answersIn(text).map(({ status }) => status)).toEqual(statuses)
    expect(asked).toEqual(['/a', '/b'])
  })

  test('what follows a request that closes the connection is left out', async () => {
    const service = await openServed()
    const answers = await sendAll(
      service.server.port,
      requestText('POST', '/client-session', '{}', CLOSE),
      requestText('GET', '/payments'),
    )
    expect(answers).toMatchObject([{ status: 200 }])
    expect(await loggedIn(service)).toMatchObject([{ path: '/client-session' }])
  })
})

test.each(['refused', 'dropped', 'truncated'] as const)(
  'requests after a response that is %s are not processed',
  async (kind) => {
    const asked: string[] = []
    const server = await serve({
      handle: async ({ url }) => {
        asked.push(url)
        return url === '/cut' ? { ...OK, deliveryFault: { kind } } : OK
      },
    })
    const client = await openRaw(server.port)
    client.send(
      requestText('GET', '/a') + requestText('POST', '/cut', '{}') + requestText('POST', '/b', '{}'),
    )
    const { text } = await client.untilClosed()
    if (kind !== 'refused') expect(text).toMatch(/^HTTP\/1\.1 200 OK/)
    expect(asked).toEqual(['/a', '/cut'])
  },
)
