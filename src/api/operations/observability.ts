import {
  createExternalPaymentRequest,
  externalPayment,
  paymentRecord,
  paymentRecordList,
  updateExternalPaymentRequest,
} from '../models/external-payment.ts'
import { listPaymentsQuery } from '../models/payment.ts'
import { withSchemas } from './with-schemas.ts'

export const createExternalPayment = withSchemas('observability.push', {
  request: createExternalPaymentRequest,
  response: externalPayment,
})

export const updateExternalPayment = withSchemas('observability.update', {
  request: updateExternalPaymentRequest,
  response: externalPayment,
})

export const getPaymentRecord = withSchemas('observability.get', { response: paymentRecord })

export const listPaymentRecords = withSchemas('observability.list', {
  query: listPaymentsQuery,
  response: paymentRecordList,
})
