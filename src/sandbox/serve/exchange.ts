import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { problemResponse } from '../answers/response.ts'
import type { ServiceResponse } from '../answers/response.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { Problem } from '../problem.ts'
import type { AllowedHosts } from './allowed-hosts.ts'
import { inTurn, trackResponse } from './connection.ts'
import type { Connection } from './connection.ts'
import { deliver, writeAndClose } from './deliver.ts'
import type { DeliveryRules } from './deliver.ts'
import { LONG_BODY } from './limits.ts'
import { allowHeader, answerServerRoute } from './server-routes.ts'
import type { ServerRouteParts } from './server-routes.ts'
import { hasBody, isDeclaredTooLarge, receiveBody } from './receive-body.ts'
import { withPublishedKey } from './server-keys.ts'
import type { Pages } from './pages.ts'
import type { ServerKeys } from './server-keys.ts'
import type { ErrorId } from '../../api/error-ids.ts'
import { PayError } from '../../errors.ts'
import { systemCode } from '../../system-code.ts'

/** What the server needs from a sandbox. */
export interface RequestHandler {
  /** Rejects only if the sandbox itself can't work. */
  handle(request: ServiceRequest): Promise<ServiceResponse>
}

export interface ExchangeParts {
  readonly sandbox: RequestHandler
  readonly routes: ServerRouteParts
  readonly pages: Pages | undefined
  readonly hosts: AllowedHosts
  readonly keys: ServerKeys | undefined
  readonly rules: DeliveryRules
  readonly now: () => Date
  readonly newId: () => string
  readonly onFailure: (error: unknown) => void
  readonly connectionOf: (socket: Socket) => Connection
  /** A response is sent, or its client is gone. */
  readonly onFinished: (connection: Connection) => void
}

type Body = string | Problem | undefined

/** Answers everything that node:http reports: requests, incomplete requests, and bytes that aren't a request. */
export function answerAll(server: Server, parts: ExchangeParts): void {
  const { sandbox, routes, pages, hosts, keys, rules, now, newId, onFailure, connectionOf } = parts
  const runLongAlone = oneAtATime()

  /** Undefined if the connection already has its last response: later requests aren't processed. */
  function take(request: IncomingMessage, response: ServerResponse): Connection | undefined {
    const connection = connectionOf(request.socket)
    if (connection.isEnding) return undefined
    trackResponse(connection, response, () => parts.onFinished(connection))
    request.on('error', ignore)
    response.on('error', ignore)
    return connection
  }

  function receive(request: IncomingMessage, response: ServerResponse, refused?: Problem): void {
    const connection = take(request, response)
    if (connection === undefined) return
    const finish = (body: Body) => {
      answer(request, body, refused)
        .catch((error: unknown): ServiceResponse => {
          if (!(error instanceof Problem)) onFailure(error)
          return failureResponse(error, newId())
        })
        .then((result) => deliver(connection, response, result, rules))
        .catch((error: unknown) => {
          onFailure(error)
          connection.socket.destroy()
        })
    }
    inTurn(connection, response, () => {
      if (refused === undefined && hasBody(request)) receiveBody(request, finish)
      else finish(undefined)
    })
  }

  // Async, so that a thrown error can't end the process.
  async function answer(
    request: IncomingMessage,
    body: Body,
    refused: Problem | undefined,
  ): Promise<ServiceResponse> {
    if (refused !== undefined) throw refused
    hosts.check(request)
    const sent = asServiceRequest(request, body)
    const translated = keys === undefined ? sent : withPublishedKey(sent, keys)
    const result =
      answerServerRoute(routes, translated) ??
      pages?.respond(translated, newId) ??
      (await (isLong(translated)
        ? runLongAlone(() => sandbox.handle(translated))
        : sandbox.handle(translated)))
    return result.status === 405 ? withFullAllow(result) : result
  }

  function refuseBroken(connection: Connection, problem: Problem): void {
    if (connection.isEnding) return
    connection.isEnding = true
    const result = problemResponse(problem, newId())
    const last = connection.pending.at(-1)
    if (last === undefined || last.req.complete)
      return inTurn(connection, undefined, () => writeAndClose(connection, result, { date: now(), ...rules }))
    // The rest of its body never comes.
    if (connection.pending.length > 1) connection.turns.pop()
    inTurn(connection, last, () => deliver(connection, last, result, rules))
  }

  server.on('request', receive)
  server.on('checkContinue', (request, response) => {
    // A client that waits for `100 Continue` gets a refusal before it sends the body.
    if (!isDeclaredTooLarge(request)) response.writeContinue()
    receive(request, response)
  })
  server.on('checkExpectation', (request, response) => {
    const { expect } = request.headers
    receive(
      request,
      response,
      new Problem('ExpectationFailed', `The expectation ${expect} is not supported.`),
    )
  })
  server.on('connect', (request) =>
    refuseBroken(
      connectionOf(request.socket),
      new Problem('MethodNotAllowed', 'This server is not a proxy: CONNECT is not supported.', { allow: [] }),
    ),
  )
  server.on('clientError', (error, stream) => {
    const problem = problemOfParseError(error)
    if (!(stream instanceof Socket) || problem === undefined) stream.destroy()
    else refuseBroken(connectionOf(stream), problem)
  })
}

