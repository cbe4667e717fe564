import {
  createExternalPaymentRequest,
  externalPayment,
  updateExternalPaymentRequest,
} from '../models/external-payment.ts'
import type { Operation } from '../operation.ts'

const WRITE = {
  idempotencyKey: false,
  replay: 'safe',
  targets: [{ kind: 'record', of: ['paymentId'] }],
  risk: 'write',
  scope: 'observability-payments:write',
  beta: true,
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
