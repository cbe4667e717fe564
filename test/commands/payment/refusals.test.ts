import { describe, expect, test } from 'vitest'
import { SERVICE_ENV, envelope } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const CREATE = ['payment', 'create', '--token', 'tok_visa']
const GET = ['payment', 'get', 'p1']
const AUTHORIZE = ['payment', 'authorize', 'p1', '--processor-merchant-id', 'm']
const CAPTURE = ['payment', 'capture', 'p1']
const REFUND = ['payment', 'refund', 'p1']
const CANCEL = ['payment', 'cancel', 'p1']
const UPDATE = ['observability', 'update', 'x', '--status', 'SETTLED']
const REDEEM = 'loyalty redeem --connection-id k --customer-id c --order-id o --value 5'.split(' ')
const DELETE = ['instrument', 'delete', 'pm-12345']
const VAULT = ['instrument', 'vault', 'pm-12345', '--customer-id', 'c']
const SESSION = ['session', 'create']

const SESSION_UPDATE = ['session', 'update', '--client-token', 'ct-12345']

const PUSH = [
  'observability',
  'push',
  '--data',
  '{"paymentId":"x","currencyCode":"EUR","processor":{"name":"A"},"amount":1,"createdAt":"2026-01-01T00:00:00Z","order":{"id":"o"},"paymentMethod":{"paymentMethodType":"PAYMENT_CARD"}}',
]

/** Status, errorId, command, exit code. The errorId decides; the status counts only if the errorId is unknown. */
const REFUSALS: readonly (readonly [number, string, readonly string[], number])[] = [
  [401, 'Unauthorized', GET, 4],
  [403, 'Forbidden', REDEEM, 4],
  [422, 'RequestValidationError', SESSION, 3],
  [400, 'ClientSessionValidationError', SESSION_UPDATE, 3],
  [400, 'MetadataContainsEmptyKey', SESSION, 3],
  [400, 'PaymentError', GET, 5],
  [400, 'PaymentError', CAPTURE, 5],
  [400, 'PaymentError', REFUND, 5],
  [400, 'PaymentError', CANCEL, 5],
  [400, 'PaymentError', CREATE, 3],
  [404, 'PaymentNotFoundError', AUTHORIZE, 5],
  [404, 'EntityNotFound', UPDATE, 5],
  [400, 'InvalidPaymentStatus', REFUND, 6],
  [400, 'InvalidPaymentStatus', CAPTURE, 6],
  [400, 'PaymentAlreadyAuthorized', AUTHORIZE, 6],
  [400, 'PaymentIsNotAuthorizedYet', CAPTURE, 6],
  [400, 'MerchantAccountNotFound', AUTHORIZE, 3],
  [400, 'MerchantAccountConflict', AUTHORIZE, 3],
  [422, 'UnprocessableCaptureAmount', CAPTURE, 3],
  [422, 'UnprocessableRefundAmount', REFUND, 3],
  [409, 'PaymentAlreadyRefunded', REFUND, 6],
  [409, 'IdempotencyKeyAlreadyExists', CREATE, 6],
  [400, 'TransactionRequestIdempotencyKeyAlreadyExists', CAPTURE, 6],
  [409, 'PaymentRequestLimitExceeded', REFUND, 6],
  [409, 'EntityAlreadyExists', PUSH, 6],
  [400, 'InvalidPaymentInstrumentToken', DELETE, 5],
  [400, 'FailedVerification', VAULT, 3],
  [400, 'ConnectionNotFound', REDEEM, 5],
  [400, 'PartialCaptureNotSupported', CAPTURE, 3],
  [400, 'InsufficientPoints', REDEEM, 3],
  [400, 'UnsupportedApiVersion', GET, 3],
  [410, 'VersionRetired', SESSION, 3],
  [404, 'NotFound', GET, 5],
  [405, 'MethodNotAllowed', GET, 3],
  [413, 'PayloadTooLarge', SESSION, 3],
  [415, 'UnsupportedMediaType', SESSION, 3],
  [400, 'MalformedJson', SESSION, 3],
  // The errorId overrides the status.
  [422, 'InvalidPaymentStatus', REFUND, 6],
  [404, 'PaymentAlreadyRefunded', REFUND, 6],
  [400, 'Forbidden', GET, 4],
  // The status decides for unknown errorIds.
  [400, 'SomethingNew', REFUND, 3],
  [409, 'SomethingNew', REFUND, 6],
  [404, 'SomethingNew', GET, 5],
  [418, 'SomethingNew', GET, 3],
  [401, 'constructor', GET, 4],
]

test.each(REFUSALS)('%d %s', async (status, errorId, words, exitCode) => {
  const result = await bench.runPay([...words, '--json'], {
    env: SERVICE_ENV,
    service: () => jsonAnswer(status, envelope(errorId), { 'x-request-id': 'req-1' }),
  })
  expect(result).toMatchObject({ exitCode, stdout: '' })
  const lines = result.stderr.trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    error: {
      exitCode,
      httpStatus: status,
      errorId,
      description: `says ${errorId}`,
      diagnosticsId: 'diag-1',
      outcome: 'none',
    },
  })
  // An unknown ID may be an order, which is looked for.
  const isOrderSearch = (url: string) => new URL(url).searchParams.has('order_id')
  expect(result.requests.filter(({ url }) => !isOrderSearch(url))).toHaveLength(1)
})

describe.each([
  [400, 'IncorrectPaymentAuthorizationType', 3],
  [400, 'PaymentIsNotAuthorizedYet', 6],
  [400, 'AdjustAuthorizationNonCardPayment', 3],
  [400, 'AdjustAuthorizationNotSupported', 3],
  [404, 'EntityNotFound', 5],
])('adjust: %d %s', (status, errorId, exitCode) => {
  test(`exits ${exitCode}`, async () => {
    const result = await bench.runPay('payment adjust p1 --amount 5', {
      env: SERVICE_ENV,
      service: ({ method }) =>
        method === 'GET' ? jsonAnswer(200, { id: 'p1', amount: 9 }) : jsonAnswer(status, envelope(errorId)),
    })
    expect(result).toMatchObject({ exitCode, stdout: '' })
  })
})

test.each([300, 301, 302, 304, 307, 308])('refuses a redirect (%d)', async (status) => {
  for (const words of [GET, REFUND]) {
    const result = await bench.runPay([...words, '--json'], {
      env: SERVICE_ENV,
      service: () => ({ status, headers: { location: 'https://elsewhere.example.com/' }, body: '' }),
    })
    expect(result).toMatchObject({ exitCode: 3, stdout: '' })
    expect(result.stderr).toContain('"code":"redirected"')
    expect(result.requests).toHaveLength(1)
  }
})

test.each([
  ['a number', { 'retry-after': '5' }],
  ['an HTTP date in the past', { 'retry-after': 'Sun, 01 Mar 2020 12:00:00 GMT' }],
  ['none', {}],
])('exits 7 if every response is 429, with Retry-After as %s', async (_, headers) => {
  const result = await bench.runPay([...REFUND, '--json'], {
    env: SERVICE_ENV,
    service: () => jsonAnswer(429, {}, headers),
  })
  expect(result).toMatchObject({ exitCode: 7, stdout: '' })
  expect(errorOf(result)).toMatchObject({ outcome: 'none', retryable: true })
  expect(result.requests).toHaveLength(4)
})
