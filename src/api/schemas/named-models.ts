import { address, customer } from '../models/customer.ts'
import { errorEnvelope, validationErrors } from '../models/error-envelope.ts'
import { externalPayment, paymentRecord, paymentRecordList } from '../models/external-payment.ts'
import { defaultInstrument, instrument, instrumentList } from '../models/instrument.ts'
import { loyaltyTransaction } from '../models/loyalty.ts'
import { lineItem, order } from '../models/order.ts'
import {
  binData,
  paymentMethod,
  paymentMethodData,
  paymentMethodRequest,
  paymentMethodUpdate,
} from '../models/payment-method.ts'
import { payment, paymentList, paymentSummary, transaction } from '../models/payment.ts'
import type { z } from '../schema.ts'
import { session } from '../models/session.ts'
import { statusReason } from '../models/status-reason.ts'

/** Names of the models, so that generated clients get named types. */
const NAMED: readonly (readonly [string, () => z.core.$ZodType])[] = [
  ['Address', address],
  ['BinData', binData],
  ['Customer', customer],
  ['DefaultPaymentMethod', defaultInstrument],
  ['Error', errorEnvelope],
  ['ExternalPayment', externalPayment],
  ['LineItem', lineItem],
  ['LoyaltyTransaction', loyaltyTransaction],
  ['Order', order],
  ['Payment', payment],
  ['PaymentList', paymentList],
  ['PaymentMethod', paymentMethod],
  ['PaymentMethodData', paymentMethodData],
  ['PaymentMethodOptions', paymentMethodRequest],
  ['PaymentMethodOptions', paymentMethodUpdate],
  ['PaymentRecord', paymentRecord],
  ['PaymentRecordList', paymentRecordList],
  ['PaymentSummary', paymentSummary],
  ['SavedPaymentMethod', instrument],
  ['SavedPaymentMethodList', instrumentList],
  ['Session', session],
  ['StatusReason', statusReason],
  ['Transaction', transaction],
  ['ValidationErrors', validationErrors],
]

let names: ReadonlyMap<z.core.$ZodType, string> | undefined

/** The name of a model; undefined for other schemas. */
export function modelName(schema: z.core.$ZodType): string | undefined {
  names ??= new Map(NAMED.map(([name, build]) => [build(), name]))
  return names.get(schema)
}
