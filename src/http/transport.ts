import { createNodeTransport } from './node-transport.ts'
import { proxyFor } from './proxy.ts'
import type { Transport } from './transport-port.ts'

interface TransportOptions {
  /** Source of the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** In milliseconds, from a clock that never goes back. */
  readonly monotonicMs: () => number
  /** Set by commands that send many requests: the most requests in flight to one server. */
  readonly connections?: number | undefined
}

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
    send: async (request, sendOptions) =>
      isProxied(request.url)
        ? (await (proxied ??= openUndici(options))).send(request, sendOptions)
        : direct.send(request, sendOptions),
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
