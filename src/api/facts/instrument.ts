import type { OperationFacts } from '../operation.ts'
import { READ } from './read.ts'

const WRITE = {
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

export const INSTRUMENT_FACTS = {
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
    ...WRITE,
  },
  'instrument.delete': {
    method: 'DELETE',
    path: '/payment-instruments/{paymentMethodToken}',
    summary: 'Delete a saved payment method',
    risk: 'destructive',
    doneOnResend: { errorId: 'InvalidPaymentInstrumentToken' },
    words: { deed: 'the deletion of a saved method', verb: 'delete it' },
    ...WRITE,
  },
  'instrument.vault': {
    method: 'POST',
    path: '/payment-instruments/{paymentMethodToken}/vault',
    summary: 'Save a payment method for later payments',
    risk: 'write',
    words: { deed: 'the saving of a payment method', verb: 'save it' },
    ...WRITE,
  },
} as const satisfies Readonly<Record<string, OperationFacts>>
