import { STATUS_CODES } from 'node:http'
import type { ServerResponse } from 'node:http'
import { LONGEST_TIMER_MS } from '../../duration.ts'
import type { ServiceResponse } from '../answers/response.ts'
import { afterEarlierResponses, later, leave } from './connection.ts'
import type { Connection } from './connection.ts'
import { hasBody } from './receive-body.ts'

export interface DeliveryRules {
  readonly lingerMs: number
  /** Whether connections are to end with the answer that they are waiting for. */
  readonly isClosing: () => boolean
}

/** Gives a client its answer, or does what is to happen in its place. */
export function deliver(
  connection: Connection,
  response: ServerResponse,
  reply: ServiceResponse,
  rules: DeliveryRules,
): void {
  const { socket } = connection
  switch (reply.deliveryFault?.kind) {
    case undefined:
      return answer(connection, response, reply, rules)
    case 'refused':
      return cut(connection, response, () => socket.resetAndDestroy())
    case 'dropped':
      return cut(connection, response, () => socket.destroy())
    case 'truncated':
      return cut(connection, response, () => truncate(connection, response, reply))
    case 'no-response':
      connection.isHung = true
      socket.setTimeout(0)
      return
    case 'delayed':
      // For as long as it takes: this is no stalled client.
      socket.setTimeout(0)
      return later(connection, Math.min(reply.deliveryFault.ms, LONGEST_TIMER_MS), () =>
        answer(connection, response, reply, rules),
      )
  }
}

function answer(
  connection: Connection,
  response: ServerResponse,
  reply: ServiceResponse,
  { isClosing, lingerMs }: DeliveryRules,
): void {
  const { req: request } = response
  if (!request.complete && hasBody(request))
    return afterEarlierResponses(connection, response, () =>
      answerAndLeave(connection, response, reply, lingerMs),
    )
  const isLast = isClosing() && connection.due.at(-1) === response
  if (isLast) connection.isLeaving = true
  response.writeHead(reply.status, headersOf(reply, isLast))
  if (isWithoutBody(response)) response.end()
  else response.end(reply.body)
}

/** The request has not come in whole: nothing that follows on this connection can be told from the rest of it. */
function answerAndLeave(
  connection: Connection,
  response: ServerResponse,
  reply: ServiceResponse,
  lingerMs: number,
): void {
  // Its rest has broken meanwhile, and that was answered.
  if (response.headersSent) return
  connection.isLeaving = true
  response.writeHead(reply.status, headersOf(reply, true))
  // Written, not ended: node:http would close the connection at the end.
  if (isWithoutBody(response)) response.flushHeaders()
  else response.write(reply.body)
  leave(connection, lingerMs)
}

function cut(connection: Connection, response: ServerResponse, act: () => void): void {
  connection.isLeaving = true
  afterEarlierResponses(connection, response, act)
}

/** The length of the whole, and half of it. */
function truncate({ socket }: Connection, response: ServerResponse, reply: ServiceResponse): void {
  if (response.headersSent) return
  const bytes = Buffer.from(reply.body)
  response.writeHead(reply.status, headersOf(reply, false))
  if (isWithoutBody(response)) response.flushHeaders()
  else response.write(bytes.subarray(0, bytes.length >> 1))
  socket.destroySoon()
}

/** Statuses whose answers end with their head (RFC 9110 section 6.4.1). */
const isHeadAlone = (status: number): boolean => status === 204 || status === 304

/** node:http takes a body for such an answer, throws it away, and then may never send the head. */
const isWithoutBody = ({ req: request, statusCode }: ServerResponse): boolean =>
  request.method === 'HEAD' || isHeadAlone(statusCode)

/** Names and values in turn: what node:http writes fastest. Of a body that cannot come nothing is said. */
function headersOf({ headers, body, status }: ServiceResponse, isLast: boolean): string[] {
  const flat: string[] = []
  for (const name in headers)
    if (name !== 'content-type' || !isHeadAlone(status)) flat.push(name, headers[name] ?? '')
  if (!isHeadAlone(status)) flat.push('content-length', String(Buffer.byteLength(body)))
  if (isLast) flat.push('connection', 'close')
  return flat
}

/** The same without node:http, which has given the connection up; its last words. */
export function writeAndLeave(
  connection: Connection,
  reply: ServiceResponse,
  { date, lingerMs }: { readonly date: Date; readonly lingerMs: number },
): void {
  const { socket } = connection
  if (!socket.writable) return void socket.destroy()
  const head = [`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}`]
  const headers = [...headersOf(reply, true), 'date', date.toUTCString()]
  for (let at = 0; at < headers.length; at += 2) head.push(`${headers[at]}: ${headers[at + 1]}`)
  socket.write(`${head.join('\r\n')}\r\n\r\n${reply.body}`)
  leave(connection, lingerMs)
}
