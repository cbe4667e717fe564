import { moved } from './payment-changes.ts'
import type { StoredPayment, StoredTransaction } from './store/stored-payment.ts'
import type { World } from './world.ts'
import { scenarioOfToken } from './scenarios.ts'

/** Brings every payment up to the virtual clock: SETTLING ones settle, PENDING refunds settle or fail. */
export function settleDuePayments({ store, now }: World): void {
  for (const payment of store.payments.due(now.getTime())) store.payments.save(settled(payment, now))
}

export function settled(payment: StoredPayment, now: Date): StoredPayment {
  const isDue = (dueAtMs: number | undefined) => dueAtMs !== undefined && dueAtMs <= now.getTime()
  const confirmed = isDue(payment.dueAtMs)
    ? { ...moved(payment, 'processor confirmed'), dueAtMs: undefined }
    : payment
  const refundsFail = scenarioOfToken(payment.method.scenario)?.refunds === 'fail'
  const transactions = confirmed.transactions.map((step) =>
    isDue(step.dueAtMs) ? finishedRefund(step, refundsFail) : step,
  )
  const givenBack = confirmed.transactions
    .filter((step) => refundsFail && isDue(step.dueAtMs))
    .reduce((sum, step) => sum + step.amount, 0)
  return { ...confirmed, transactions, amountRefunded: confirmed.amountRefunded - givenBack }
}

function finishedRefund(step: StoredTransaction, fails: boolean): StoredTransaction {
  if (!fails) return { ...step, processorStatus: 'SETTLED', dueAtMs: undefined }
  return {
    ...step,
    processorStatus: 'FAILED',
    processorStatusReason: {
      type: 'GATEWAY_REJECTED',
      code: 'ERROR',
      message: 'The processor did not make the refund.',
    },
    dueAtMs: undefined,
  }
}
