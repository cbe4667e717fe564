import type { OperationFacts } from './operation.ts'

/** What all reads have in common. */
export const READ = {
  idempotencyKey: false,
  replay: 'safe',
  targets: [],
  keepsBody: false,
  amount: 'none',
  effect: 'none',
  verdict: 'http-status',
  creates: null,
  countsRefusals: false,
  words: null,
  notes: [],
  risk: 'read',
} as const

const ORDER_TOTAL = 'The total of an order must be between 0 and 2^53-1.'

const SESSION_WRITE = {
  ownId: 'clientToken',
  idempotencyKey: false,
  keepsBody: false,
  amount: 'none',
  effect: 'none',
  verdict: 'http-status',
  countsRefusals: false,
  clientFields: null,
  risk: 'write',
  scope: 'client-sessions:write',
  beta: false,
} as const

const SESSION_FACTS = {
  'session.create': {
    method: 'POST',
    path: '/client-session',
    summary: 'Create a client session',
    bodyOptional: true,
    replay: 'never',
    targets: [],
    creates: 'session',
    command: 'session create',
    words: { deed: 'a session', verb: 'create it' },
    notes: [
      'Without an amount, the service calculates it from line items, fees and shipping.',
      ORDER_TOTAL,
      'Omitted fields can be set when the payment is created.',
    ],
    ...SESSION_WRITE,
  },
  'session.update': {
    method: 'PATCH',
    path: '/client-session',
    summary: 'Change a client session',
    nullClears: true,
    replay: 'safe',
    targets: [{ kind: 'session', of: ['clientToken'], isSecret: true }],
    creates: null,
    command: 'session update',
    words: { deed: 'a change of a session', verb: 'change it' },
    notes: [
      'Send only the fields to change. customer, metadata, order, paymentMethod and lists are replaced as a whole.',
      ORDER_TOTAL,
      'paymentMethod.options cannot be changed.',
    ],
    ...SESSION_WRITE,
  },
  'session.get': {
    method: 'GET',
    path: '/client-session',
    summary: 'Read a client session',
    clientFields: [],
    command: null,
    scope: 'client-sessions:read',
    beta: false,
    ...READ,
  },
} as const satisfies Readonly<Record<string, OperationFacts>>

const READ_PAYMENTS = { ...READ, scope: 'payments:read', beta: false } as const

const PAYMENT_WRITE = { scope: 'payments:write', beta: false } as const

const KEYED = { ...PAYMENT_WRITE, idempotencyKey: true, replay: 'keyed' } as const

const OF_PAYMENT = {
  echoes: 'id',
  targets: [{ kind: 'payment', of: ['id'] }],
  creates: null,
  clientFields: null,
} as const

