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

/** An answer is not to be ten times as long as the body that it refuses. */
export const MAX_PROBLEMS = 100

/** A body (or query) that the schema or a stated rule refuses. `total` counts the problems that are not among the given ones too. */
export function invalid(problems: readonly ValidationProblem[], total = problems.length): Problem {
  const reported = problems.slice(0, MAX_PROBLEMS)
  const words = reported.map((problem) => `${problem.path} ${problem.description}`).join('; ')
  const rest = total > reported.length ? `; and ${total - reported.length} more` : ''
  return new Problem('RequestValidationError', `The request is not valid: ${words}${rest}`, {
    validationErrors: reported,
  })
}

/** What names somebody or something cannot be an empty text. */
export function refuseEmpty(required: Readonly<Record<string, string>>): void {
  const empty = Object.keys(required).filter((name) => required[name] === '')
  if (empty.length > 0)
    throw invalid(empty.map((name) => ({ path: `$.${name}`, description: 'must not be empty' })))
}
