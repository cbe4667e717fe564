import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sandbox } from '../../src/sandbox/library.ts'
import { exchange, textOf } from './relay.ts'

/** A write that arrived whole, and what became of it. */
export interface LateWrite {
  readonly key: string
  /** Whether a read had shown the effect of its key before it arrived. */
  readonly wasShown: boolean
  /** Until it is applied, or refused. */
  readonly isHeld: boolean
  readonly isApplied: boolean
}

export interface LateDoor {
  readonly url: string
  /** The service's log, in order of arrival. */
  readonly writes: () => readonly LateWrite[]
  /** Resolves when the next write arrives. */
  readonly arrival: () => Promise<void>
  /** Resolves when nothing that arrived is still waiting to be applied. */
  readonly isIdle: () => Promise<void>
  readonly close: () => void
}

/**
 * A door to a sandbox that applies each write some time after it arrived, whatever became of its sender, and stamps responses
 * with the sandbox's clock. A read is done at once, and may be answered late.
 */
export async function openLateDoor(
  sandbox: Sandbox,
  { mostLateMs, random }: { readonly mostLateMs: number; readonly random: () => number },
): Promise<LateDoor> {
  const aheadMs = (await sandbox.clock.now()).getTime() - Date.now()
  const log: { -readonly [Field in keyof LateWrite]: LateWrite[Field] }[] = []
  const shown = new Set<string>()
  const working = new Set<Promise<unknown>>()
  const waiting = new Set<() => void>()

  const write = async (incoming: IncomingMessage, body: string) => {
    const key = String(incoming.headers['x-idempotency-key'])
    const logged = { key, wasShown: shown.has(key), isHeld: true, isApplied: false }
    log.push(logged)
    for (const resolve of waiting) resolve()
    waiting.clear()
    const arrivedMs = performance.now()
    await after(random() < 0.3 ? 0 : random() * mostLateMs)
    // A busy machine must not make the service later than it promises.
    const isTooLate = performance.now() - arrivedMs > mostLateMs + 1000
    const response = isTooLate ? undefined : await forward(incoming, body)
    logged.isApplied = response?.status === 200
    logged.isHeld = false
    return response
  }
  const read = async (incoming: IncomingMessage, body: string) => {
    const applied = log.filter(({ isApplied }) => isApplied)
    const response = await forward(incoming, body)
    await after(random() < 0.8 ? 0 : random() * 0.6 * mostLateMs)
    if (response.status === 200) for (const { key } of applied) shown.add(key)
    return response
  }
  const forward = ({ url = '', method = 'GET', headers }: IncomingMessage, body: string) =>
    exchange(new URL(url, sandbox.url), method, headers, body)
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await textOf(incoming)
    const response = await (incoming.method === 'GET' ? read : write)(incoming, body)
    if (response === undefined) return outgoing.destroy()
    const date = new Date(Date.now() + aheadMs).toUTCString()
    return outgoing
      .writeHead(response.status, { 'content-type': 'application/json', date })
      .end(response.text)
  }

  const server = createServer((incoming, outgoing) => {
    const work = answer(incoming, outgoing)
      .catch(() => {
        outgoing.destroy()
      })
      .finally(() => working.delete(work))
    working.add(work)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    writes: () => log,
    arrival: () =>
      new Promise((resolve) => {
        waiting.add(resolve)
      }),
    isIdle: async () => {
      while (working.size > 0) await Promise.all(working)
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
