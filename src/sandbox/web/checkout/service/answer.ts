import { isRecord } from '../../../../is-record.ts'

/** The outcome of a request. */
export type Answer =
  | { readonly kind: 'done'; readonly body: unknown }
  /** Not carried out, and why. */
  | ({ readonly kind: 'refused' } & Refusal)
  /** No usable response: the request may or may not have been carried out. */
  | { readonly kind: 'lost'; readonly why: string; readonly retryAfterMs?: number }

export interface Refusal {
  readonly status: number
  readonly errorId: string
  readonly description: string
  readonly suggestion: string | undefined
  /** The earlier payment that prevents this one. */
  readonly paymentId: string | undefined
}

/** Sends requests to the sandbox. Never rejects. */
export interface Client {
  send(
    method: 'GET' | 'POST',
    path: string,
    options?: { readonly body?: object; readonly idempotencyKey?: string },
  ): Promise<Answer>
}

/** Judges a complete response. A server error leaves open whether the request was carried out. */
export function readAnswer(status: number, text: string, retryAfter: string | null): Answer {
  const body = parse(text)
  if (status >= 200 && status < 300 && status !== 202)
    return body === undefined
      ? { kind: 'lost', why: 'The service sent an unreadable response.' }
      : { kind: 'done', body }
  if (status >= 500 || status === 429 || status === 408) {
    const why = `The service responded with an error (${status}).`
    const seconds = Number(retryAfter ?? '')
    return seconds > 0 ? { kind: 'lost', why, retryAfterMs: seconds * 1000 } : { kind: 'lost', why }
  }
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {}
  return {
    kind: 'refused',
    status,
    errorId: textOf(error['errorId']) ?? `HTTP ${status}`,
    description: textOf(error['description']) ?? `The service refused the request (${status}).`,
    suggestion: textOf(error['recoverySuggestion']),
    paymentId: textOf(error['paymentId']),
  }
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const wholeOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
