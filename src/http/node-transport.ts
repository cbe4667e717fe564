import { Agent, request } from 'node:http'
import type { AgentOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { Exchange } from './exchange.ts'
import { Exchanges } from './in-flight.ts'
import { IDLE_LIFE_MS } from './limits.ts'
import { transmit } from './transmit.ts'
import type { Client } from './transmit.ts'
import type { Transport } from './transport-port.ts'

interface NodeTransportOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs: () => number
}

/** Node also follows what a server says of its idle connections, less a second. */
const AGENT: AgentOptions = { keepAlive: true, timeout: IDLE_LIFE_MS }

/**
 * Sends over Node's own HTTP client, which loads faster than undici: for a command that sends a few requests. Each
 * request under way has a connection of its own. No proxies, no redirects, no resends. Certificates are checked against
 * Node's own list and `NODE_EXTRA_CA_CERTS`.
 */
export function createNodeTransport({ monotonicMs }: NodeTransportOptions): Transport {
  const exchanges = new Exchanges(monotonicMs)
  const http: Client = { agent: new Agent(AGENT), request }
  let https: Client | undefined
  const busy = new WeakSet<Socket>()

  return {
    send: (wireRequest, options) =>
      exchanges.run(wireRequest, options, (exchange) => {
        const target = new URL(wireRequest.url)
        if (target.protocol === 'https:') void sendOverTls(target, exchange)
        else transmit({ client: http, target, busy }, exchange)
      }),
    async close() {
      exchanges.close()
      http.agent.destroy()
      https?.agent.destroy()
    },
  }

  async function sendOverTls(target: URL, exchange: Exchange): Promise<void> {
    try {
      const { createHttpsClient } = await import('./https-client.ts')
      https ??= createHttpsClient(AGENT)
      if (!exchange.isOver) transmit({ client: https, target, busy }, exchange)
    } catch (error) {
      exchange.failWith(error)
    }
  }
}
