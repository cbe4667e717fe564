import { Agent, request } from 'node:http'
import type { AgentOptions, IncomingMessage, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import { closedTooEarly, connectTimedOut, invalidResponse } from './failure.ts'
import type { HttpClient } from './https-client.ts'
import { InFlightRequests } from './in-flight-requests.ts'
import { CONNECT_TIMEOUT_MS, IDLE_TIMEOUT_MS, MAX_HEAD_BYTES } from './limits.ts'
import type { PendingRequest } from './pending-request.ts'
import { proxyFor } from './proxy.ts'
import type { HttpRequest, Transport, TransportOptions } from './transport-port.ts'

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

interface Route {
  readonly client: HttpClient
  readonly target: URL
  /** Connections whose request is written and whose response is not complete. */
  readonly busy: WeakSet<Socket>
}

/**
 * Sends one request over Node's own client. Node holds back the request's head until `end` is called. That happens only
 * once there is a connection, in the same event-loop turn as `onRequestStart`: a request that did not start was not written.
 */
function transmit(route: Route, pending: PendingRequest): void {
  const { client, target, busy } = route
  const { body } = pending.request
  const sent = client.request(optionsFor(route, pending.request))
  sent.maxHeadersCount = 0
  let isStarted = false
  let isRetried = false
  let answer: IncomingMessage | undefined
  let connectTimer: NodeJS.Timeout | undefined

  const fail = (error: Error) => {
    // A complete response stays valid, regardless of what happens to its connection.
    if (isRetried || pending.isSettled || answer?.complete === true) return
    if (isStarted || !sent.reusedSocket) return pending.onResponseError(sent, error)
    // The idle connection closed before anything was written to it.
    isRetried = true
    sent.destroy()
    transmit(route, pending)
  }
  const start = (socket: Socket) => {
    clearTimeout(connectTimer)
    if (isRetried) return
    if (socket.destroyed) return fail(closedTooEarly())
    isStarted = true
    pending.onRequestStart({ abort: (reason) => void sent.destroy(reason) })
    if (sent.destroyed) return
    busy.add(socket)
    sent.end(body)
  }

  sent.once('socket', (socket) => {
    // Give the event loop a turn first, to notice data or an end that has already arrived.
    if (sent.reusedSocket) return void setImmediate(() => setImmediate(start, socket))
    // Bytes that belong to no request must not become the response to the next one.
    socket.on('data', () => {
      if (!busy.has(socket)) socket.destroy()
    })
    connectTimer = setTimeout(() => sent.destroy(connectTimedOut()), CONNECT_TIMEOUT_MS)
    socket.once(target.protocol === 'https:' ? 'secureConnect' : 'connect', () => start(socket))
  })
  // undici treats this as the end of the response; both clients should behave alike.
  sent.once('continue', () => fail(invalidResponse('100 Continue')))
  sent.once('response', (incoming) => {
    if (!isStarted) return fail(invalidResponse('a response to no request'))
    answer = incoming
    incoming.on('error', fail)
    pending.onResponseStart(sent, incoming.statusCode ?? 0, incoming.headersDistinct)
    incoming.on('data', (chunk: Buffer) => pending.onResponseData(sent, chunk))
    // `end` also fires for a response that stops in the middle.
    incoming.once('end', () => (incoming.complete ? pending.onResponseEnd() : fail(closedTooEarly())))
  })
  sent.on('error', fail)
  sent.once('close', () => {
    clearTimeout(connectTimer)
    if (sent.socket !== null) busy.delete(sent.socket)
    // For example a switch of protocols, which Node reports in no other way.
    fail(closedTooEarly())
  })
}

const optionsFor = ({ client, target }: Route, { method, headers, body }: HttpRequest): RequestOptions => ({
  agent: client.agent,
  method,
  host: target.hostname.replace(/^\[(.*)\]$/, '$1'),
  port: target.port,
  path: `${target.pathname}${target.search}`,
  // Node adds no length to a DELETE, so the server would read its body as the next request.
  headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
  maxHeaderSize: MAX_HEAD_BYTES,
  insecureHTTPParser: false,
})
