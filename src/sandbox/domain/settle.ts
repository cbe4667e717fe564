import { answered } from './answered.ts'
import { moved } from './payment-changes.ts'
import type { StoredPayment, StoredTransaction } from './stored-payment.ts'
import type { World } from './world.ts'
import { scenarioOfToken } from './scenarios.ts'

/**
 * Brings every payment up to the virtual clock: third parties answer, SETTLING payments settle, PENDING refunds settle or
 * fail.
 */
export function settleDuePayments(world: World): void {
  const { payments } = world.store
  for (const payment of payments.due(world.now.getTime())) payments.save(settled(payment, world))
}

function settled(payment: StoredPayment, world: World): StoredPayment {
  const isDue = (dueAtMs: number | undefined) => dueAtMs !== undefined && dueAtMs <= world.now.getTime()
  const confirmed = isDue(payment.dueAtMs) ? heardOf(payment, world) : payment
  const refundsFail = scenarioOfToken(payment.method.scenario)?.refunds === 'fail'
  const transactions = confirmed.transactions.map((step) =>
    isDue(step.dueAtMs) ? finishedRefund(step, refundsFail) : step,
  )
  const givenBack = confirmed.transactions
    .filter((step) => refundsFail && isDue(step.dueAtMs))
    .reduce((sum, step) => sum + step.amount, 0)
  return { ...confirmed, transactions, amountRefunded: confirmed.amountRefunded - givenBack }
}

/** The news that was due. What somebody has answered in the third party's place is its answer. */
function heardOf(payment: StoredPayment, world: World): StoredPayment {
  if (payment.status !== 'PENDING') return moved(payment, 'processor confirmed')
  const isNo = payment.challenge?.outcome === 'fail'
  return answered(payment, isNo ? 'third party refused' : 'third party agreed', world)
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
