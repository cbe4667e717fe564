import type { Payment } from '../../api/models/payment.ts'
import { explainDecline } from './decline.ts'
import type { Explanation } from './explanation.ts'
import { summarizeAmounts } from './amount-summary.ts'
import { listActions } from './actions.ts'
import { deriveAmounts } from './amounts.ts'
import { capitalize } from '../format-fields.ts'
import { buildTimeline } from './timeline.ts'

/** What a payment tells by itself; `id` is what it is called in commands, `pay` the program with what chooses the account. */
export function buildExplanation(
  payment: Payment,
  { id, pay }: { readonly id: string; readonly pay: string },
): Omit<Explanation, 'ledger'> {
  const { status, statusReason } = payment
  return {
    payment,
    headline: describeStatus(payment),
    timeline: buildTimeline(payment),
    decline: status === 'DECLINED' || status === 'FAILED' ? explainDecline(statusReason) : null,
    figures: summarizeAmounts(payment),
    actions: listActions(payment, id, pay).map((action) => ({ ...action, blocked: null })),
  }
}

/** What its status means for the money, in one sentence. */
function describeStatus(payment: Payment): string {
  const { status, requiredAction, statusReason } = payment
  switch (status) {
    case undefined:
      return 'The service does not say what its status is.'
    case 'PENDING':
      return requiredAction === undefined
        ? 'It is not decided yet: nothing is reserved.'
        : 'It waits for the customer or a third party: nothing is reserved yet.'
    case 'AUTHORIZED':
      return 'The money is reserved, and none has moved yet.'
    case 'SETTLING':
      return `It is captured, and the money is on its way.${describeRefunds(payment)}`
    case 'PARTIALLY_SETTLED':
      return `A part of it is captured, and more can be.${describeRefunds(payment)}`
    case 'SETTLED':
      return `It is captured: the money has moved.${describeRefunds(payment)}`
    case 'DECLINED':
      return `${capitalize(explainDecline(statusReason).by ?? 'it was refused')}: no money moved.`
    case 'FAILED':
      return statusReason?.type === 'GATEWAY_TIMEOUT'
        ? 'The processor never answered: it is not known whether money moved.'
        : `${capitalize(explainDecline(statusReason).by ?? 'it failed')}: no money moved.`
    case 'CANCELLED':
      return 'It was cancelled: nothing is reserved any longer.'
    default:
      return 'Its status is not one that pay knows.'
  }
}

function describeRefunds(payment: Payment): string {
  const { captured, refunded, leftToRefund } = deriveAmounts(payment)
  if (captured === undefined || refunded === undefined || refunded === 0) return ''
  return leftToRefund === 0 ? ' All of it was refunded.' : ' A part of it was refunded.'
}
