import {
  createExternalPaymentRequest,
  externalPayment,
  paymentRecord,
  paymentRecordList,
  updateExternalPaymentRequest,
} from '../models/external-payment.ts'
import { listPaymentsQuery } from '../models/payment.ts'
import type { Operation } from '../operation.ts'

const WRITE = {
  idempotencyKey: false,
  replay: 'safe',
  targets: [{ kind: 'record', of: ['paymentId'] }],
  risk: 'write',
  scope: 'observability-payments:write',
  beta: true,
} as const

const READ = {
  idempotencyKey: false,
  replay: 'safe',
  risk: 'read',
  scope: 'payments:read',
  beta: false,
} as const

export const createExternalPayment = {
  id: 'observability.push',
  method: 'POST',
  path: '/observability/payments',
  summary: 'Record a payment made elsewhere',
  request: createExternalPaymentRequest,
  response: externalPayment,
  echoes: 'paymentId',
  doneOnResend: { errorId: 'EntityAlreadyExists', settleWith: 'observability.update' },
  ...WRITE,
} as const satisfies Operation

export const updateExternalPayment = {
  id: 'observability.update',
  method: 'PATCH',
  path: '/observability/payments/{paymentId}',
  summary: 'Change the record of a payment made elsewhere',
  request: updateExternalPaymentRequest,
  response: externalPayment,
  echoes: 'paymentId',
  ...WRITE,
} as const satisfies Operation

export const getPaymentRecord = {
  id: 'observability.get',
  method: 'GET',
  path: '/observability/payments/{paymentId}',
  summary: 'Read the record of a payment',
  response: paymentRecord,
  echoes: 'paymentId',
  ...READ,
} as const satisfies Operation

export const listPaymentRecords = {
  id: 'observability.list',
  method: 'GET',
  path: '/observability/payments',
  summary: 'List the records of all payments, newest first',
  query: listPaymentsQuery,
  response: paymentRecordList,
  ...READ,
} as const satisfies Operation
