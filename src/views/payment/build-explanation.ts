import type { Payment } from '../../api/models/payment.ts'
import { explainDecline } from './decline.ts'
import type { Explanation } from './explanation.ts'
import { summarizeAmounts } from './amount-summary.ts'
import { listActions } from './actions.ts'
import { deriveAmounts } from './amounts.ts'
import { capitalize } from '../format-fields.ts'
import { findStandouts } from './stands-out.ts'
import { buildTimeline } from './timeline.ts'

/**
 * Explains a payment from its fields, without the ledger. The commands contain `id`, and begin with `pay`: the program name
 * and the flags that select the account.
 */
export function buildExplanation(
  payment: Payment,
  { id, pay }: { readonly id: string; readonly pay: string },
): Omit<Explanation, 'ledger'> {
  const { status, statusReason } = payment
  return {
    payment,
    headline: describeStatus(payment),
    standsOut: findStandouts(payment),
    timeline: buildTimeline(payment),
    decline: status === 'DECLINED' || status === 'FAILED' ? explainDecline(statusReason) : null,
    figures: summarizeAmounts(payment),
    actions: listActions(payment, id, pay).map((action) => ({ ...action, blocked: null })),
  }
}

/** One sentence: what the status means for the money. */
export function describeStatus(payment: Payment): string {
  const { status, requiredAction, statusReason } = payment
  switch (status) {
    case undefined:
      return 'The service reports no status.'
    case 'PENDING':
      return requiredAction === undefined
        ? 'The outcome is pending: no funds are reserved.'
        : 'Waiting for the customer or a third party: no funds are reserved yet.'
    case 'AUTHORIZED':
      return 'Authorized: the funds are reserved and no money has moved yet.'
    case 'SETTLING':
      return `Captured: the money is being settled.${describeRefunds(payment)}`
    case 'PARTIALLY_SETTLED':
      return `Partially captured: more can be captured.${describeRefunds(payment)}`
    case 'SETTLED':
      return `Captured and settled: the money has moved.${describeRefunds(payment)}`
    case 'DECLINED':
      return `${capitalize(explainDecline(statusReason).by ?? 'declined')}: no money moved.`
    case 'FAILED':
      return statusReason?.type === 'GATEWAY_TIMEOUT'
        ? 'The processor did not respond: it is unknown whether money moved.'
        : `${capitalize(explainDecline(statusReason).by ?? 'failed')}: no money moved.`
    case 'CANCELLED':
      return 'Cancelled: no funds are reserved.'
    default:
      return 'pay does not recognize this status.'
  }
}

function describeRefunds(payment: Payment): string {
  const { captured, refunded, leftToRefund } = deriveAmounts(payment)
  if (captured === undefined || refunded === undefined || refunded === 0) return ''
  return leftToRefund === 0 ? ' It is fully refunded.' : ' It is partially refunded.'
}
