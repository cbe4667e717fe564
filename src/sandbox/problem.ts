import { ERROR_STATUS } from '../api/error-ids.ts'
import type { ErrorId } from '../api/error-ids.ts'
import type { ValidationProblem } from '../errors.ts'

export interface ProblemDetails {
  readonly recoverySuggestion?: string
  readonly validationErrors?: readonly ValidationProblem[]
  /** For idempotency conflicts: what the first call made. */
  readonly payment?: { readonly paymentId: string; readonly paymentStatus: string }
  /** For 405. */
  readonly allow?: readonly string[]
}

/** A refusal on its way to the caller as an error envelope. */
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

/** A body (or query) that the schema or a stated rule refuses. */
export function invalid(problems: readonly ValidationProblem[]): Problem {
  const told = problems.slice(0, MAX_TOLD)
  const words = told.map((problem) => `${problem.path} ${problem.description}`).join('; ')
  const rest = problems.length > MAX_TOLD ? `; and ${problems.length - MAX_TOLD} more` : ''
  return new Problem('RequestValidationError', `The request is not valid: ${words}${rest}`, {
    validationErrors: told,
  })
}

/** What names somebody or something cannot be an empty text. */
export function refuseEmpty(required: Readonly<Record<string, string>>): void {
  const empty = Object.keys(required).filter((name) => required[name] === '')
  if (empty.length > 0)
    throw invalid(empty.map((name) => ({ path: `$.${name}`, description: 'must not be empty' })))
}

/** An answer is not to be ten times as long as the body that it refuses. */
const MAX_TOLD = 100
