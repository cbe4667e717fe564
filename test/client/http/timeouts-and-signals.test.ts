import { describe, expect, test } from 'vitest'
import type { TransportFailure } from '../../../src/client/http/transport-port.ts'
import { TRANSPORTS, failureOf } from '../../support/transports.ts'
import { createTransportBench, post, serve, serveRaw } from './transport-bench.ts'

describe.each(TRANSPORTS)('over %s', (_kind, create) => {
  const { open, send } = createTransportBench(create)

  describe('the timeout', () => {
    test('runs out as sent while waiting for the response', async () => {
      const server = await serve([{ hang: true }])
      expect(await failureOf(send(post(server.url), { timeoutMs: 200 }))).toMatchObject({
        reason: 'timeout',
        sent: true,
        message: 'no complete response came within 0.2 s',
      })
      expect(server.requests).toHaveLength(1)
    })

    test('runs out as sent while the body is still arriving', async () => {
      const raw = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345'
      expect(
        await failureOf(send(post((await serve([{ raw, keepOpen: true }])).url), { timeoutMs: 200 })),
      ).toMatchObject({ reason: 'timeout', sent: true })
    })
  })

  describe('a signal', () => {
    test('that is already aborted keeps the request from being sent', async () => {
      const server = await serve([])
      expect(await failureOf(send(post(server.url), { signal: AbortSignal.abort() }))).toMatchObject({
        reason: 'aborted',
        sent: false,
      })
      expect(server.requests).toEqual([])
    })

    test('ends the wait for a response', async () => {
      const server = await serve([{ hang: true }])
      const abort = new AbortController()
      const ended = failureOf(send(post(server.url), { signal: abort.signal }))
      await server.arrived(1)
      abort.abort()
      expect(await ended).toMatchObject({ reason: 'aborted', sent: true })
    })
  })

  test('each request has its own timeout, whichever was sent first', async () => {
    const server = await serve(({ url }) =>
      url === '/answered' ? { body: 'x', delayMs: 150 } : { hang: true },
    )
    const transport = open(3)
    const ended: string[] = []
    const sendFor = (path: string, timeoutMs: number) =>
      transport.send(post(`${server.url}${path}`), { timeoutMs }).then(
        () => void ended.push(`${path} answered`),
        (failure: TransportFailure) => void ended.push(`${path} ${failure.reason}`),
      )
    await Promise.all([sendFor('/long', 400), sendFor('/answered', 20_000), sendFor('/short', 50)])
    expect(ended.filter((end) => !end.startsWith('/answered'))).toEqual(['/short timeout', '/long timeout'])
    expect(ended).toContain('/answered answered')
  })

  describe('while it connects', () => {
    /** Accepts connections and never responds, so a TLS handshake hangs. */
    const silent = async () => {
      const received: string[] = []
      const server = await serveRaw((socket) => {
        socket.on('data', (bytes) => received.push(bytes.toString('latin1')))
      })
      return { url: `https://127.0.0.1:${server.port}/`, received }
    }
    const soon = () => new Promise((resolve) => setTimeout(resolve, 50))

    test('a request is not sent when the transport is closed', async () => {
      const transport = open()
      const { url } = await silent()
      const failure = failureOf(transport.send(post(url), { timeoutMs: 20_000 }))
      await soon()
      await transport.close()
      expect(await failure).toMatchObject({
        reason: 'other',
        sent: false,
        message: `${new URL(url).host} was not contacted: the program was about to exit`,
      })
    })

    test.each(['signal', 'signalBeforeSent'])(
      'a request is aborted by %s, and never written',
      async (name) => {
        const { url, received } = await silent()
        const abort = new AbortController()
        const failure = failureOf(send(post(url, 'the body'), { [name]: abort.signal }))
        await soon()
        abort.abort()
        expect(await failure).toMatchObject({ reason: 'aborted', sent: false })
        await soon()
        expect(received.join('')).not.toContain('the body')
      },
    )
  })

  test('aborts requests in flight when it is closed', async () => {
    const server = await serve(() => ({ hang: true }))
    const transport = open()
    const failure = failureOf(transport.send(post(server.url), { timeoutMs: 20_000 }))
    await server.arrived(1)
    await transport.close()
    expect(await failure).toMatchObject({
      reason: 'other',
      sent: true,
      message: 'the program exited before the response came',
    })
  })

  test('signalBeforeSent does not abort a request in flight', async () => {
    const server = await serve(() => ({ body: 'x', delayMs: 60 }))
    const halt = new AbortController()
    const answer = send(post(server.url), { signalBeforeSent: halt.signal })
    await server.arrived(1)
    halt.abort()
    expect(await answer).toMatchObject({ body: 'x' })
    expect(await failureOf(send(post(server.url), { signalBeforeSent: halt.signal }))).toMatchObject({
      reason: 'aborted',
      sent: false,
    })
    expect(server.requests).toHaveLength(1)
  })
})
