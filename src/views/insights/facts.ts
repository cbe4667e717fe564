import { stateOf } from '../../api/payment-states.ts'
import type { PaymentRecord } from '../../api/models/external-payment.ts'
import type { Payment, PaymentSummary } from '../../api/models/payment.ts'

/** The fields of one payment or record that the figures use. Amounts are in minor units; null if the source doesn't give them. */
export interface PaymentFact {
  readonly source: 'payments' | 'external'
  /** ISO 8601; UTC if it has no zone. */
  readonly createdAt: string | undefined
  readonly status: string | undefined
  readonly currencyCode: string | undefined
  readonly processor: string | undefined
  readonly method: string | undefined
  /** The code of the status reason, for declined and failed payments. */
  readonly reason: string | undefined
  readonly country: string | undefined
  readonly amountAuthorized: number | null
  readonly amountCaptured: number | null
  readonly amountRefunded: number | null
}

/** Takes a payment, or its entry in a list, which has no reason or country. */
export function factOfPayment(
  payment: PaymentSummary & Pick<Payment, 'statusReason' | 'order'>,
): PaymentFact {
  const { status, amount, processor } = payment
  return {
    source: 'payments',
    createdAt: payment.date,
    status,
    currencyCode: payment.currencyCode,
    processor: processor?.name,
    method: payment.paymentMethod?.paymentMethodType,
    reason: payment.statusReason?.code,
    country: payment.order?.countryCode,
    amountAuthorized: authorizedOf(status, amount),
    amountCaptured: processor?.amountCaptured ?? null,
    amountRefunded: processor?.amountRefunded ?? null,
  }
}

/** Takes a record. An external one that is SETTLING or SETTLED counts as captured in full. */
export function factOfRecord(record: PaymentRecord): PaymentFact {
  const { status, amount } = record
  const isPayment = record.source === 'payments'
  const state = stateOf(status)?.captured
  const captured = state === 'all' ? amount : state === 'none' ? 0 : undefined
  return {
    source: isPayment ? 'payments' : 'external',
    createdAt: record.createdAt,
    status,
    currencyCode: record.currencyCode,
    processor: record.processor?.name,
    method: record.paymentMethod?.paymentMethodType,
    reason: record.statusReason?.code,
    country: record.order?.countryCode,
    amountAuthorized: record.amountAuthorized ?? authorizedOf(status, amount),
    amountCaptured: record.amountCaptured ?? (isPayment ? null : (captured ?? null)),
    amountRefunded: record.amountRefunded ?? null,
  }
}

/** The authorized amount; null if the status doesn't say, as for a cancelled payment. */
function authorizedOf(status: string | undefined, amount: number | undefined): number | null {
  const authorized = stateOf(status)?.authorized
  if (authorized === 'yes') return amount ?? null
  return authorized === 'no' ? 0 : null
}

/** Whether the payment was ever authorized. A cancelled payment counts unless its authorized amount is 0. */
export const wasAuthorized = ({ status, amountAuthorized }: PaymentFact): boolean =>
  stateOf(status)?.authorized === 'yes' || (status === 'CANCELLED' && amountAuthorized !== 0)
