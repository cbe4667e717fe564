import { ERROR_STATUS } from '../api/error-ids.ts'
import type { ErrorId } from '../api/error-ids.ts'
import type { ValidationProblem } from '../errors.ts'

interface ProblemDetails {
  readonly recoverySuggestion?: string
  readonly validationErrors?: readonly ValidationProblem[]
  /** The payment that the first call created, for idempotency conflicts. */
  readonly payment?: { readonly paymentId: string; readonly paymentStatus: string }
  /** The methods of the path, for 405. */
  readonly allow?: readonly string[]
}

/** A refusal, thrown until it becomes an error response. */
export class Problem extends Error {
  readonly errorId: ErrorId
  readonly status: number
  readonly details: ProblemDetails

  constructor(errorId: ErrorId, description: string, details: ProblemDetails = {}) {
    super(description)
    this.name = 'Problem'
    this.errorId = errorId
    this.status = ERROR_STATUS[errorId]
    this.details = details
  }
}

/** The most problems in one response, so that it doesn't grow to many times the size of the body it refuses. */
export const MAX_PROBLEMS = 100

/**
 * A body or query that breaks the schema or a documented rule. `total` includes problems beyond those given.
 */
export function invalid(problems: readonly ValidationProblem[], total = problems.length): Problem {
  const reported = problems.slice(0, MAX_PROBLEMS)
  const list = reported.map((problem) => `${problem.path} ${problem.description}`).join('; ')
  const rest = total > reported.length ? `; and ${total - reported.length} more` : ''
  return new Problem('RequestValidationError', `The request is not valid: ${list}${rest}`, {
    validationErrors: reported,
  })
}

/** Cuts a text for errors and log lines, because clients can send text of any length. */
export const truncate = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text
