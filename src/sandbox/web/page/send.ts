import { isRecord } from '../../../is-record.ts'
import { JsonError } from '../../../json/json-error.ts'
import { parseJson, stringifyJson } from '../../../json/json.ts'
import { exchange } from './exchange.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import { NO_RESPONSE, ServiceError } from './service-error.ts'
import type { FieldProblem } from './service-error.ts'

export interface Sent {
  readonly method: string
  /** Such as `/payments/p1`; percent-encoded by the caller. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON; undefined sends no body. */
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/**
 * Sends one request to the sandbox that serves this page, and returns its JSON, every digit kept.
 * @throws {ServiceError} for a refusal, and with status 0 for a lost or unreadable response
 */
export async function send<T>({ method, path, query = {}, headers, body, signal }: Sent): Promise<T> {
  const { status, text } = await receive({
    method,
    url: `${path}${writeQuery(query)}`,
    headers,
    body: body === undefined ? undefined : stringifyJson(body),
    signal,
  })
  const json = readJson(text, status)
  if (isRecord(json) && isRecord(json['error'])) throw refusal(status, json['error'])
  // Its shape isn't checked: the sandbox that serves this page has the same version as the page.
  const isSuccess = (answer: unknown): answer is T => answer !== undefined && status >= 200 && status <= 299
  if (!isSuccess(json)) throw unreadable(status)
  return json
}

async function receive(request: Outgoing): Promise<Incoming> {
  try {
    return await exchange(request)
  } catch (error) {
    if (request.signal?.aborted === true) throw error
    throw new ServiceError(
      {
        status: NO_RESPONSE,
        errorId: 'NoResponse',
        description: 'The sandbox did not respond.',
        recoverySuggestion: 'Check that it is running: pay sandbox status',
      },
      { cause: error },
    )
  }
}

/** `?a=b`, without undefined values; empty if there are none. */
export function writeQuery(query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

function readJson(text: string, status: number): unknown {
  try {
    return parseJson(text, { duplicateKeys: 'last' })
  } catch (error) {
    if (error instanceof JsonError) throw unreadable(status, error)
    throw error
  }
}

/** A success that can't be read may have been applied; a failure keeps its status. */
const unreadable = (status: number, cause?: unknown) =>
  new ServiceError(
    {
      status: status >= 200 && status <= 299 ? NO_RESPONSE : status,
      errorId: 'UnreadableResponse',
      description: `The sandbox sent a response (HTTP ${status}) that can't be read.`,
    },
    { cause },
  )

function refusal(status: number, error: Readonly<Record<string, unknown>>): ServiceError {
  const problems = Array.isArray(error['validationErrors']) ? error['validationErrors'] : []
  return new ServiceError({
    status,
    errorId: textOf(error['errorId']) ?? 'Unknown',
    description: textOf(error['description']) ?? `The sandbox refused this (HTTP ${status}).`,
    recoverySuggestion: textOf(error['recoverySuggestion']),
    validationErrors: problems.flatMap(readProblems),
  })
}

function readProblems(model: unknown): readonly FieldProblem[] {
  if (!isRecord(model) || !Array.isArray(model['errors'])) return []
  return model['errors'].flatMap((problem: unknown) =>
    isRecord(problem)
      ? [
          {
            path: textOf(problem['path']) ?? '$',
            description: textOf(problem['description']) ?? 'is invalid',
          },
        ]
      : [],
  )
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
