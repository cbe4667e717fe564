import { ORDER_FIELDS_OF_21 } from '../models/order.ts'
import type { Operation } from '../operation.ts'
import {
  adjustAuthorizationRequest,
  authorizePaymentRequest,
  cancelPaymentRequest,
  capturePaymentRequest,
  createPaymentRequest,
  listPaymentsQuery,
  payment,
  paymentList,
  refundPaymentRequest,
  resumePaymentRequest,
} from '../models/payment.ts'

const READ = {
  idempotencyKey: false,
  replay: 'safe',
  risk: 'read',
  scope: 'payments:read',
  beta: false,
} as const
const OF_PAYMENT = [{ kind: 'payment', of: ['id'] }] as const
const KEYED = { idempotencyKey: true, replay: 'keyed', scope: 'payments:write', beta: false } as const

export const createPayment = {
  id: 'payment.create',
  method: 'POST',
  path: '/payments',
  summary: 'Create and authorize a payment',
  request: createPaymentRequest,
  addedIn21: ORDER_FIELDS_OF_21,
  response: payment,
  ownId: 'id',
  risk: 'money',
  movesAmount: true,
  targets: [
    { kind: 'order', of: ['orderId'] },
    { kind: 'payment-token', of: ['paymentMethodToken'], isSecret: true },
  ],
  ...KEYED,
} as const satisfies Operation

export const getPayment = {
  id: 'payment.get',
  method: 'GET',
  path: '/payments/{id}',
  summary: 'Read a payment',
  response: payment,
  echoes: 'id',
  ...READ,
} as const satisfies Operation

export const listPayments = {
  id: 'payment.list',
  method: 'GET',
  path: '/payments',
  summary: 'List payments, newest first',
  query: listPaymentsQuery,
  response: paymentList,
  ...READ,
} as const satisfies Operation

export const authorizePayment = {
  id: 'payment.authorize',
  method: 'POST',
  path: '/payments/{id}/authorize',
  summary: 'Authorize a payment through a chosen processor',
  request: authorizePaymentRequest,
  response: payment,
  echoes: 'id',
  risk: 'money',
  targets: OF_PAYMENT,
  keepsBody: true,
  ...KEYED,
} as const satisfies Operation

export const capturePayment = {
  id: 'payment.capture',
  method: 'POST',
  path: '/payments/{id}/capture',
  summary: 'Capture an authorized payment, in full or in part',
  request: capturePaymentRequest,
  addedIn21: ORDER_FIELDS_OF_21,
  bodyOptional: true,
  response: payment,
  echoes: 'id',
  risk: 'money',
  movesAmount: true,
  targets: OF_PAYMENT,
  keepsBody: true,
  ...KEYED,
} as const satisfies Operation

export const refundPayment = {
  id: 'payment.refund',
  method: 'POST',
  path: '/payments/{id}/refund',
  summary: 'Refund a captured payment, in full or in part',
  request: refundPaymentRequest,
  bodyOptional: true,
  response: payment,
  echoes: 'id',
  risk: 'money',
  movesAmount: true,
  targets: OF_PAYMENT,
  keepsBody: true,
  ...KEYED,
} as const satisfies Operation

export const adjustAuthorization = {
  id: 'payment.adjust',
  method: 'POST',
  path: '/payments/{id}/adjust-authorization',
  summary: 'Change the authorized amount',
  request: adjustAuthorizationRequest,
  response: payment,
  echoes: 'id',
  idempotencyKey: false,
  replay: 'compare',
  risk: 'money',
  movesAmount: true,
  targets: OF_PAYMENT,
  keepsBody: true,
  scope: 'payments:write',
  beta: false,
} as const satisfies Operation

export const resumePayment = {
  id: 'payment.resume',
  method: 'POST',
  path: '/payments/{id}/resume',
  summary: 'Resume a payment that waits for the customer or a third party',
  request: resumePaymentRequest,
  response: payment,
  echoes: 'id',
  notFinished: 'NoActionsToHandle',
  idempotencyKey: false,
  replay: 'look',
  risk: 'money',
  targets: OF_PAYMENT,
  scope: 'payments:write',
  beta: false,
} as const satisfies Operation

export const cancelPayment = {
  id: 'payment.cancel',
  method: 'POST',
  path: '/payments/{id}/cancel',
  summary: 'Cancel a payment that is not captured',
  request: cancelPaymentRequest,
  bodyOptional: true,
  response: payment,
  echoes: 'id',
  risk: 'destructive',
  targets: OF_PAYMENT,
  keepsBody: true,
  ...KEYED,
} as const satisfies Operation
