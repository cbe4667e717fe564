import { Agent, request } from 'node:http'
import type { AgentOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { PendingRequest } from './pending-request.ts'
import { InFlightRequests } from './in-flight-requests.ts'
import { IDLE_TIMEOUT_MS } from './limits.ts'
import { proxyFor } from './proxy.ts'
import { transmit } from './transmit.ts'
import type { HttpClient } from './transmit.ts'
import type { Transport, TransportOptions } from './transport-port.ts'

/**
 * Picks the HTTP client: Node's own, which loads faster, for a few requests; undici, which sends faster, for many
 * requests and for proxies (docs/decisions/0020).
 */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  if (options.connections !== undefined) return openUndici(options)
  const direct = createNodeTransport(options)
  let proxied: Promise<Transport> | undefined
  const isProxied = (url: string) => URL.canParse(url) && proxyFor(new URL(url), options.env) !== undefined
  return {
    send: async (message, sendOptions) =>
      isProxied(message.url)
        ? (await (proxied ??= openUndici(options))).send(message, sendOptions)
        : direct.send(message, sendOptions),
    async close() {
      await direct.close()
      await (await proxied)?.close()
    },
  }
}

async function openUndici(options: TransportOptions): Promise<Transport> {
  const { createUndiciTransport } = await import('./undici-transport.ts')
  return createUndiciTransport(options)
}

/** Node also honors a server's keep-alive timeout, less one second. */
const AGENT: AgentOptions = { keepAlive: true, timeout: IDLE_TIMEOUT_MS }

/**
 * Sends over Node's own HTTP client, which loads faster than undici; for commands that send a few requests. Each request
 * in flight has its own connection. No proxies, redirects or resends. Certificates are checked against Node's own list and
 * `NODE_EXTRA_CA_CERTS`.
 */
export function createNodeTransport({ monotonicMs }: Pick<TransportOptions, 'monotonicMs'>): Transport {
  const inFlight = new InFlightRequests(monotonicMs)
  const http: HttpClient = { agent: new Agent(AGENT), request }
  let https: HttpClient | undefined
  const busy = new WeakSet<Socket>()

  return {
    send: (wireRequest, options) =>
      inFlight.run(wireRequest, options, (pending) => {
        const target = new URL(wireRequest.url)
        if (target.protocol === 'https:') void sendOverTls(target, pending)
        else transmit({ client: http, target, busy }, pending)
      }),
    async close() {
      inFlight.close()
      http.agent.destroy()
      https?.agent.destroy()
    },
  }

  async function sendOverTls(target: URL, pending: PendingRequest): Promise<void> {
    try {
      const { createHttpsClient } = await import('./https-client.ts')
      https ??= createHttpsClient(AGENT)
      if (!pending.isSettled) transmit({ client: https, target, busy }, pending)
    } catch (error) {
      pending.fail(error)
    }
  }
}
