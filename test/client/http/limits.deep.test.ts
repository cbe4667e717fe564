import { afterAll, describe, expect, test } from 'vitest'
import { startRawServer } from '../../support/raw-server.ts'
import { startScriptedServer } from '../../support/scripted-server.ts'
import { TRANSPORTS, failureOf } from '../../support/transports.ts'

/** These take seconds, so they run concurrently. */
const closers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const post = (url: string) => ({ method: 'POST', url, headers: {}, body: '{}' })
const timeoutMs = 20_000

describe.each(TRANSPORTS)('over %s', (_, create) => {
  test.concurrent('a connection that was idle for 4 s is not reused: the server may close it', async () => {
    const server = await startScriptedServer(() => ({ body: 'x', headers: { 'keep-alive': 'timeout=60' } }))
    const transport = create(1)
    closers.push(
      () => server.close(),
      () => transport.close(),
    )
    for (const waitMs of [0, 2_000, 4_300]) {
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      await transport.send(post(server.url), { timeoutMs })
    }
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1, 2])
  }, 20_000)

  test.concurrent('connecting has a limit of its own, and nothing was sent', async () => {
    // The TLS handshake hangs.
    const server = await startRawServer()
    const transport = create(1)
    closers.push(
      () => server.close(),
      () => transport.close(),
    )
    expect(
      await failureOf(transport.send(post(`https://127.0.0.1:${server.port}/`), { timeoutMs: 600_000 })),
    ).toMatchObject({
      reason: 'connect-timeout',
      sent: false,
      message: `127.0.0.1:${server.port} did not accept the connection in time`,
    })
  }, 60_000)
})
