import type { ValidationProblem } from '../errors.ts'

/** Every refusal of the service, with its HTTP status. */
export const PROBLEM_STATUS = {
  NoActionsToHandle: 202,
  MalformedJson: 400,
  ClientSessionValidationError: 400,
  MetadataContainsEmptyKey: 400,
  PaymentError: 400,
  InvalidPaymentStatus: 400,
  PaymentAlreadyAuthorized: 400,
  MerchantAccountNotFound: 400,
  MerchantAccountConflict: 400,
  IncorrectPaymentAuthorizationType: 400,
  PaymentIsNotAuthorizedYet: 400,
  AdjustAuthorizationNonCardPayment: 400,
  AdjustAuthorizationNotSupported: 400,
  InvalidPaymentInstrumentToken: 400,
  FailedVerification: 400,
  ConnectionNotFound: 400,
  PartialCaptureNotSupported: 400,
  InsufficientPoints: 400,
  UnsupportedApiVersion: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  PaymentNotFoundError: 404,
  EntityNotFound: 404,
  MethodNotAllowed: 405,
  VersionRetired: 410,
  PaymentAlreadyRefunded: 409,
  IdempotencyKeyAlreadyExists: 409,
  PaymentRequestLimitExceeded: 409,
  EntityAlreadyExists: 409,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  RequestValidationError: 422,
  UnprocessableCaptureAmount: 422,
  UnprocessableRefundAmount: 422,
} as const

export type ErrorId = keyof typeof PROBLEM_STATUS

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
    this.status = PROBLEM_STATUS[errorId]
    this.details = details
  }
}

/** A body (or query) that the schema or a stated rule refuses. */
export function invalid(problems: readonly ValidationProblem[]): Problem {
  const words = problems.map((problem) => `${problem.path} ${problem.description}`).join('; ')
  return new Problem('RequestValidationError', `The request is not valid: ${words}`, {
    validationErrors: problems,
  })
}
