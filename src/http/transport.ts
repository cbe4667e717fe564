import { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import connector from 'undici/lib/core/connect.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import { exchange } from './exchange.ts'
import { connectFailure } from './failure.ts'
import { proxyFor } from './proxy.ts'
import { TransportFailure } from './transport-port.ts'
import type { Transport } from './transport-port.ts'
import type { Opening } from './tunnel.ts'
import { leaveParserUnoptimized } from './v8-tuning.ts'

export interface TransportOptions {
  /** Read for the proxy variables and `PAY_NO_V8_TUNING`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** How many requests may be under way to one server; 1 unless told otherwise. */
  readonly connections?: number
  /** `process.versions.node`; given by a process that sends few requests and ends. */
  readonly nodeVersion?: string
}

/** A host that has not accepted a connection by then is down, or drops packets. */
const CONNECT_TIMEOUT_MS = 10_000

/**
 * Sends over undici: keep-alive connections with one request at a time on each, HTTP/1.1, no redirects, no resends.
 * Certificates are checked against Node's own list and `NODE_EXTRA_CA_CERTS`.
 */
export function createTransport({ env, connections = 1, nodeVersion }: TransportOptions): Transport {
  const pools = new Map<string, Pool>()
  const opening: Opening = new Set()
  let isClosed = false

  const poolOf = (url: URL): Pool => {
    const known = pools.get(url.origin)
    if (known !== undefined) return known
    if (nodeVersion !== undefined) leaveParserUnoptimized({ env, nodeVersion })
    const pool = new Pool(url.origin, {
      connections,
      pipelining: 1,
      // The timer of the exchange covers the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: connectTo(url, proxyFor(url, env), opening),
    })
    pools.set(url.origin, pool)
    return pool
  }

  return {
    async send(request, options) {
      if (!URL.canParse(request.url)) throw new TransportFailure('other', false, 'the URL is not valid')
      if (isClosed) throw new TransportFailure('other', false, 'the connections are closed already')
      const url = new URL(request.url)
      const { method, headers, body = null } = request
      const path = `${url.pathname}${url.search}`
      return exchange(
        (handler) => poolOf(url).dispatch({ path, method, headers: { ...headers }, body }, handler),
        request,
        options,
      )
    },
    async close() {
      isClosed = true
      await Promise.all(Array.from(pools.values(), (pool) => pool.destroy()))
      // Those that are not connected yet are not the pool's; they would keep the process waiting.
      for (const socket of opening) socket.destroy()
    },
  }
}

/** Opens connections to one server, through the proxy where there is one. Failures come out in our words. */
function connectTo(target: URL, proxy: string | undefined, opening: Opening): buildConnector.connector {
  const open = connector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false })
  return (options, callback) => {
    const fail = (error: unknown) => callback(connectFailure(error, target.host), null)
    const openOver = (httpSocket?: Socket) => {
      // It returns the socket, which its types do not say.
      const pending: unknown = open(
        httpSocket === undefined ? options : { ...options, httpSocket },
        (error, socket) => {
          if (pending instanceof Socket) opening.delete(pending)
          if (socket === null || socket === undefined) fail(error)
          else callback(null, socket)
        },
      )
      if (pending instanceof Socket) opening.add(pending)
    }
    const openThrough = async (proxyUrl: string): Promise<void> => {
      const { openTunnel } = await import('./tunnel.ts')
      const tunnel = await openTunnel({ proxy: proxyUrl, target, timeoutMs: CONNECT_TIMEOUT_MS, opening })
      if (target.protocol === 'https:') openOver(tunnel)
      else callback(null, tunnel)
    }
    if (proxy === undefined) openOver()
    else openThrough(proxy).catch(fail)
  }
}
