import { expect, test } from 'vitest'
import { REFUSAL_CODES, refusalOf } from '../../../src/client/calls/refusal.ts'

const exitOf = (status: number, errorId?: string, hasPaymentId = true) =>
  refusalOf(status, errorId, hasPaymentId).exitCode

test.each([
  [401, 'Unauthorized', 4],
  [403, 'Forbidden', 4],
  [422, 'RequestValidationError', 3],
  [400, 'ClientSessionValidationError', 3],
  [400, 'MetadataContainsEmptyKey', 3],
  [404, 'PaymentNotFoundError', 5],
  [404, 'EntityNotFound', 5],
  [400, 'InvalidPaymentStatus', 6],
  [400, 'PaymentAlreadyAuthorized', 6],
  [400, 'PaymentIsNotAuthorizedYet', 6],
  [400, 'MerchantAccountNotFound', 3],
  [400, 'MerchantAccountConflict', 3],
  [400, 'IncorrectPaymentAuthorizationType', 3],
  [400, 'AdjustAuthorizationNonCardPayment', 3],
  [400, 'AdjustAuthorizationNotSupported', 3],
  [422, 'UnprocessableCaptureAmount', 3],
  [422, 'UnprocessableRefundAmount', 3],
  [409, 'PaymentAlreadyRefunded', 6],
  [409, 'IdempotencyKeyAlreadyExists', 6],
  [400, 'TransactionRequestIdempotencyKeyAlreadyExists', 6],
  [409, 'PaymentRequestLimitExceeded', 6],
  [409, 'EntityAlreadyExists', 6],
  [400, 'InvalidPaymentInstrumentToken', 5],
  [400, 'ConnectionNotFound', 5],
  [400, 'FailedVerification', 3],
  [400, 'PartialCaptureNotSupported', 3],
  [400, 'InsufficientPoints', 3],
  [400, 'UnsupportedApiVersion', 3],
  [410, 'VersionRetired', 3],
  [404, 'NotFound', 5],
  [405, 'MethodNotAllowed', 3],
  [413, 'PayloadTooLarge', 3],
  [415, 'UnsupportedMediaType', 3],
  [400, 'MalformedJson', 3],
])('%i %s is exit %i', (status, errorId, exitCode) => {
  expect(exitOf(status, errorId)).toBe(exitCode)
})

test('an unknown payment is 5, and a payment that could not be created is 3, though both are PaymentError', () => {
  expect(exitOf(400, 'PaymentError', true)).toBe(5)
  expect(exitOf(400, 'PaymentError', false)).toBe(3)
})

test.each([
  [300, 3],
  [302, 3],
  [304, 3],
  [399, 3],
  [400, 3],
  [401, 4],
  [403, 4],
  [404, 5],
  [405, 3],
  [409, 6],
  [410, 3],
  [422, 3],
  [429, 7],
  [451, 3],
])('without a known errorId the status decides: %i is exit %i', (status, exitCode) => {
  for (const errorId of [undefined, 'SomethingNew', 'constructor', '__proto__', 'toString'])
    expect(exitOf(status, errorId)).toBe(exitCode)
})

test('every code that can come out is on the closed list', () => {
  const ids = [undefined, 'PaymentError', 'InvalidPaymentStatus', 'EntityNotFound']
  for (const status of [302, 400, 401, 403, 404, 409, 422, 429])
    for (const id of ids)
      for (const hasPaymentId of [true, false])
        expect(REFUSAL_CODES).toContain(refusalOf(status, id, hasPaymentId).code)
})

test('what was not found is named by what was asked for', () => {
  expect(refusalOf(404, 'EntityNotFound', true)).toMatchObject({
    code: 'payment_not_found',
    exitCode: 5,
    message: 'There is no such payment',
  })
  expect(refusalOf(404, 'EntityNotFound', false)).toMatchObject({
    code: 'not_found',
    exitCode: 5,
    message: 'There is no such record',
  })
  expect(refusalOf(400, 'InvalidPaymentInstrumentToken', false).message).toBe(
    'There is no payment method with this token',
  )
})
