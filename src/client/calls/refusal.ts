import { EXIT } from '../../errors.ts'
import type { ExitCode } from '../../errors.ts'

export interface Refusal {
  readonly code: string
  readonly exitCode: ExitCode
  readonly message: string
}

const rejected = (code: string, message: string): Refusal => ({ code, exitCode: EXIT.rejected, message })
const notFound = (code: string, message: string): Refusal => ({ code, exitCode: EXIT.notFound, message })
const conflict = (code: string, message: string): Refusal => ({ code, exitCode: EXIT.conflict, message })

/** Takes precedence over the status, because the errorId is more specific. */
const BY_ERROR_ID: Readonly<Record<string, Refusal>> = {
  Unauthorized: { code: 'unauthorized', exitCode: EXIT.auth, message: 'The API key was refused' },
  Forbidden: { code: 'forbidden', exitCode: EXIT.auth, message: 'The API key may not do this' },
  RequestValidationError: rejected('invalid_request', 'The service refused the request as invalid'),
  ClientSessionValidationError: rejected(
    'invalid_client_token',
    'The client token is unknown, damaged or expired',
  ),
  MetadataContainsEmptyKey: rejected('invalid_request', 'A metadata key is empty'),
  PaymentNotFoundError: notFound('payment_not_found', 'There is no such payment'),
  EntityNotFound: notFound('not_found', 'There is no such record'),
  InvalidPaymentStatus: conflict('invalid_status', "The payment's status does not allow this"),
  PaymentAlreadyAuthorized: conflict('already_authorized', 'The payment is authorized already'),
  PaymentIsNotAuthorizedYet: conflict('not_authorized_yet', 'The payment is not authorized'),
  MerchantAccountNotFound: rejected(
    'merchant_account_not_found',
    'No processor account has that processorMerchantId',
  ),
  MerchantAccountConflict: rejected(
    'merchant_account_ambiguous',
    'Several processors share that processorMerchantId: name one with --processor',
  ),
  IncorrectPaymentAuthorizationType: rejected(
    'not_estimated',
    'The payment was not created with authorizationType ESTIMATED',
  ),
  AdjustAuthorizationNonCardPayment: rejected('not_a_card', 'Only card payments can be adjusted'),
  AdjustAuthorizationNotSupported: rejected(
    'adjust_not_supported',
    'The processor cannot adjust this payment',
  ),
  UnprocessableCaptureAmount: rejected(
    'capture_exceeds_remaining',
    'The amount is more than what is left of the authorization',
  ),
  UnprocessableRefundAmount: rejected(
    'refund_exceeds_remaining',
    'The amount is more than what is left to refund',
  ),
  PaymentAlreadyRefunded: conflict('already_refunded', 'Nothing is left to refund'),
  IdempotencyKeyAlreadyExists: conflict(
    'idempotency_key_used',
    'An earlier call with this idempotency key was processed, and this one did nothing',
  ),
  TransactionRequestIdempotencyKeyAlreadyExists: conflict(
    'idempotency_key_used',
    'An earlier call with this idempotency key was processed, and this one did nothing',
  ),
  PaymentRequestLimitExceeded: conflict('too_many_failures', 'Too many failed calls on this payment'),
  EntityAlreadyExists: conflict('already_exists', 'A record with that paymentId exists'),
  InvalidPaymentInstrumentToken: notFound(
    'saved_method_not_found',
    'There is no payment method with this token',
  ),
  ConnectionNotFound: notFound('connection_not_found', 'There is no such loyalty connection'),
  FailedVerification: rejected('verification_failed', 'The payment method could not be verified'),
  PartialCaptureNotSupported: rejected(
    'partial_capture_not_supported',
    'The processor can only capture the full amount',
  ),
  InsufficientPoints: rejected('insufficient_points', 'The customer does not have that many points'),
  UnsupportedApiVersion: rejected('unsupported_api_version', 'The service does not know that API version'),
  VersionRetired: rejected('version_retired', 'The service has retired that API version'),
}

/** Maps a refusal (3xx or 4xx) to our closed list of codes and to its exit code. */
export function refusalOf(status: number, errorId: string | undefined, hasPaymentId: boolean): Refusal {
  if (errorId === 'PaymentError') {
    return hasPaymentId
      ? notFound('payment_not_found', 'There is no such payment')
      : rejected('payment_not_created', 'The payment could not be created')
  }
  // `payment.adjust` returns this ID for a payment, the record operations for a record.
  if (errorId === 'EntityNotFound' && hasPaymentId)
    return notFound('payment_not_found', 'There is no such payment')
  const known =
    errorId !== undefined && Object.hasOwn(BY_ERROR_ID, errorId) ? BY_ERROR_ID[errorId] : undefined
  return known ?? byStatus(status)
}

function byStatus(status: number): Refusal {
  if (status >= 300 && status < 400) {
    return rejected(
      'redirected',
      `The server redirects (${status}), and redirects are never followed: check the base URL`,
    )
  }
  switch (status) {
    case 401:
      return { code: 'unauthorized', exitCode: EXIT.auth, message: 'The API key was refused' }
    case 403:
      return { code: 'forbidden', exitCode: EXIT.auth, message: 'The API key may not do this' }
    case 404:
      return notFound('not_found', 'Not found')
    case 409:
      return conflict('conflict', 'The service refused: the request conflicts with existing data')
    case 429:
      return {
        code: 'rate_limited',
        exitCode: EXIT.rateLimited,
        message: 'The service asks to slow down (429)',
      }
    default:
      return rejected('rejected', `The service refused the request (${status})`)
  }
}

/** Every code that {@link refusalOf} returns, for the reference. */
export const REFUSAL_CODES: readonly string[] = [
  ...new Set([
    ...Object.values(BY_ERROR_ID).map((refusal) => refusal.code),
    'payment_not_created',
    'redirected',
    'conflict',
    'rate_limited',
    'rejected',
  ]),
]
