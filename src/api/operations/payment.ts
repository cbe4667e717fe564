import { ORDER_FIELDS_OF_21 } from '../models/order.ts'
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
import { withSchemas } from './with-schemas.ts'

export const createPayment = withSchemas('payment.create', {
  request: createPaymentRequest,
  addedIn21: ORDER_FIELDS_OF_21,
  response: payment,
})

export const getPayment = withSchemas('payment.get', { response: payment })

export const listPayments = withSchemas('payment.list', { query: listPaymentsQuery, response: paymentList })

export const authorizePayment = withSchemas('payment.authorize', {
  request: authorizePaymentRequest,
  response: payment,
})

export const capturePayment = withSchemas('payment.capture', {
  request: capturePaymentRequest,
  addedIn21: ORDER_FIELDS_OF_21,
  response: payment,
})

export const refundPayment = withSchemas('payment.refund', {
  request: refundPaymentRequest,
  response: payment,
})

export const adjustAuthorization = withSchemas('payment.adjust', {
  request: adjustAuthorizationRequest,
  response: payment,
})

export const resumePayment = withSchemas('payment.resume', {
  request: resumePaymentRequest,
  response: payment,
})

export const cancelPayment = withSchemas('payment.cancel', {
  request: cancelPaymentRequest,
  response: payment,
})
