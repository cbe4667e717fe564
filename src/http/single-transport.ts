import type { Socket } from 'node:net'
import { openConnection } from './connection.ts'
import { exchange } from './exchange.ts'
import type { Handler } from './exchange.ts'
import { TransportFailure } from './transport-port.ts'
import type { Transport } from './transport-port.ts'
import { transmit } from './transmit.ts'
import type { Opening } from './tunnel.ts'

interface SingleTransportOptions {
  /** Read for the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs: () => number
}

/** A host that has not accepted a connection by then is down, or drops packets. */
const CONNECT_TIMEOUT_MS = 10_000
/** A connection that was idle for longer may have been closed by the other side: a write would meet its end. */
const IDLE_LIFE_MS = 4_000
/** Of the time that the other side says it waits. */
const IDLE_MARGIN_MS = 2_000

interface Idle {
  readonly socket: Socket
  readonly untilMs: number
}

/**
 * Sends over Node's own HTTP client, for a process that sends a few requests and ends: it is in Node already, where
 * undici is 300 kB to compile and a parser in WebAssembly (docs/decisions/0013). One idle connection to a server is
 * kept; no redirects, no resends. Certificates are checked against Node's own list and `NODE_EXTRA_CA_CERTS`.
 */
export function createSingleTransport({ env, monotonicMs }: SingleTransportOptions): Transport {
  const opening: Opening = new Set()
  const open = new Set<Socket>()
  const busy = new Set<Socket>()
  const idle = new Map<string, Idle>()
  let isClosed = false

  const connectionTo = async (target: URL): Promise<Socket> => {
    const kept = idle.get(target.origin)
    idle.delete(target.origin)
    if (kept !== undefined) await hearOfItsEnd()
    if (kept !== undefined && isUsable(kept, monotonicMs())) return kept.socket
    kept?.socket.destroy()
    const socket = await openConnection({
      target,
      env,
      timeoutMs: CONNECT_TIMEOUT_MS,
      opening,
      isClosed: () => isClosed,
    })
    if (isClosed) socket.destroy()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // While it is idle nobody else listens, and an error that nobody hears of would end the process.
    socket.on('error', () => undefined)
    // Bytes that belong to no request must not become the answer of the next one.
    socket.on('data', () => {
      if (!busy.has(socket)) socket.destroy()
    })
    return socket
  }

  const keep = (target: URL, socket: Socket, saidMs: number | undefined): void => {
    busy.delete(socket)
    const lifeMs = saidMs === undefined ? IDLE_LIFE_MS : Math.min(IDLE_LIFE_MS, saidMs - IDLE_MARGIN_MS)
    if (isClosed || lifeMs <= 0 || idle.has(target.origin)) {
      socket.destroy()
      return
    }
    idle.set(target.origin, { socket, untilMs: monotonicMs() + lifeMs })
  }

  return {
    async send(request, options) {
      if (!URL.canParse(request.url)) throw new TransportFailure('other', false, 'the URL is not valid')
      if (isClosed) throw new TransportFailure('other', false, 'the connections are closed already')
      const target = new URL(request.url)
      const dispatch = async (handler: Handler): Promise<void> => {
        try {
          const socket = await connectionTo(target)
          if (isClosed) throw ended()
          if (socket.destroyed) throw Object.assign(new Error('it closed at once'), { code: 'ECONNRESET' })
          busy.add(socket)
          transmit({ socket, target, request, handler, keep: (lifeMs) => keep(target, socket, lifeMs) })
        } catch (error) {
          handler.onResponseError(undefined, error instanceof Error ? error : new Error(String(error)))
        }
      }
      return exchange((handler) => void dispatch(handler), request, options)
    },
    async close() {
      isClosed = true
      for (const socket of opening) socket.destroy(ended())
      // Only who waits for an answer has to be told: to make the error and hand it on takes longer than to close.
      for (const socket of open) socket.destroy(busy.has(socket) ? ended() : undefined)
    },
  }
}

const isUsable = ({ socket, untilMs }: Idle, nowMs: number): boolean =>
  !socket.destroyed && socket.readable && socket.writable && nowMs < untilMs

const ended = (): Error => Object.assign(new Error('the transport was closed'), { code: 'ERR_CLOSED' })

/** A whole turn of the event loop: when the other side has closed the connection by now, it is known after it. */
const hearOfItsEnd = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve))
  })
