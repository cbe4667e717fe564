import type { SandboxContext } from '../domain/context.ts'
import type { ShownRecord } from '../domain/records.ts'
import { showPayment } from './payment-view.ts'
import { showRecord } from './record-view.ts'

export function showById(id: string, context: SandboxContext): ShownRecord | undefined {
  const payment = context.store.payments.find(id)
  if (payment !== undefined) return { source: 'payments', payment: showPayment(payment, context) }
  const record = context.store.externalPayments.find(id)
  return record === undefined ? undefined : { source: 'external', record: showRecord(record) }
}
