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
export interface WriteCase {
  /** The command, with secret or personal data in every field that accepts it. */
  readonly words: readonly string[]
  readonly body?: object
  /** The path for `pay api`. */
  readonly path: string
  /** Arguments that make it a different request on the same target. */
  readonly otherwise: readonly string[]
  /** The recorded target; secret targets are recorded as a hash. */
  readonly target: string | RegExp | null
  /** Whether the record keeps the body for a resend: it does if the operation has `keepsBody` and `body` has nothing secret. */
  readonly keepsBody: boolean
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

export const WRITE_CASES: Readonly<Record<WriteId, WriteCase>> = {
  'session.create': {
    words: ['session', 'create'],
    body: ORDER,
    path: '/client-session',
    otherwise: [],
    target: null,
    keepsBody: false,
  },
  'session.update': {
    words: ['session', 'update'],
    body: { clientToken: CLIENT_TOKEN, ...ORDER },
    path: '/client-session',
    otherwise: ['--set', 'orderId=A-2'],
    target: HASH,
    keepsBody: false,
  },
  'payment.create': {
    words: ['payment', 'create'],
    body: { paymentMethodToken: TOKEN, ...ORDER },
    path: '/payments',
    otherwise: ['--set', 'amount:=501'],
    target: 'A-1',
    keepsBody: false,
  },
  'payment.authorize': {
    words: ['payment', 'authorize', 'p1'],
    body: { processor: { processorMerchantId: 'm' } },
    path: '/payments/p1/authorize',
    otherwise: ['--set', 'processor.processorMerchantId=n'],
    target: 'p1',
    keepsBody: true,
  },
  'payment.capture': {
    words: ['payment', 'capture', 'p1'],
    body: { amount: 5 },
    path: '/payments/p1/capture',
    otherwise: ['--set', 'amount:=6'],
    target: 'p1',
    keepsBody: true,
  },
  'payment.refund': {
    words: ['payment', 'refund', 'p1'],
    body: { amount: 5, reason: `card ${CARD}` },
    path: '/payments/p1/refund',
    otherwise: ['--set', 'amount:=6'],
    target: 'p1',
    keepsBody: false,
  },
  'payment.adjust': {
    words: ['payment', 'adjust', 'p1'],
    body: { amount: 5 },
    path: '/payments/p1/adjust-authorization',
    otherwise: ['--set', 'amount:=6'],
    target: 'p1',
    keepsBody: true,
  },
  'payment.resume': {
    words: ['payment', 'resume', 'p1'],
    body: { resumeToken: RESUME_TOKEN },
    path: '/payments/p1/resume',
    otherwise: ['--set', 'resumeToken=another-resume-token'],
    target: 'p1',
    keepsBody: false,
  },
  'payment.cancel': {
    words: ['payment', 'cancel', 'p1'],
    body: { reason: `card ${CARD}` },
    path: '/payments/p1/cancel',
    otherwise: ['--set', 'reason=other'],
    target: 'p1',
    keepsBody: false,
  },
  'observability.push': {
    words: ['observability', 'push'],
    body: { paymentId: 'rec-1', createdAt: '2026-01-31T09:30:00Z', ...EXTERNAL },
    path: '/observability/payments',
    otherwise: ['--set', 'amount:=6'],
    target: 'rec-1',
    keepsBody: false,
  },
  'observability.update': {
    words: ['observability', 'update', 'rec-1'],
    body: EXTERNAL,
    path: '/observability/payments/rec-1',
    otherwise: ['--set', 'amount:=6'],
    target: 'rec-1',
    keepsBody: false,
  },
  'loyalty.create': {
    words: ['loyalty', 'redeem'],
    body: { connectionId: 'c', customerId: EMAIL, orderId: 'A-1', value: 5 },
    path: '/loyalty-transactions',
    otherwise: ['--set', 'value:=6'],
    target: 'c/A-1',
    keepsBody: false,
  },
  'instrument.default': {
    words: ['instrument', 'default', TOKEN],
    path: `/payment-instruments/${TOKEN}/default`,
    otherwise: [],
    target: HASH,
    keepsBody: false,
  },
  'instrument.delete': {
    words: ['instrument', 'delete', TOKEN],
    path: `/payment-instruments/${TOKEN}`,
    otherwise: [],
    target: HASH,
    keepsBody: false,
  },
  'instrument.vault': {
    words: ['instrument', 'vault', TOKEN],
    body: { customerId: EMAIL },
    path: `/payment-instruments/${TOKEN}/vault`,
    otherwise: ['--set', 'customerId=another'],
    target: HASH,
    keepsBody: false,
  },
}
