import {
  createExternalPaymentRequest,
  externalPayment,
  paymentRecord,
  paymentRecordList,
  updateExternalPaymentRequest,
} from '../models/external-payment.ts'
import { listPaymentsQuery } from '../models/payment.ts'
import { OBSERVABILITY_FACTS } from '../facts/observability.ts'
import type { Operation } from '../operation.ts'

export const createExternalPayment = {
  ...OBSERVABILITY_FACTS['observability.push'],
  request: createExternalPaymentRequest,
  response: externalPayment,
} as const satisfies Operation

export const updateExternalPayment = {
  ...OBSERVABILITY_FACTS['observability.update'],
  request: updateExternalPaymentRequest,
  response: externalPayment,
} as const satisfies Operation

export const getPaymentRecord = {
  ...OBSERVABILITY_FACTS['observability.get'],
  response: paymentRecord,
} as const satisfies Operation

export const listPaymentRecords = {
  ...OBSERVABILITY_FACTS['observability.list'],
  query: listPaymentsQuery,
  response: paymentRecordList,
} as const satisfies Operation