const ignore = (): void => undefined

const isLong = ({ body = '' }: ServiceRequest): boolean => body.length > LONG_BODY

function asServiceRequest(request: IncomingMessage, body: Body): ServiceRequest {
  const { method = '', url = '' } = request
  const common = { method: method === 'HEAD' ? 'GET' : method, url, headers: joined(request.headers) }
  return body instanceof Problem ? { ...common, body: undefined, unreadable: body } : { ...common, body }
}

function joined(headers: IncomingHttpHeaders): ServiceRequest['headers'] {
  if (isJoined(headers)) return headers
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]))
}

/** node:http joins every repeated header except this one. */
const isJoined = (headers: IncomingHttpHeaders): headers is Record<string, string> =>
  headers['set-cookie'] === undefined

function withFullAllow(result: ServiceResponse): ServiceResponse {
  const { allow } = result.headers
  if (allow === undefined) return result
  return { ...result, headers: { ...result.headers, allow: allowHeader(allow.split(', ')) } }
}

/** Errors below the level of requests; any other parser error is a `BadRequest`. */
const PROBLEMS: Readonly<Record<string, readonly [ErrorId, string]>> = {
  HPE_HEADER_OVERFLOW: ['HeadersTooLarge', 'The request line and headers are larger than 16 kB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['PayloadTooLarge', 'The extensions of a chunk are larger than 16 kB.'],
  HPE_INVALID_EOF_STATE: ['BadRequest', 'The request is incomplete.'],
  HPE_PAUSED_H2_UPGRADE: ['BadRequest', 'This server speaks HTTP/1.1, not HTTP/2.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['RequestTimeout', 'The request took too long to arrive.'],
}

/** Why a request couldn't be read; undefined if the connection itself failed. */
function problemOfParseError(error: Error): Problem | undefined {
  const code = systemCode(error) ?? ''
  const known = PROBLEMS[code]
  if (known !== undefined) return new Problem(...known)
  if (!code.startsWith('HPE_')) return undefined
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message
  return new Problem('BadRequest', `This is not HTTP/1.1: ${reason}.`)
}

/** The response when the sandbox itself fails; later requests are tried again. */
function failureResponse(error: unknown, requestId: string): ServiceResponse {
  return problemResponse(error instanceof Problem ? error : problemOfFailure(error), requestId)
}

function problemOfFailure(error: unknown): Problem {
  const message = toSentence(error instanceof Error ? error.message : String(error))
  const { hint, outcome } = error instanceof PayError ? error.details : {}
  const more = hint === undefined ? {} : { recoverySuggestion: hint }
  return outcome === 'none'
    ? new Problem('SandboxUnavailable', `${message} Nothing was applied.`, more)
    : new Problem('SandboxFailed', `${message} The request may have been applied.`, more)
}

const toSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

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
