/** The exit codes, which scripts rely on; see `docs/reference/exit-codes.md`. */
export const EXIT = {
  done: 0,
  internal: 1,
  usage: 2,
  rejected: 3,
  auth: 4,
  notFound: 5,
  conflict: 6,
  rateLimited: 7,
  notFinished: 8,
  notConnected: 9,
  outcomeUnknown: 10,
  serverFault: 11,
  limit: 12,
  declined: 13,
  bulk: 14,
  interrupted: 130,
  terminated: 143,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The known effect on the service. `unknown`: the request was sent without a usable response. */
export type Outcome = 'none' | 'applied' | 'unknown'

/** One problem in a body, in the words of the service. `path` is JSONPath, such as `$.amount`. */
export interface ValidationProblem {
  readonly path: string
  readonly description: string
}

/** The description of a required field that is missing. */
export const IS_REQUIRED = 'is required'

/** The fields of the service's `statusReason`; see spec 2.1 for their values. */
export interface DeclineReason {
  readonly type?: string | undefined
  readonly declineType?: string | undefined
  readonly code?: string | undefined
  readonly message?: string | undefined
}

/** Optional facts about an error; undefined fields are left out of the JSON form. */
export interface ErrorDetails {
  readonly hint?: string | undefined
  readonly httpStatus?: number | undefined
  readonly errorId?: string | undefined
  readonly description?: string | undefined
  readonly diagnosticsId?: string | undefined
  readonly validationErrors?: readonly ValidationProblem[] | undefined
  /** The message without the problem, if the message ends with the only entry of `validationErrors`. */
  readonly headline?: string | undefined
  /** Id of the payment. For a used idempotency key: the payment that the key was used for. */
  readonly paymentId?: string | undefined
  readonly paymentStatus?: string | undefined
  /** Why the payment or refund was declined or failed, in the service's words. */
  readonly reason?: DeclineReason | undefined
  readonly operation?: string | undefined
  readonly operationId?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly outcome?: Outcome | undefined
  readonly retryable?: boolean | undefined
  /** The service's `Retry-After` header, unparsed. */
  readonly retryAfter?: string | undefined
  /** The ledger's file, which the message names. */
  readonly ledgerPath?: string | undefined
  /** Commands to run next, without secrets. */
  readonly next?: readonly string[] | undefined
  readonly cause?: unknown
}

/**
 * An error that a person or a script can act on.
 * `code` is from the closed list in `docs/reference/errors.md`; `exitCode` from {@link EXIT}.
 */
export class PayError extends Error {
  readonly code: string
  readonly exitCode: ExitCode
  readonly details: ErrorDetails

  constructor(code: string, exitCode: ExitCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = new.target.name
    this.code = code
    this.exitCode = exitCode
    this.details = details
  }
}

/** The command can't be run as typed; nothing was sent. Exit 2. */
export class UsageError extends PayError {
  constructor(message: string, details: ErrorDetails & { readonly code?: string } = {}) {
    const { code, ...rest } = details
    super(code ?? 'usage', EXIT.usage, message, rest)
  }
}

/** The API key is missing; nothing was sent. Exit 4. */
export class AuthError extends PayError {
  constructor(message: string, details: ErrorDetails & { readonly code?: string } = {}) {
    const { code, ...rest } = details
    super(code ?? 'no_key', EXIT.auth, message, { outcome: 'none', ...rest })
  }
}

/** A limit of the profile forbids the call; nothing was sent. Exit 12. */
export class LimitError extends PayError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('profile_limit', EXIT.limit, message, { outcome: 'none', ...details })
  }
}

/** The operation was already done for this ticket; this call did nothing. Exit 6. */
export class AlreadyDoneError extends PayError {
  /** The payment that it changed or created. */
  readonly paymentId: string | undefined

  constructor(message: string, details: ErrorDetails & { readonly paymentId: string | undefined }) {
    super('already_done', EXIT.conflict, message, { outcome: 'none', retryable: false, ...details })
    this.paymentId = details.paymentId
  }
}

/** The same operation was done a few minutes ago; nothing was sent. Exit 6. */
export class DuplicateError extends PayError {
  /** Completes "The same was …": "done 2 minutes ago by anna (a refund of 5.00 EUR)". */
  readonly earlierWrite: string
  /** How many effects the payment shows that this ledger doesn't know. */
  readonly unknownEffects: number

  constructor(done: string, details: ErrorDetails, unknownEffects = 0) {
    super('duplicate', EXIT.conflict, `Nothing was sent: the same write was ${done}`, details)
    this.earlierWrite = done
    this.unknownEffects = unknownEffects
  }
}

/** The user or the system stopped the command, and no outcome is unknown. Exit 130 or 143. */
export class InterruptedError extends PayError {
  constructor(
    signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP',
    message = 'Interrupted: nothing was sent.',
    details: ErrorDetails = { outcome: 'none' },
  ) {
    super('interrupted', signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated, message, details)
  }
}

/** The error for a signal that leaves no outcome unknown; `stop.reason` is the signal's name. */
export function interruptedBy(stop: AbortSignal, message?: string, details?: ErrorDetails): InterruptedError {
  const { reason }: { readonly reason: unknown } = stop
  const signal = reason === 'SIGTERM' || reason === 'SIGHUP' ? reason : 'SIGINT'
  return new InterruptedError(signal, message, details)
}

/** Whether a signal ended the command, so that the error must be passed on unchanged. */
export const isInterruption = (error: unknown): boolean => error instanceof InterruptedError

/** The words of whatever was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)
