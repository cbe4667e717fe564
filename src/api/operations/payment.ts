import { ORDER_FIELDS_OF_21 } from '../models/order.ts'
import { PAYMENT_FACTS } from '../facts/payment.ts'
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

export const createPayment = {
  ...PAYMENT_FACTS['payment.create'],
  request: createPaymentRequest,
  addedIn21: ORDER_FIELDS_OF_21,
  response: payment,
} as const satisfies Operation

export const getPayment = {
  ...PAYMENT_FACTS['payment.get'],
  response: payment,
} as const satisfies Operation

export const listPayments = {
  ...PAYMENT_FACTS['payment.list'],
  query: listPaymentsQuery,
  response: paymentList,
} as const satisfies Operation

export const authorizePayment = {
  ...PAYMENT_FACTS['payment.authorize'],
  request: authorizePaymentRequest,
  response: payment,
} as const satisfies Operation

export const capturePayment = {
  ...PAYMENT_FACTS['payment.capture'],
  request: capturePaymentRequest,
  addedIn21: ORDER_FIELDS_OF_21,
  response: payment,
} as const satisfies Operation

export const refundPayment = {
  ...PAYMENT_FACTS['payment.refund'],
  request: refundPaymentRequest,
  response: payment,
} as const satisfies Operation

export const adjustAuthorization = {
  ...PAYMENT_FACTS['payment.adjust'],
  request: adjustAuthorizationRequest,
  response: payment,
} as const satisfies Operation

export const resumePayment = {
  ...PAYMENT_FACTS['payment.resume'],
  request: resumePaymentRequest,
  response: payment,
} as const satisfies Operation

export const cancelPayment = {
  ...PAYMENT_FACTS['payment.cancel'],
  request: cancelPaymentRequest,
  response: payment,
} as const satisfies Operation
