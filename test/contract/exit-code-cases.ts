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

/** The title of the test, the command, the service, and where it matters the outcome in the error. */
type Case = readonly [
  says: string,
  words: string,
  script: Scripted | Script,
  outcome?: 'none' | 'unknown' | 'applied',
]

const REFUND = 'payment refund p1'
const GET = 'payment get p1'
const RESUME = 'payment resume p1 --resume-token abcde'
const POINTS = 'loyalty redeem --connection-id k --customer-id c --order-id o --value 1'
const ACTION = { id: 'p1', status: 'PENDING', requiredAction: { name: '3DS_AUTHENTICATION' } }
const UNANSWERED = { id: 'p1', status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } }
const FAILED_REFUND = { id: 'p1', transactions: [{ transactionType: 'REFUND', processorStatus: 'FAILED' }] }

const DOUBTFUL: readonly Case[] = [
  ['a connection cut before the response', `payment capture p1 ${ONCE}`, { drop: 'before' }],
  ['half a response', `${REFUND} ${ONCE}`, { drop: 'mid-body', status: 200, body: PAYMENT }],
  ['a timeout', `payment cancel p1 --timeout 300ms ${ONCE}`, { hang: true }],
  ['an HTML page as the response to a write', `${REFUND} ${ONCE}`, ok('<html>')],
  ['an empty response to a write', `payment capture p1 ${ONCE}`, ok('')],
  ['a response with another payment', `${REFUND} ${ONCE}`, ok({ id: 'p2', status: 'SETTLED' })],
  ['500 on a write that is never retried', 'session create', { status: 500 }],
  ['500 on redeeming points', POINTS, { status: 500 }],
  ['a lost answer before a refusal', REFUND, [{ drop: 'before' }, refusal(422, 'UnprocessableRefundAmount')]],
  ['a payment that failed with a gateway timeout', CREATE, ok(UNANSWERED)],
]

/** Every exit code of a call that reached the service or was refused before, with what leads to it. */
export const CASES: readonly (readonly [number, readonly Case[]])[] = [
  [
    0,
    [
      ['a read', GET, ok(PAYMENT)],
      ['a write', 'payment capture p1', ok(PAYMENT)],
      ['a payment that requires customer action', CREATE, ok(ACTION)],
      ['a refund retried after an HTML page', REFUND, [ok('<html>'), ok(PAYMENT)]],
      ['a refund retried after 503', REFUND, [{ status: 503 }, ok(PAYMENT)]],
    ],
  ],
  [
    2,
    [
      ['a bad amount', `${REFUND} --amount 7,00`, ok(PAYMENT)],
      ['an unknown field', 'session create --set oderId=1', ok({})],
      ['an unknown flag', `${GET} --amout 5`, ok({})],
      ['a currency other than that of the payment', `${REFUND} --amount '5.00 USD'`, reading(ok(PAYMENT))],
    ],
  ],
  [
    3,
    [
      ['422', REFUND, refusal(422, 'UnprocessableRefundAmount')],
      ['400', 'session get --client-token abcde', refusal(400, 'ClientSessionValidationError')],
      ['a payment that could not be created', CREATE, refusal(400, 'PaymentError')],
      ['302', GET, { status: 302, headers: { location: '/x' } }],
      ['418', 'payment cancel p1', { status: 418 }],
    ],
  ],
  [
    4,
    [
      ['401', GET, refusal(401, 'Unauthorized')],
      ['403', REFUND, refusal(403, 'Forbidden')],
    ],
  ],
  [
    5,
    [
      ['404', 'api GET /nowhere', refusal(404, 'NotFound')],
      ['400 with PaymentError', GET, refusal(400, 'PaymentError')],
      [
        'an unknown saved payment method',
        'instrument default pm-12345',
        refusal(400, 'InvalidPaymentInstrumentToken'),
      ],
    ],
  ],
  [
    6,
    [
      ['409', REFUND, refusal(409, 'PaymentAlreadyRefunded')],
      ['a payment status that does not allow it', 'payment capture p1', refusal(400, 'InvalidPaymentStatus')],
    ],
  ],
  [
    7,
    [
      ['429 on every attempt', REFUND, { status: 429, headers: { 'retry-after': '0' } }, 'none'],
      ['429 on a read', `${GET} ${ONCE}`, { status: 429 }],
    ],
  ],
  [
    8,
    [
      ['202 on a resume', RESUME, reading({ status: 202, body: envelope('NoActionsToHandle') })],
      ['202 with another body on a resume', RESUME, reading({ status: 202, body: { id: 'p1' } })],
    ],
  ],
  [10, DOUBTFUL.map(([says, words, script]) => [says, words, script, 'unknown'] as const)],
  [
    11,
    [
      ['503 on a read', `${GET} ${ONCE}`, { status: 503 }, 'none'],
      ['a connection cut on a read', `payment list ${ONCE}`, { drop: 'before' }, 'none'],
      ['a timeout on a read', `${GET} --timeout 200ms ${ONCE}`, { hang: true }],
      ['an HTML page as the response to a read', GET, ok('<html>login</html>')],
    ],
  ],
  [
    13,
    [
      ['a declined payment', CREATE, ok({ id: 'p1', status: 'DECLINED' })],
      ['a failed capture', 'payment capture p1', ok({ id: 'p1', status: 'FAILED' })],
      ['a refund whose own transaction failed', REFUND, ok(FAILED_REFUND)],
    ],
  ],
]
