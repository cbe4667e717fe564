import type { PaymentRecord } from '../../api/models/external-payment.ts'
import type { Payment } from '../../api/models/payment.ts'
import type { SandboxContext } from '../domain/store/context.ts'
import { showPayment } from './payment-view.ts'
import { showRecord } from './record-view.ts'

/** A payment or an external record, each as the service shows it. */
export type ShownRecord =
  | { readonly source: 'payments'; readonly payment: Payment }
  | { readonly source: 'external'; readonly record: PaymentRecord }

export function showById(id: string, context: SandboxContext): ShownRecord | undefined {
  const payment = context.store.payments.find(id)
  if (payment !== undefined) return { source: 'payments', payment: showPayment(payment, context) }
  const record = context.store.externalPayments.find(id)
  return record === undefined ? undefined : { source: 'external', record: showRecord(record) }
}
