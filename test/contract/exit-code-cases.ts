import { envelope } from '../support/error-envelope.ts'
import type { ReceivedRequest, Scripted } from '../support/scripted-server.ts'

/** A response for every request, one for each, or a function that answers. */
export type Script = readonly Scripted[] | ((request: ReceivedRequest, index: number) => Scripted)

const PAYMENT = { id: 'p1', status: 'AUTHORIZED', amount: 1000, currencyCode: 'EUR' }
const ok = (body: unknown): Scripted => ({ status: 200, body })
const refusal = (status: number, errorId: string): Scripted => ({ status, body: envelope(errorId) })

/** Reads get the payment, writes this response. */
const reading =
  (write: Scripted, payment: unknown = PAYMENT) =>
  ({ method }: ReceivedRequest): Scripted =>
    method === 'GET' ? ok(payment) : write

const CREATE = 'payment create --token tok_visa'
const ONCE = '--max-retries 0'

interface Case {
  /** The title of the test. */
  readonly says: string
  readonly script: Scripted | Script
  readonly words: string
  /** Whether stdout has the payment: exit 8 and 13 print it, other failures print nothing. */
  readonly prints?: boolean
  readonly outcome?: 'none' | 'unknown' | 'applied'
}

const DOUBTFUL: readonly Case[] = [
  {
    says: 'a connection cut before the response',
    script: { drop: 'before' },
    words: `payment capture p1 ${ONCE}`,
  },
  {
    says: 'half a response',
    script: { drop: 'mid-body', status: 200, body: PAYMENT },
    words: `payment refund p1 ${ONCE}`,
  },
  {
    says: 'a timeout',
    script: { hang: true },
    words: `payment cancel p1 --timeout 300ms ${ONCE}`,
  },
  {
    says: 'an HTML page as the response to a write',
    script: ok('<html>'),
    words: `payment refund p1 ${ONCE}`,
  },
  { says: 'an empty response to a write', script: ok(''), words: `payment capture p1 ${ONCE}` },
  {
    says: 'a response with another payment',
    script: ok({ id: 'p2', status: 'SETTLED' }),
    words: `payment refund p1 ${ONCE}`,
  },
  { says: '500 on a write that is never retried', script: { status: 500 }, words: 'session create' },
  {
    says: '500 on redeeming points',
    script: { status: 500 },
    words: 'loyalty redeem --connection-id k --customer-id c --order-id o --value 1',
  },
  {
    says: 'a lost response before a refusal',
    script: [{ drop: 'before' }, refusal(422, 'UnprocessableRefundAmount')],
    words: 'payment refund p1',
  },
  {
    says: 'a payment that failed with a gateway timeout',
    script: ok({ id: 'p1', status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } }),
    words: CREATE,
  },
]

/** Every exit code of a call that reached the service or was refused before, with what leads to it. */
export const CASES: readonly (readonly [number, readonly Case[]])[] = [
  [
    0,
    [
      { says: 'a read', script: ok(PAYMENT), words: 'payment get p1' },
      { says: 'a write', script: ok(PAYMENT), words: 'payment capture p1' },
      {
        says: 'a payment that requires customer action',
        script: ok({ id: 'p1', status: 'PENDING', requiredAction: { name: '3DS_AUTHENTICATION' } }),
        words: CREATE,
      },
      {
        says: 'a refund retried after an HTML page',
        script: [ok('<html>'), ok(PAYMENT)],
        words: 'payment refund p1',
      },
      {
        says: 'a refund retried after 503',
        script: [{ status: 503 }, ok(PAYMENT)],
        words: 'payment refund p1',
      },
    ],
  ],
  [
    2,
    [
      { says: 'a bad amount', script: ok(PAYMENT), words: 'payment refund p1 --amount 7,00' },
      { says: 'an unknown field', script: ok({}), words: 'session create --set oderId=1' },
      { says: 'an unknown flag', script: ok({}), words: 'payment get p1 --amout 5' },
      {
        says: 'a currency other than that of the payment',
        script: reading(ok(PAYMENT)),
        words: "payment refund p1 --amount '5.00 USD'",
      },
    ],
  ],
  [
    3,
    [
      { says: '422', script: refusal(422, 'UnprocessableRefundAmount'), words: 'payment refund p1' },
      {
        says: '400',
        script: refusal(400, 'ClientSessionValidationError'),
        words: 'session get --client-token abcde',
      },
      { says: 'a payment that could not be created', script: refusal(400, 'PaymentError'), words: CREATE },
      { says: '302', script: { status: 302, headers: { location: '/x' } }, words: 'payment get p1' },
      { says: '418', script: { status: 418 }, words: 'payment cancel p1' },
    ],
  ],
  [
    4,
    [
      { says: '401', script: refusal(401, 'Unauthorized'), words: 'payment get p1' },
      { says: '403', script: refusal(403, 'Forbidden'), words: 'payment refund p1' },
    ],
  ],
  [
    5,
    [
      { says: '404', script: refusal(404, 'NotFound'), words: 'api GET /nowhere' },
      { says: '400 with PaymentError', script: refusal(400, 'PaymentError'), words: 'payment get p1' },
      {
        says: 'an unknown saved payment method',
        script: refusal(400, 'InvalidPaymentInstrumentToken'),
        words: 'instrument default pm-12345',
      },
    ],
  ],
  [
    6,
    [
      { says: '409', script: refusal(409, 'PaymentAlreadyRefunded'), words: 'payment refund p1' },
      {
        says: 'a payment status that does not allow it',
        script: refusal(400, 'InvalidPaymentStatus'),
        words: 'payment capture p1',
      },
    ],
  ],
  [
    7,
    [
      {
        says: '429 on every attempt',
        script: { status: 429, headers: { 'retry-after': '0' } },
        words: 'payment refund p1',
        outcome: 'none',
      },
      { says: '429 on a read', script: { status: 429 }, words: `payment get p1 ${ONCE}` },
    ],
  ],
  [
    8,
    [
      {
        says: '202 on a resume',
        script: reading({ status: 202, body: envelope('NoActionsToHandle') }),
        words: 'payment resume p1 --resume-token abcde',
        prints: true,
      },
      {
        says: '202 with another body on a resume',
        script: reading({ status: 202, body: { id: 'p1' } }),
        words: 'payment resume p1 --resume-token abcde',
        prints: true,
      },
    ],
  ],
  [10, DOUBTFUL.map((known) => ({ ...known, outcome: 'unknown' }))],
  [
    11,
    [
      { says: '503 on a read', script: { status: 503 }, words: `payment get p1 ${ONCE}`, outcome: 'none' },
      {
        says: 'a connection cut on a read',
        script: { drop: 'before' },
        words: `payment list ${ONCE}`,
        outcome: 'none',
      },
      {
        says: 'a timeout on a read',
        script: { hang: true },
        words: `payment get p1 --timeout 200ms ${ONCE}`,
      },
      {
        says: 'an HTML page as the response to a read',
        script: ok('<html>login</html>'),
        words: 'payment get p1',
      },
    ],
  ],
  [
    13,
    [
      {
        says: 'a declined payment',
        script: ok({ id: 'p1', status: 'DECLINED' }),
        words: CREATE,
        prints: true,
      },
      {
        says: 'a failed capture',
        script: ok({ id: 'p1', status: 'FAILED' }),
        words: 'payment capture p1',
        prints: true,
      },
      {
        says: 'a refund whose own transaction failed',
        script: ok({ id: 'p1', transactions: [{ transactionType: 'REFUND', processorStatus: 'FAILED' }] }),
        words: 'payment refund p1',
        prints: true,
      },
    ],
  ],
]
