import type { OPERATIONS } from '../../src/api/table.ts'
import { STORED_KEY } from '../support/stored-profile.ts'

/** The cases of `recorded-writes.test.ts`. */

export const TOKEN = 'tok-very-secret-payment-method'
export const CLIENT_TOKEN = 'eyJhbGciOi.client-token-very-secret.sig'
const RESUME_TOKEN = 'resume-token-very-secret'
export const CARD = '4111111111111111'
export const EMAIL = 'ada@example.com'
const NAME = 'Lovelace'
export const SECRETS = [
  STORED_KEY,
  TOKEN,
  CLIENT_TOKEN,
  RESUME_TOKEN,
  CARD,
  EMAIL,
  NAME,
  encodeURIComponent(EMAIL),
]

type WriteId = Extract<
  (typeof OPERATIONS)[number],
  { readonly risk: 'write' | 'money' | 'destructive' }
>['id']

/** One write of the API: how to send it, and what its record must contain. */
interface WriteCase {
  /** The command, with secret or personal data in every field that accepts it. */
  readonly words: readonly string[]
  readonly body?: object
  /** The path for `pay api`. */
  readonly path: string
  /** A value for `--set` that makes it a different request on the same target. */
  readonly otherwise?: string
  /** The recorded target; secret targets are recorded as a hash. */
  readonly target: string | RegExp | null
  /** Whether the record keeps the body for a resend: it does if the operation has `keepsBody` and `body` has nothing secret. */
  readonly keepsBody?: true
}

export const CUSTOMER = { firstName: 'Ada', lastName: NAME, emailAddress: EMAIL }
const METADATA = { note: `card ${CARD}` }
const ORDER = { orderId: 'A-1', currencyCode: 'EUR', amount: 500, customer: CUSTOMER, metadata: METADATA }
const EXTERNAL = {
  amount: 5,
  currencyCode: 'EUR',
  processor: { name: 'ACME' },
  order: { id: 'A-1' },
  paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
  descriptor: NAME,
  metadata: METADATA,
}
const HASH = /^sha256:[\da-f]{64}$/

const caseOf = (
  words: string,
  path: string,
  target: WriteCase['target'],
  more: Pick<WriteCase, 'body' | 'otherwise' | 'keepsBody'> = {},
): WriteCase => ({ words: words.split(' '), path, target, ...more })

export const WRITE_CASES: Readonly<Record<WriteId, WriteCase>> = {
  'session.create': caseOf('session create', '/client-session', null, { body: ORDER }),
  'session.update': caseOf('session update', '/client-session', HASH, {
    body: { clientToken: CLIENT_TOKEN, ...ORDER },
    otherwise: 'orderId=A-2',
  }),
  'payment.create': caseOf('payment create', '/payments', 'A-1', {
    body: { paymentMethodToken: TOKEN, ...ORDER },
    otherwise: 'amount:=501',
  }),
  'payment.authorize': caseOf('payment authorize p1', '/payments/p1/authorize', 'p1', {
    body: { processor: { processorMerchantId: 'm' } },
    otherwise: 'processor.processorMerchantId=n',
    keepsBody: true,
  }),
  'payment.capture': caseOf('payment capture p1', '/payments/p1/capture', 'p1', {
    body: { amount: 5 },
    otherwise: 'amount:=6',
    keepsBody: true,
  }),
  'payment.refund': caseOf('payment refund p1', '/payments/p1/refund', 'p1', {
    body: { amount: 5, reason: `card ${CARD}` },
    otherwise: 'amount:=6',
  }),
  'payment.adjust': caseOf('payment adjust p1', '/payments/p1/adjust-authorization', 'p1', {
    body: { amount: 5 },
    otherwise: 'amount:=6',
    keepsBody: true,
  }),
  'payment.resume': caseOf('payment resume p1', '/payments/p1/resume', 'p1', {
    body: { resumeToken: RESUME_TOKEN },
    otherwise: 'resumeToken=another-resume-token',
  }),
  'payment.cancel': caseOf('payment cancel p1', '/payments/p1/cancel', 'p1', {
    body: { reason: `card ${CARD}` },
    otherwise: 'reason=other',
  }),
  'observability.push': caseOf('observability push', '/observability/payments', 'rec-1', {
    body: { paymentId: 'rec-1', createdAt: '2026-01-31T09:30:00Z', ...EXTERNAL },
    otherwise: 'amount:=6',
  }),
  'observability.update': caseOf('observability update rec-1', '/observability/payments/rec-1', 'rec-1', {
    body: EXTERNAL,
    otherwise: 'amount:=6',
  }),
  'loyalty.create': caseOf('loyalty redeem', '/loyalty-transactions', 'c/A-1', {
    body: { connectionId: 'c', customerId: EMAIL, orderId: 'A-1', value: 5 },
    otherwise: 'value:=6',
  }),
  'instrument.default': caseOf(`instrument default ${TOKEN}`, `/payment-instruments/${TOKEN}/default`, HASH),
  'instrument.delete': caseOf(`instrument delete ${TOKEN}`, `/payment-instruments/${TOKEN}`, HASH),
  'instrument.vault': caseOf(`instrument vault ${TOKEN}`, `/payment-instruments/${TOKEN}/vault`, HASH, {
    body: { customerId: EMAIL },
    otherwise: 'customerId=another',
  }),
}