const PAYMENT_FACTS = {
  'payment.create': {
    method: 'POST',
    path: '/payments',
    summary: 'Create and authorize a payment',
    ownId: 'id',
    targets: [
      { kind: 'order', of: ['orderId'] },
      { kind: 'payment-token', of: ['paymentMethodToken'], isSecret: true },
    ],
    keepsBody: false,
    amount: 'given',
    effect: 'created',
    verdict: 'payment',
    creates: 'payment',
    countsRefusals: false,
    clientFields: ['paymentMethodToken'],
    command: 'payment create',
    words: { deed: 'a payment', verb: 'create it' },
    notes: [
      'orderId, currencyCode and an amount are required, here or in the client session. Values here take precedence.',
      ORDER_TOTAL,
      'customerId is required with vaultOnSuccess and with a saved token, and must be the customer of that token.',
    ],
    risk: 'money',
    ...KEYED,
  },
  'payment.get': {
    method: 'GET',
    path: '/payments/{id}',
    summary: 'Read a payment',
    echoes: 'id',
    clientFields: [],
    command: 'payment get',
    ...READ_PAYMENTS,
  },
  'payment.list': {
    method: 'GET',
    path: '/payments',
    summary: 'List payments, newest first',
    clientFields: null,
    command: null,
    ...READ_PAYMENTS,
  },
  'payment.authorize': {
    method: 'POST',
    path: '/payments/{id}/authorize',
    summary: 'Authorize a payment through a chosen processor',
    ...OF_PAYMENT,
    keepsBody: true,
    amount: 'of-payment',
    effect: 'authorized',
    verdict: 'payment',
    countsRefusals: false,
    command: 'payment authorize',
    words: { deed: 'an authorization', verb: 'authorize' },
    notes: ['name is required if several processors share the processorMerchantId.'],
    risk: 'money',
    ...KEYED,
  },
  'payment.capture': {
    method: 'POST',
    path: '/payments/{id}/capture',
    summary: 'Capture an authorized payment, in full or in part',
    bodyOptional: true,
    ...OF_PAYMENT,
    keepsBody: true,
    amount: 'rest',
    effect: 'captured',
    verdict: 'payment',
    countsRefusals: true,
    command: 'payment capture',
    words: { deed: 'a capture', verb: 'capture' },
    notes: [
      'Without an amount, everything that is left of the authorization is captured. A higher amount is refused.',
      'final defaults to true: a partial capture then releases the rest.',
    ],
    risk: 'money',
    ...KEYED,
  },
  'payment.refund': {
    method: 'POST',
    path: '/payments/{id}/refund',
    summary: 'Refund a captured payment, in full or in part',
    bodyOptional: true,
    ...OF_PAYMENT,
    keepsBody: true,
    amount: 'rest',
    effect: 'refunded',
    verdict: 'refund',
    countsRefusals: true,
    command: 'payment refund',
    words: { deed: 'a refund', verb: 'refund' },
    notes: [
      'Without an amount, everything that is left is refunded. A higher amount is refused.',
      'orderId defaults to the orderId of the payment.',
    ],
    risk: 'money',
    ...KEYED,
  },
  'payment.adjust': {
    method: 'POST',
    path: '/payments/{id}/adjust-authorization',
    summary: 'Change the authorized amount',
    ...OF_PAYMENT,
    idempotencyKey: false,
    replay: 'compare',
    keepsBody: true,
    amount: 'total',
    effect: 'adjusted',
    verdict: 'timeout',
    countsRefusals: true,
    command: 'payment adjust',
    words: { deed: 'an adjustment', verb: 'adjust' },
    notes: ['Only an AUTHORIZED card payment with authorizationType ESTIMATED can be adjusted.'],
    risk: 'money',
    ...PAYMENT_WRITE,
  },
  'payment.resume': {
    method: 'POST',
    path: '/payments/{id}/resume',
    summary: 'Resume a payment that waits for the customer or a third party',
    ...OF_PAYMENT,
    notFinished: 'NoActionsToHandle',
    idempotencyKey: false,
    replay: 'look',
    keepsBody: false,
    amount: 'of-payment',
    effect: 'resumed',
    verdict: 'payment',
    countsRefusals: false,
    clientFields: ['resumeToken'],
    command: 'payment resume',
    words: { deed: 'a resumption', verb: 'resume' },
    notes: [],
    risk: 'money',
    ...PAYMENT_WRITE,
  },
  'payment.cancel': {
    method: 'POST',
    path: '/payments/{id}/cancel',
    summary: 'Cancel a payment that is not captured',
    bodyOptional: true,
    ...OF_PAYMENT,
    keepsBody: true,
    amount: 'none',
    effect: 'cancelled',
    verdict: 'timeout',
    countsRefusals: true,
    command: 'payment cancel',
    words: { deed: 'a cancellation', verb: 'cancel' },
    notes: [],
    risk: 'destructive',
    ...KEYED,
  },
} as const satisfies Readonly<Record<string, OperationFacts>>

const OBSERVABILITY_WRITE = {
  echoes: 'paymentId',
  idempotencyKey: false,
  replay: 'safe',
  targets: [{ kind: 'record', of: ['paymentId'] }],
  keepsBody: false,
  amount: 'none',
  effect: 'none',
  verdict: 'http-status',
  countsRefusals: false,
  clientFields: null,
  risk: 'write',
  scope: 'observability-payments:write',
  beta: true,
} as const

const READ_RECORDS = { ...READ, clientFields: null, scope: 'payments:read', beta: false } as const

