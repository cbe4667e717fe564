import { completeRequiredAction } from './complete-required-action.ts'
import { applyEvent } from './payment-changes.ts'
import type { StoredPayment, StoredTransaction } from '../stored.ts'
import type { SandboxContext } from '../context.ts'
import { scenarioOfToken } from '../scenarios/payment-scenarios.ts'

/** Applies every event that is due on the virtual clock: third parties answer, payments settle, refunds settle or fail. */
export function processDuePayments(context: SandboxContext): void {
  const { payments, settings } = context.store
  const due = payments.due(context.now.getTime())
  for (const payment of due) payments.save(withDueEvents(payment, context))
  if (due.length > 0) settings.markChange()
}

function withDueEvents(payment: StoredPayment, context: SandboxContext): StoredPayment {
  const isDue = (dueAtMs: number | undefined) => dueAtMs !== undefined && dueAtMs <= context.now.getTime()
  const confirmed = isDue(payment.dueAtMs) ? confirm(payment, context) : payment
  const refundsFail = scenarioOfToken(payment.method.scenario)?.refunds === 'fail'
  const transactions = confirmed.transactions.map((transaction) =>
    isDue(transaction.dueAtMs) ? finishRefund(transaction, refundsFail) : transaction,
  )
  const failedRefunds = confirmed.transactions
    .filter((transaction) => refundsFail && isDue(transaction.dueAtMs))
    .reduce((sum, transaction) => sum + transaction.amount, 0)
  return { ...confirmed, transactions, amountRefunded: confirmed.amountRefunded - failedRefunds }
}

/** Applies the answer that was due. An answer given with `sandbox challenge` wins. */
function confirm(payment: StoredPayment, context: SandboxContext): StoredPayment {
  if (payment.status !== 'PENDING') return applyEvent(payment, 'processor confirmed')
  const isRefused = payment.challenge?.outcome === 'fail'
  return completeRequiredAction(payment, isRefused ? 'third party refused' : 'third party agreed', context)
}

function finishRefund(transaction: StoredTransaction, fails: boolean): StoredTransaction {
  if (!fails) return { ...transaction, processorStatus: 'SETTLED', dueAtMs: undefined }
  return {
    ...transaction,
    processorStatus: 'FAILED',
    processorStatusReason: {
      type: 'GATEWAY_REJECTED',
      code: 'ERROR',
      message: 'The processor did not make the refund.',
    },
    dueAtMs: undefined,
  }
}
