import { completeRequiredAction } from './complete-required-action.ts'
import { applyEvent } from './payment-changes.ts'
import type { StoredPayment, StoredTransaction } from '../store/stored-payment.ts'
import type { SandboxContext } from '../store/context.ts'
import { scenarioOfToken } from '../scenarios/find-scenario.ts'

/**
 * Brings every payment up to the virtual clock: third parties answer, SETTLING payments settle, PENDING refunds settle or
 * fail.
 */
export function processDuePayments(context: SandboxContext): void {
  const { payments } = context.store
  for (const payment of payments.due(context.now.getTime())) payments.save(settled(payment, context))
}

function settled(payment: StoredPayment, context: SandboxContext): StoredPayment {
  const isDue = (dueAtMs: number | undefined) => dueAtMs !== undefined && dueAtMs <= context.now.getTime()
  const confirmed = isDue(payment.dueAtMs) ? heardOf(payment, context) : payment
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
function heardOf(payment: StoredPayment, context: SandboxContext): StoredPayment {
  if (payment.status !== 'PENDING') return applyEvent(payment, 'processor confirmed')
  const isNo = payment.challenge?.outcome === 'fail'
  return completeRequiredAction(payment, isNo ? 'third party refused' : 'third party agreed', context)
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