const OBSERVABILITY_FACTS = {
  'observability.push': {
    method: 'POST',
    path: '/observability/payments',
    summary: 'Record a payment made elsewhere',
    doneOnResend: { errorId: 'EntityAlreadyExists', settleWith: 'observability.update' },
    creates: 'record',
    command: 'observability push',
    words: { deed: 'a new record', verb: 'record it' },
    notes: ['paymentId must be new. createdAt must be an existing date.'],
    ...OBSERVABILITY_WRITE,
  },
  'observability.update': {
    method: 'PATCH',
    path: '/observability/payments/{paymentId}',
    summary: 'Change the record of a payment made elsewhere',
    creates: null,
    command: 'observability update',
    words: { deed: 'a change of a record', verb: 'change it' },
    notes: [
      "Send only the changed parts of nested fields. You can't change createdAt: it must be the same instant as in the record.",
      'A paymentId in the body must equal the one in the path.',
    ],
    ...OBSERVABILITY_WRITE,
  },
  'observability.get': {
    method: 'GET',
    path: '/observability/payments/{paymentId}',
    summary: 'Read the record of a payment',
    echoes: 'paymentId',
    command: 'observability get',
    ...READ_RECORDS,
  },
  'observability.list': {
    method: 'GET',
    path: '/observability/payments',
    summary: 'List the records of all payments, newest first',
    command: null,
    ...READ_RECORDS,
  },
} as const satisfies Readonly<Record<string, OperationFacts>>

const INSTRUMENT_WRITE = {
  ownId: 'token',
  idempotencyKey: false,
  replay: 'safe',
  targets: [{ kind: 'saved-method', of: ['paymentMethodToken'], isSecret: true }],
  keepsBody: false,
  amount: 'none',
  effect: 'none',
  verdict: 'http-status',
  creates: null,
  countsRefusals: false,
  clientFields: null,
  command: null,
  notes: [],
  scope: 'payment-instruments:write',
  beta: false,
} as const

const INSTRUMENT_FACTS = {
  'instrument.list': {
    method: 'GET',
    path: '/payment-instruments',
    summary: "List a customer's saved payment methods",
    clientFields: [],
    command: null,
    scope: 'payment-instruments:read',
    beta: false,
    ...READ,
  },
  'instrument.default': {
    method: 'POST',
    path: '/payment-instruments/{paymentMethodToken}/default',
    summary: "Make a saved payment method the customer's default",
    risk: 'write',
    words: { deed: 'the choice of a default', verb: 'choose it' },
    ...INSTRUMENT_WRITE,
  },
  'instrument.delete': {
    method: 'DELETE',
    path: '/payment-instruments/{paymentMethodToken}',
    summary: 'Delete a saved payment method',
    risk: 'destructive',
    doneOnResend: { errorId: 'InvalidPaymentInstrumentToken' },
    words: { deed: 'the deletion of a saved method', verb: 'delete it' },
    ...INSTRUMENT_WRITE,
  },
  'instrument.vault': {
    method: 'POST',
    path: '/payment-instruments/{paymentMethodToken}/vault',
    summary: 'Save a payment method for later payments',
    risk: 'write',
    words: { deed: 'the saving of a payment method', verb: 'save it' },
    ...INSTRUMENT_WRITE,
  },
} as const satisfies Readonly<Record<string, OperationFacts>>

const LOYALTY_FACTS = {
  'loyalty.create': {
    method: 'POST',
    path: '/loyalty-transactions',
    summary: 'Redeem or return loyalty points',
    ownId: 'id',
    idempotencyKey: false,
    replay: 'never',
    targets: [{ kind: 'points', of: ['connectionId', 'orderId'] }],
    keepsBody: false,
    amount: 'points',
    effect: 'none',
    verdict: 'http-status',
    creates: 'transaction',
    countsRefusals: false,
    clientFields: null,
    command: null,
    words: { deed: 'a transaction', verb: 'do it' },
    notes: ['type defaults to REDEMPTION.'],
    risk: 'money',
    scope: 'loyalty-transactions:write',
    beta: true,
  },
} as const satisfies Readonly<Record<string, OperationFacts>>

/** The facts of every operation of the service (spec 4), in the order of the spec. */
export const FACTS = {
  ...SESSION_FACTS,
  ...PAYMENT_FACTS,
  ...OBSERVABILITY_FACTS,
  ...LOYALTY_FACTS,
  ...INSTRUMENT_FACTS,
} as const

export type OperationId = keyof typeof FACTS

export const isRefund = (id: string): boolean => id === 'payment.refund'

/** Whether an operation moves money: what is limited by amount. */
export function movesMoney(id: string): boolean {
  const amount = factsOf(id)?.amount ?? 'none'
  return amount !== 'none' && amount !== 'points'
}

/** The facts of an operation; undefined for an id that only another version knows, and for calls of `pay api` to an unknown path. */
export const factsOf = (id: string): OperationFacts | undefined => BY_ID.get(id)

const BY_ID = new Map<string, OperationFacts>(Object.entries(FACTS))
