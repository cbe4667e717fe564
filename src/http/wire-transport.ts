import { Connections } from './connections.ts'
import { requestWriter } from './request-writer.ts'
import { Sending } from './sending.ts'
import { Sendings } from './sendings.ts'
import { TransportFailure } from './transport-port.ts'
import type { Transport } from './transport-port.ts'
import type { Opening } from './tunnel.ts'

interface WireTransportOptions {
  /** Read for the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** How many requests may be under way to one server; as many as there are unless told otherwise. */
  readonly connections?: number
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs: () => number
}

/**
 * HTTP/1.1 written and read by ourselves, over Node's own connections: many requests in a fraction of the time that
 * libraries take for them (docs/decisions/0014), and a single one without loading a library first (docs/decisions/0016).
 * No redirects, no resends. Certificates are checked against Node's own list and `NODE_EXTRA_CA_CERTS`.
 */
export function createWireTransport({
  env,
  connections = Number.POSITIVE_INFINITY,
  monotonicMs,
}: WireTransportOptions): Transport {
  const servers = new Map<string, Connections>()
  const opening: Opening = new Set()
  const sendings = new Sendings(monotonicMs)
  const write = requestWriter()
  let last: { readonly target: URL; readonly server: Connections } | undefined
  let isClosed = false

  const serverOf = (target: URL): Connections => {
    if (last?.target === target) return last.server
    let server = servers.get(target.origin)
    if (server === undefined) {
      server = new Connections({ target, env, most: connections, monotonicMs, opening })
      servers.set(target.origin, server)
    }
    last = { target, server }
    return server
  }

  return {
    send(request, options) {
      return new Promise((resolve, reject) => {
        const { target, text } = write(request)
        if (isClosed) throw new TransportFailure('other', false, 'the connections are closed already')
        const sending = new Sending(
          { request, options, target, text, deadlineMs: monotonicMs() + options.timeoutMs },
          { resolve, reject, onOver: (over) => sendings.remove(over) },
        )
        sendings.add(sending)
        if (options.signal?.aborted === true || options.signalBeforeSent?.aborted === true) sending.giveUp()
        else serverOf(target).send(sending)
      })
    },
    async close() {
      isClosed = true
      sendings.close()
      for (const server of servers.values()) server.close()
      for (const socket of opening) socket.destroy(new Error('closed'))
    },
  }
}
