import { expect, test } from 'vitest'
import { readAnswer } from '../../../../../src/sandbox/web/checkout/service/answer.ts'
import {
  readOrder,
  readSavedMethods,
  readTerms,
} from '../../../../../src/sandbox/web/checkout/service/details.ts'
import { outcomeOf, readPayment } from '../../../../../src/sandbox/web/checkout/service/payment.ts'

test.each([
  [200, '{"id":"p1"}', null, { kind: 'done', body: { id: 'p1' } }],
  [200, '{"id":', null, { kind: 'lost' }],
  [200, '<html>', null, { kind: 'lost' }],
  [202, '{"error":{"errorId":"NoActionsToHandle"}}', null, { kind: 'refused', errorId: 'NoActionsToHandle' }],
  [
    500,
    '{"error":{"errorId":"X"}}',
    null,
    { kind: 'lost', why: 'The service responded with an error (500).' },
  ],
  [503, '', '7', { kind: 'lost', retryAfterMs: 7000 }],
  [429, '', null, { kind: 'lost' }],
  [429, '', 'Wed, 21 Oct 2026 07:28:00 GMT', { kind: 'lost' }],
  [408, '', null, { kind: 'lost' }],
  [
    400,
    '',
    null,
    { kind: 'refused', errorId: 'HTTP 400', description: 'The service refused the request (400).' },
  ],
  [304, '', null, { kind: 'refused' }],
  [
    409,
    '{"error":{"errorId":"PaymentRequestLimitExceeded","description":"No.","paymentId":"p1","recoverySuggestion":"Stop."}}',
    null,
    { kind: 'refused', status: 409, paymentId: 'p1', description: 'No.', suggestion: 'Stop.' },
  ],
])('%i %j is judged', (status, text, retryAfter, expected) => {
  expect(readAnswer(status, text, retryAfter)).toMatchObject(expected)
})

test.each([
  ['AUTHORIZED', 'successful'],
  ['SETTLING', 'successful'],
  ['PARTIALLY_SETTLED', 'successful'],
  ['SETTLED', 'successful'],
  ['DECLINED', 'declined'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'failed'],
  ['PENDING', undefined],
  ['SOMETHING_ELSE', undefined],
  ['constructor', undefined],
])('a payment that is %s is %s', (status, outcome) => {
  expect(outcomeOf(readPayment({ id: 'p1', status }) ?? expect.fail())).toBe(outcome)
})

test.each([undefined, null, 7, 'x', [], {}, { id: 7 }, { id: '' }])('%j is no payment', (body) => {
  expect(readPayment(body)).toBeUndefined()
})

test('a partial payment is read as far as it goes', () => {
  expect(readPayment({ id: 'p1' })).toMatchObject({ id: 'p1', status: undefined, amount: undefined })
})

test.each([
  undefined,
  null,
  7,
  [],
  { order: 7 },
  { methods: 7, missing: 7 },
  { order: { lineItems: [null], fees: 'x' } },
])('bodies of an unexpected shape are read without an error: %j', (body) => {
  expect(readOrder(body)).toMatchObject({ lineItems: [], fees: [] })
  expect(readTerms(body)).toMatchObject({ methods: [], testCards: [], missing: [] })
  expect(readSavedMethods(body)).toEqual([])
})

test('deleted and unnamed saved methods are left out', () => {
  const data = [
    { token: 't1', deleted: true },
    { paymentMethodType: 'PAYMENT_CARD' },
    { token: 't2', default: true },
  ]
  expect(readSavedMethods({ data })).toMatchObject([{ token: 't2', isDefault: true }])
})
