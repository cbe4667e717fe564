import { STATUS_CODES } from 'node:http'
import type { ServerResponse } from 'node:http'
import { MAX_TIMER_MS } from '../../duration.ts'
import type { ServiceResponse } from '../answers/response.ts'
import { setConnectionTimer, closeGracefully } from './connection.ts'
import type { Connection } from './connection.ts'
import { DATA_HEADERS } from './page-headers.ts'
import { hasBody } from './receive-body.ts'

export interface DeliveryRules {
  readonly lingerMs: number
  /** Whether to close connections after the response that they wait for. */
  readonly isClosing: () => boolean
}

/** Sends a response, or carries out its delivery fault. */
export function deliver(
  connection: Connection,
  response: ServerResponse,
  result: ServiceResponse,
  rules: DeliveryRules,
): void {
  const { socket } = connection
  switch (result.deliveryFault?.kind) {
    case undefined:
      return answer(connection, response, result, rules)
    case 'refused':
      return void socket.resetAndDestroy()
    case 'dropped':
      return void socket.destroy()
    case 'truncated':
      return sendHalf(connection, response, result)
    case 'no-response':
      connection.isHung = true
      socket.setTimeout(0)
      return
    case 'delayed':
      // However long it takes: the client isn't stalled.
      socket.setTimeout(0)
      return setConnectionTimer(connection, Math.min(result.deliveryFault.ms, MAX_TIMER_MS), () =>
        answer(connection, response, result, rules),
      )
  }
}

function answer(
  connection: Connection,
  response: ServerResponse,
  result: ServiceResponse,
  { isClosing, lingerMs }: DeliveryRules,
): void {
  const { req: request } = response
  if (!request.complete && hasBody(request)) return answerAndClose(connection, response, result, lingerMs)
  const isLast = isClosing() && connection.pending.at(-1) === response
  if (isLast) connection.isEnding = true
  response.writeHead(result.status, headersOf(result, isLast))
  if (isWithoutBody(response)) response.end()
  else response.end(result.body)
}

/** The request is incomplete, so later requests on this connection can't be told apart from its rest. */
function answerAndClose(
  connection: Connection,
  response: ServerResponse,
  result: ServiceResponse,
  lingerMs: number,
): void {
  // The rest of the request failed in the meantime, and that was answered.
  if (response.headersSent) return
  connection.isEnding = true
  response.writeHead(result.status, headersOf(result, true))
  // Don't call `end`: node:http would close the connection.
  if (isWithoutBody(response)) response.flushHeaders()
  else response.write(result.body)
  closeGracefully(connection, lingerMs)
}

/** Announces the full length and sends half of it. */
function sendHalf(connection: Connection, response: ServerResponse, result: ServiceResponse): void {
  if (response.headersSent) return
  connection.isEnding = true
  const bytes = Buffer.from(result.body)
  response.writeHead(result.status, headersOf(result, false))
  if (isWithoutBody(response)) response.flushHeaders()
  else response.write(bytes.subarray(0, bytes.length >> 1))
  connection.socket.destroySoon()
}

/** Statuses without a body (RFC 9110 section 6.4.1). */
const isBodilessStatus = (status: number): boolean => status === 204 || status === 304

/** node:http discards a body for these responses, and may then never send the head. */
const isWithoutBody = ({ req: request, statusCode }: ServerResponse): boolean =>
  request.method === 'HEAD' || isBodilessStatus(statusCode)

/** Alternating names and values, the form that node:http writes fastest. Leaves out the headers of a body that can't be sent. */
function headersOf({ headers, body, status }: ServiceResponse, isLast: boolean): string[] {
  const flat: string[] = []
  for (const name in headers)
    if (name !== 'content-type' || !isBodilessStatus(status)) flat.push(name, headers[name] ?? '')
  if (!isBodilessStatus(status)) flat.push('content-length', String(Buffer.byteLength(body)))
  // Pages bring their own.
  if (headers['x-content-type-options'] === undefined) flat.push(...DATA_HEADERS)
  if (isLast) flat.push('connection', 'close')
  return flat
}

/** Writes a last response without node:http, which has given up the connection. */
export function writeAndClose(
  connection: Connection,
  result: ServiceResponse,
  { date, lingerMs }: { readonly date: Date; readonly lingerMs: number },
): void {
  const { socket } = connection
  if (!socket.writable) return void socket.destroy()
  const head = [`HTTP/1.1 ${result.status} ${STATUS_CODES[result.status] ?? ''}`]
  const headers = [...headersOf(result, true), 'date', date.toUTCString()]
  for (let at = 0; at < headers.length; at += 2) head.push(`${headers[at]}: ${headers[at + 1]}`)
  socket.write(`${head.join('\r\n')}\r\n\r\n${result.body}`)
  closeGracefully(connection, lingerMs)
}
