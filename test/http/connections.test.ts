import type { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { Connections } from '../../src/http/connections.ts'
import { Sending } from '../../src/http/sending.ts'
import type { WireAnswer } from '../../src/http/transport-port.ts'
import { startScriptedServer } from '../support/scripted-server.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** The first connection is closed in the moment in which it has come about. */
class ClosingTheFirst extends Set<Socket> {
  #isFirst = true

  override add(socket: Socket): this {
    if (this.#isFirst) socket.once('connect', () => socket.destroy())
    this.#isFirst = false
    return super.add(socket)
  }
}

test('a connection that closed before it was used fails what waited for it, and takes no place', async () => {
  const server = await startScriptedServer(() => ({ body: 'x' }))
  closers.push(() => server.close())
  const target = new URL(server.url)
  const monotonicMs = () => 0
  const opening = new ClosingTheFirst()
  const connections = new Connections({ target, env: {}, most: 1, monotonicMs, opening })
  closers.push(() => connections.close())
  const send = () =>
    new Promise<WireAnswer>((resolve, reject) => {
      const text = `GET / HTTP/1.1\r\nhost: ${target.host}\r\n\r\n`
      const request = { method: 'GET', url: server.url, headers: {}, body: undefined }
      const sending = { request, options: { timeoutMs: 20_000 }, text, target, deadlineMs: 20_000 }
      connections.send(new Sending(sending, { resolve, reject, onOver: () => {} }))
    })
  const [first, second] = await Promise.allSettled([send(), send()])
  expect(first).toMatchObject({ status: 'rejected', reason: { reason: 'refused', sent: false } })
  expect(second).toMatchObject({ status: 'fulfilled', value: { status: 200 } })
})
