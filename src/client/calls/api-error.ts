import type { ValidationProblem } from '../../errors.ts'
import { jsonOrUndefined } from '../../json/json.ts'
import { isRecord } from '../../json/is-record.ts'

/** The fields of an error body of any shape. All are text from the service: make them safe before printing. */
export interface ErrorBody {
  readonly errorId: string | undefined
  readonly description: string | undefined
  readonly diagnosticsId: string | undefined
  readonly recoverySuggestion: string | undefined
  readonly validationErrors: readonly ValidationProblem[] | undefined
  /** Set by idempotency conflicts: the payment that the key was used for. */
  readonly paymentId: string | undefined
  readonly paymentStatus: string | undefined
}

/** The errorIds that mean "this idempotency key was already processed". */
export const KEY_USED: readonly string[] = [
  'IdempotencyKeyAlreadyExists',
  'TransactionRequestIdempotencyKeyAlreadyExists',
]

const EMPTY: ErrorBody = {
  errorId: undefined,
  description: undefined,
  diagnosticsId: undefined,
  recoverySuggestion: undefined,
  validationErrors: undefined,
  paymentId: undefined,
  paymentStatus: undefined,
}

/** In characters. What explains an error is near the start. */
const MAX_READ_LENGTH = 20_000
/** In characters: enough to recognize an HTML page. The rest of one explains nothing. */
const MAX_TEXT_LENGTH = 300

/** Reads the service's error envelope, another service's JSON, an HTML page, plain text or an empty body. */
export function readErrorBody(body: string): ErrorBody {
  if (body.trim() === '') return EMPTY
  const json = jsonOrUndefined(body)
  if (!isRecord(json)) return { ...EMPTY, description: plainText(body) }
  const inner = isRecord(json['error']) ? json['error'] : json
  const errorId = firstText(inner, ['errorId', 'code', 'error', 'type'])
  return {
    errorId,
    description:
      firstText(inner, ['description', 'message', 'detail', 'title', 'error_description']) ??
      (errorId === undefined ? plainText(body) : undefined),
    diagnosticsId: firstText(inner, ['diagnosticsId', 'requestId', 'traceId']),
    recoverySuggestion: firstText(inner, ['recoverySuggestion']),
    validationErrors: readValidation(inner['validationErrors']),
    paymentId: firstText(inner, ['paymentId']),
    paymentStatus: firstText(inner, ['paymentStatus']),
  }
}

/** Whether the error comes from the service itself: a gateway's error has no errorId. */
export function isEnvelope(body: string): boolean {
  const json = jsonOrUndefined(body)
  if (!isRecord(json)) return false
  const inner = isRecord(json['error']) ? json['error'] : json
  return firstText(inner, ['errorId']) !== undefined
}

function readValidation(value: unknown): readonly ValidationProblem[] | undefined {
  if (!Array.isArray(value)) return undefined
  const problems = value.flatMap((entry: unknown): readonly ValidationProblem[] => {
    if (!isRecord(entry)) return []
    const nested: readonly unknown[] = Array.isArray(entry['errors']) ? entry['errors'] : [entry]
    return nested.flatMap((problem) => {
      if (!isRecord(problem)) return []
      const description = firstText(problem, ['description', 'message'])
      return description === undefined
        ? []
        : [{ path: firstText(problem, ['path', 'field']) ?? '$', description }]
    })
  })
  return problems.length === 0 ? undefined : problems
}

function firstText(record: Readonly<Record<string, unknown>>, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = record[key]
    if (typeof value === 'string' && value !== '') return value.slice(0, 2_000)
    if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  }
  return undefined
}

/** Strips tags, scripts and styles, collapses white space and truncates. */
function plainText(body: string): string {
  const text = body
    .slice(0, MAX_READ_LENGTH)
    .split(/<\/(?:script|style)\s*>/i)
    .map((part, index, { length }) =>
      index === length - 1 ? part : part.replace(/<(?:script|style)\b[^]*$/i, ''),
    )
    .join(' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text
}
