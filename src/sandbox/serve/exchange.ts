import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { problemResponse } from '../answers/response.ts'
import type { ServiceResponse } from '../answers/response.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { Problem } from '../problem.ts'
import type { AllowedHosts } from './allowed-hosts.ts'
import { LONG_BODY } from './limits.ts'
import { answerServerRoute } from './server-routes.ts'
import type { ServerRouteParts } from './server-routes.ts'
import { withPublishedKey } from './server-keys.ts'
import type { Pages } from './pages.ts'
import type { ServerKeys } from './server-keys.ts'
import { messageOf, PayError } from '../../errors.ts'
import { MAX_TIMER_MS } from '../../text/duration.ts'
import { DATA_HEADERS } from './page-headers.ts'
import type { Body } from './connections.ts'

/** The part of a sandbox that the server needs. */
export interface RequestHandler {
  /** Answers a request. Rejects only if the sandbox itself can't work. */
  handle(request: ServiceRequest): Promise<ServiceResponse>
}

interface ExchangeParts {
  readonly sandbox: RequestHandler
  readonly routes: ServerRouteParts
  readonly pages: Pages | undefined
  readonly hosts: AllowedHosts
  readonly keys: ServerKeys | undefined
  readonly newId: () => string
  readonly onFailure: (error: unknown) => void
  /** Called with a connection that never gets its response. */
  readonly onHang: (socket: Socket) => void
}

/** Answers requests, each with what its body is. Resolves when the response is written, or will never be. */
export function answerWith({ sandbox, routes, pages, hosts, keys, newId, onFailure, onHang }: ExchangeParts) {
  const runLongAlone = oneAtATime()

  // Async, so that a thrown error can't end the process.
  async function respond(request: IncomingMessage, body: Body): Promise<ServiceResponse> {
    checkHttpVersion(request)
    hosts.check(request)
    const sent = asServiceRequest(request, body)
    const translated = keys === undefined ? sent : withPublishedKey(sent, keys)
    return (
      answerServerRoute(routes, translated) ??
      pages?.respond(translated, newId) ??
      (isLong(translated) ? runLongAlone(() => sandbox.handle(translated)) : sandbox.handle(translated))
    )
  }

  return async (request: IncomingMessage, response: ServerResponse, body: Body): Promise<void> => {
    try {
      const result = await respond(request, body).catch((error: unknown): ServiceResponse => {
        if (!(error instanceof Problem)) onFailure(error)
        return failureResponse(error, newId())
      })
      deliver(response, result, onHang)
    } catch (error) {
      onFailure(error)
      request.socket.destroy()
    }
  }
}

/** Checks the version: the parser of node:http accepts 0.9 and 2.0 in a request line, too. */
function checkHttpVersion({ httpVersion, httpVersionMajor }: IncomingMessage): void {
  if (httpVersionMajor !== 1)
    throw new Problem('BadRequest', `HTTP/${httpVersion} is not supported.`, {
      recoverySuggestion: 'Send HTTP/1.1.',
    })
}

const isLong = ({ body = '' }: ServiceRequest): boolean => body.length > LONG_BODY

function asServiceRequest(request: IncomingMessage, body: Body): ServiceRequest {
  const { method = '', url = '' } = request
  const common = { method: method === 'HEAD' ? 'GET' : method, url, headers: textsIn(request.headers) }
  return body instanceof Problem ? { ...common, body: undefined, unreadable: body } : { ...common, body }
}

/** The headers as text: node:http joins every repeated header except Set-Cookie. */
const textsIn = (headers: IncomingHttpHeaders): ServiceRequest['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** The response when the sandbox itself fails; later requests are tried again. */
function failureResponse(error: unknown, requestId: string): ServiceResponse {
  return problemResponse(error instanceof Problem ? error : problemOfFailure(error), requestId)
}

function problemOfFailure(error: unknown): Problem {
  const message = toSentence(messageOf(error))
  const { hint, outcome } = error instanceof PayError ? error.details : {}
  const more = hint === undefined ? {} : { recoverySuggestion: hint }
  return outcome === 'none'
    ? new Problem('SandboxUnavailable', `${message} Nothing was applied.`, more)
    : new Problem('SandboxFailed', `${message} The request may have been applied.`, more)
}

const toSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Sends a response, or carries out its delivery fault. `hang` is told of a connection that never gets its response. */
function deliver(response: ServerResponse, result: ServiceResponse, hang: (socket: Socket) => void): void {
  const { socket } = response.req
  switch (result.deliveryFault?.kind) {
    case undefined:
      return answer(response, result)
    case 'refused':
      return void socket.resetAndDestroy()
    case 'dropped':
      return socket.destroySoon()
    case 'truncated': {
      // Announces the full length.
      const bytes = Buffer.from(result.body)
      response.writeHead(result.status, headersOf(result))
      response.write(bytes.subarray(0, bytes.length >> 1))
      return socket.destroySoon()
    }
    case 'no-response':
      socket.setTimeout(0)
      return hang(socket)
    case 'delayed': {
      // However long it takes: the client isn't stalled.
      socket.setTimeout(0)
      const ms = Math.min(result.deliveryFault.ms, MAX_TIMER_MS)
      const timer = setTimeout(() => answer(response, result), ms)
      response.on('close', () => clearTimeout(timer))
    }
  }
}

function answer(response: ServerResponse, result: ServiceResponse): void {
  response.writeHead(result.status, headersOf(result))
  response.end(result.body)
}

const headersOf = ({ headers, body }: ServiceResponse) => ({
  ...headers,
  'content-length': Buffer.byteLength(body),
  // Pages bring their own.
  ...(headers['x-content-type-options'] === undefined ? DATA_HEADERS : {}),
})

/**
 * Runs work in sequence. Each piece starts after the previous one has settled and the event loop has handled other input, so
 * long pieces delay everything else once instead of adding up.
 */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.then(nextTurn, nextTurn)
    return result
  }
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })
