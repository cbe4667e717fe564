import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { PendingRequest } from './pending-request.ts'
import { invalidResponse, closedTooEarly, connectTimedOut } from './failure.ts'
import { CONNECT_TIMEOUT_MS, MAX_HEAD_BYTES } from './limits.ts'
import type { HttpRequest } from './transport-port.ts'

/** Node's client for http or https. */
export interface HttpClient {
  readonly agent: Agent
  readonly request: (options: RequestOptions) => ClientRequest
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
export function transmit(route: Route, pending: PendingRequest): void {
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
