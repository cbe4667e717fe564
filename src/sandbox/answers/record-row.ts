import type { RecordRow } from '../domain/store/record-store.ts'
import { displayedMethod } from './method-view.ts'

/** One line of the list of records. Amounts are in minor units. */
export interface RecordLine {
  readonly id: string
  readonly source: 'payments' | 'external'
  readonly orderId: string | undefined
  readonly customerId: string | undefined
  readonly status: string | undefined
  readonly amount: number | undefined
  /** null where the record doesn't say. */
  readonly amountCaptured: number | null
  readonly amountRefunded: number | null
  readonly currencyCode: string | undefined
  /** Such as `PAYMENT_CARD`. */
  readonly method: string | undefined
  readonly network: string | undefined
  readonly last4Digits: string | undefined
  readonly processor: string | undefined
  /** UTC, as payments show it. */
  readonly date: string
}

export function lineOf(row: RecordRow): RecordLine {
  const date = row.place.time
  if (row.source === 'payments') {
    const { id, orderId, customerId, status, amount, currencyCode, processor, method } = row.payment
    const { paymentMethodType, paymentMethodData } = displayedMethod(method.scenario)
    return {
      id,
      source: 'payments',
      orderId,
      customerId,
      status,
      amount,
      amountCaptured: row.payment.amountCaptured,
      amountRefunded: row.payment.amountRefunded,
      currencyCode,
      method: paymentMethodType,
      network: paymentMethodData?.network,
      last4Digits: paymentMethodData?.last4Digits,
      processor: processor.name,
      date,
    }
  }
  const { paymentId = '', order, status, amount, currencyCode, paymentMethod, processor } = row.record
  return {
    id: paymentId,
    source: 'external',
    orderId: order?.id,
    customerId: undefined,
    status,
    amount,
    amountCaptured: null,
    amountRefunded: null,
    currencyCode,
    method: paymentMethod?.paymentMethodType,
    network: paymentMethod?.data?.binData?.network,
    last4Digits: undefined,
    processor: processor?.name,
    date,
  }
}
