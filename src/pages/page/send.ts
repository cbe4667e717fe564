import { isRecord } from '../../json/is-record.ts'
import { JsonError } from '../../json/json-error.ts'
import { parseJson, stringifyJson } from '../../json/json.ts'

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
 * Sends one request to the sandbox that serves this page, and returns its JSON, every digit kept. No cookie, cache, redirect
 * or referrer is involved.
 * @throws {ServiceError} for a refusal, and with status 0 for a lost or unreadable response
 */
export async function send<T>({ method, path, query = {}, headers, body, signal }: Sent): Promise<T> {
  const { response, text } = await receive(`${path}${writeQuery(query)}`, {
    method,
    headers: {
      'X-Api-Version': '2.1',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : stringifyJson(body),
    signal: signal ?? null,
    ...PRIVATELY,
  })
  const json = readJson(text, response)
  if (isRecord(json) && isRecord(json['error'])) throw refusal(response, json['error'])
  // Its shape isn't checked: the sandbox that serves this page has the same version as the page.
  const isSuccess = (answer: unknown): answer is T => answer !== undefined && response.ok
  if (!isSuccess(json)) throw unreadable(response)
  return json
}

const PRIVATELY = {
  cache: 'no-store',
  credentials: 'omit',
  redirect: 'error',
  referrerPolicy: 'no-referrer',
} as const

async function receive(url: string, init: RequestInit) {
  try {
    const response = await fetch(url, init)
    return { response, text: await response.text() }
  } catch (error) {
    if (init.signal?.aborted === true) throw error
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
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  return given.size === 0 ? '' : `?${given.toString()}`
}

function readJson(text: string, response: Response): unknown {
  try {
    return parseJson(text, { duplicateKeys: 'last' })
  } catch (error) {
    if (error instanceof JsonError) throw unreadable(response, error)
    throw error
  }
}

/** The error for a response that can't be read. A success may have been applied; a failure keeps its status. */
const unreadable = (response: Response, cause?: unknown) =>
  new ServiceError(
    {
      status: response.ok ? NO_RESPONSE : response.status,
      errorId: 'UnreadableResponse',
      description: `The sandbox sent a response (HTTP ${response.status}) that can't be read.`,
      retryAfterMs: retryAfterMs(response),
    },
    { cause },
  )

function refusal(response: Response, error: Readonly<Record<string, unknown>>): ServiceError {
  const problems = Array.isArray(error['validationErrors']) ? error['validationErrors'] : []
  return new ServiceError({
    status: response.status,
    errorId: textOf(error['errorId']) ?? 'Unknown',
    description: textOf(error['description']) ?? `The sandbox refused this (HTTP ${response.status}).`,
    recoverySuggestion: textOf(error['recoverySuggestion']),
    paymentId: textOf(error['paymentId']),
    validationErrors: problems.flatMap(readProblems),
    retryAfterMs: retryAfterMs(response),
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

/** The wait that the service asks for, in milliseconds; 0 for a date, or if there is none. */
const retryAfterMs = ({ headers }: Response): number => Number(headers.get('retry-after') ?? 0) * 1000 || 0

/** The status of a request without a usable response. */
export const NO_RESPONSE = 0

interface FieldProblem {
  readonly path: string
  readonly description: string
}

interface ServiceErrorFacts {
  /** HTTP status; {@link NO_RESPONSE} if the response was lost or unreadable, so the request may have been applied. */
  readonly status: number
  readonly errorId: string
  readonly description: string
  readonly recoverySuggestion?: string | undefined
  readonly validationErrors?: readonly FieldProblem[] | undefined
  /** The earlier payment that prevents this one. */
  readonly paymentId?: string | undefined
  readonly retryAfterMs?: number
}

/** A refusal in the service's words, or a lost response. */
export class ServiceError extends Error {
  readonly status: number
  readonly errorId: string
  readonly description: string
  readonly recoverySuggestion: string | undefined
  readonly validationErrors: readonly FieldProblem[]
  readonly paymentId: string | undefined
  readonly retryAfterMs: number

  constructor(facts: ServiceErrorFacts, options?: ErrorOptions) {
    super(facts.description, options)
    this.name = 'ServiceError'
    this.status = facts.status
    this.errorId = facts.errorId
    this.description = facts.description
    this.recoverySuggestion = facts.recoverySuggestion
    this.validationErrors = facts.validationErrors ?? []
    this.paymentId = facts.paymentId
    this.retryAfterMs = facts.retryAfterMs ?? 0
  }
}

/** 128 random bits, after the page that sends them. `crypto.randomUUID` exists only on loopback and over https. */
export function newIdempotencyKey(page: 'dashboard' | 'checkout'): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `${page}-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
