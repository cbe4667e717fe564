/** A request without a usable response has this status. */
export const NO_RESPONSE = 0

export interface FieldProblem {
  readonly path: string
  readonly description: string
}

export interface ServiceErrorFacts {
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
