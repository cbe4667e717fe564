import { request as startRequest } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Handler } from './exchange.ts'
import type { WireRequest } from './transport-port.ts'

interface Transmission {
  /** Connected, with nothing on it. */
  readonly socket: Socket
  readonly target: URL
  readonly request: WireRequest
  readonly handler: Handler
  /** Called when the connection is free for another request, with the milliseconds for which the other side says it waits. */
  readonly keep: (saidMs: number | undefined) => void
}

/** The same as undici's, whatever NODE_OPTIONS says. */
const MAX_HEADER_BYTES = 16 * 1024

/** One request over one connection, by Node's own HTTP client. */
export function transmit({ socket, target, request, handler, keep }: Transmission): void {
  const { method, body } = request
  const sent = startRequest({
    method,
    path: `${target.pathname}${target.search}`,
    // Said, since Node says none for a DELETE: its body would be read as the next request.
    headers: {
      host: target.host,
      connection: 'keep-alive',
      ...request.headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    createConnection: () => socket,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  })
  const controller = { abort: (reason: Error) => void sent.destroy(reason) }
  let answer: IncomingMessage | undefined
  const fail = (error: Error) => handler.onResponseError(controller, error)
  // Just before it is written, in the same turn: what is destroyed in here is not.
  sent.once('socket', () => handler.onRequestStart(controller))
  sent.once('response', (incoming) => {
    answer = incoming
    incoming.on('error', fail)
    handler.onResponseStart(controller, incoming.statusCode ?? 0, incoming.headersDistinct)
    incoming.on('data', (chunk: Buffer) => handler.onResponseData(controller, chunk))
    incoming.once('end', () => {
      // An answer that stops in the middle ends as well.
      if (incoming.complete) handler.onResponseEnd()
    })
  })
  sent.on('error', fail)
  sent.once('close', () => {
    // As after a switch of protocols, which is told in no other way.
    if (answer?.complete !== true) fail(cut())
  })
  socket.once('free', () => keep(saidMs(answer)))
  sent.end(body)
}

function saidMs(answer: IncomingMessage | undefined): number | undefined {
  const seconds = /\btimeout=(\d+)/i.exec(answer?.headersDistinct['keep-alive']?.join() ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

const cut = (): Error => Object.assign(new Error('the connection ended'), { code: 'ECONNRESET' })
