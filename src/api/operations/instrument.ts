import {
  defaultInstrument,
  instrument,
  instrumentList,
  listInstrumentsQuery,
  vaultRequest,
} from '../models/instrument.ts'
import type { Operation } from '../operation.ts'

const WRITE = {
  ownId: 'token',
  idempotencyKey: false,
  replay: 'safe',
  targets: [{ kind: 'saved-method', of: ['paymentMethodToken'], isSecret: true }],
  scope: 'payment-instruments:write',
  beta: false,
} as const

export const listInstruments = {
  id: 'instrument.list',
  method: 'GET',
  path: '/payment-instruments',
  summary: "List a customer's saved payment methods",
  query: listInstrumentsQuery,
  response: instrumentList,
  idempotencyKey: false,
  replay: 'safe',
  risk: 'read',
  scope: 'payment-instruments:read',
  beta: false,
} as const satisfies Operation

export const setDefaultInstrument = {
  id: 'instrument.default',
  method: 'POST',
  path: '/payment-instruments/{paymentMethodToken}/default',
  summary: "Make a saved payment method the customer's default",
  response: defaultInstrument,
  risk: 'write',
  ...WRITE,
} as const satisfies Operation

export const deleteInstrument = {
  id: 'instrument.delete',
  method: 'DELETE',
  path: '/payment-instruments/{paymentMethodToken}',
  summary: 'Delete a saved payment method',
  response: instrument,
  risk: 'destructive',
  doneOnResend: { errorId: 'InvalidPaymentInstrumentToken' },
  ...WRITE,
} as const satisfies Operation

export const vaultInstrument = {
  id: 'instrument.vault',
  method: 'POST',
  path: '/payment-instruments/{paymentMethodToken}/vault',
  summary: 'Save a payment method for later payments',
  request: vaultRequest,
  addedIn21: ['verify'],
  response: instrument,
  risk: 'write',
  ...WRITE,
} as const satisfies Operation
