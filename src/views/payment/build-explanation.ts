import type { Payment, Transaction } from '../../api/models/payment.ts'
import { explainDecline } from './decline.ts'
import type { Explanation } from './explanation.ts'
import { sumOf, summarizeAmounts } from './amount-summary.ts'
import { listActions } from './actions.ts'
import type { CommandFacts } from './actions.ts'
import { deriveAmounts } from './amounts.ts'
import { formatAmount } from '../format-fields.ts'
import { mayHaveReturned, pendingRefunds, refundsOf, hasFailed } from './refunds.ts'
import { findStandouts } from './stands-out.ts'
import { buildTimeline } from './timeline.ts'
import { capitalize, pluralize } from '../../text/words.ts'

/** Explains a payment from its fields, without the ledger. */
export function buildExplanation(
  payment: Payment,
  { now, ...facts }: CommandFacts & { readonly now: Date },
): Omit<Explanation, 'ledger'> {
  const { status, statusReason } = payment
  return {
    payment,
    headline: describeStatus(payment),
    standsOut: findStandouts(payment, now),
    timeline: buildTimeline(payment),
    decline: status === 'DECLINED' || status === 'FAILED' ? explainDecline(statusReason) : null,
    figures: summarizeAmounts(payment),
    actions: listActions(payment, facts).map((action) => ({ ...action, blocked: null })),
  }
}

/** What the customer has and has not got back, where a refund failed; then what the status means for the money. */
export const describeStatus = (payment: Payment): string =>
  [describeFailedRefunds(payment), meaningOf(payment)].filter((words) => words !== '').join(' ')

function meaningOf(payment: Payment): string {
  const { status, requiredAction, statusReason } = payment
  switch (status) {
    case undefined:
      return 'The service reports no status.'
    case 'PENDING':
      return requiredAction === undefined
        ? 'The outcome is pending: no funds are reserved.'
        : 'Waiting for the customer or a third party: no funds are reserved yet.'
    case 'AUTHORIZED':
      return (deriveAmounts(payment).captured ?? 0) > 0
        ? `Authorized: the funds are reserved${moved(payment)}.`
        : 'Authorized: the funds are reserved and no money has moved yet.'
    case 'SETTLING':
      return `Captured: the money is being settled.${describeRefunds(payment)}`
    case 'PARTIALLY_SETTLED':
      return `Partially captured: more can be captured.${describeRefunds(payment)}`
    case 'SETTLED':
      return `Captured and settled: the money has moved.${describeRefunds(payment)}`
    case 'DECLINED':
      return `${capitalize(explainDecline(statusReason).by ?? 'declined')}${moved(payment)}.`
    case 'FAILED':
      return statusReason?.type === 'GATEWAY_TIMEOUT'
        ? 'The processor did not respond: it is unknown whether money moved.'
        : `${capitalize(explainDecline(statusReason).by ?? 'failed')}${moved(payment)}.`
    case 'CANCELLED':
      return 'Cancelled: no funds are reserved.'
    default:
      return 'pay does not recognize this status.'
  }
}

/** What moved although the status says that nothing did. */
function moved(payment: Payment): string {
  const { captured = 0 } = deriveAmounts(payment)
  return captured > 0
    ? `, but ${formatAmount(captured, payment.currencyCode) ?? 'part of it'} was captured`
    : ': no money moved'
}

function describeRefunds(payment: Payment): string {
  const { captured, refunded, leftToRefund } = deriveAmounts(payment)
  if (captured === undefined || refunded === undefined || refunded === 0) return ''
  return leftToRefund === 0 ? ' It is fully refunded.' : ' It is partially refunded.'
}

/** One or two sentences on refunds that failed; none if every refund is on its way or has returned its money. */
function describeFailedRefunds(payment: Payment): string {
  const all = refundsOf(payment)
  const notReturned = all.filter(hasFailed)
  const failed = notReturned.filter((refund) => !mayHaveReturned(refund))
  const unknown = notReturned.filter(mayHaveReturned)
  const pending = pendingRefunds(payment)
  const returned = all.filter((refund) => !notReturned.includes(refund) && !pending.includes(refund))
  const sum = (refunds: readonly Transaction[]) =>
    formatAmount(sumOf(refunds) ?? undefined, payment.currencyCode)
  const got = returned.length === 0 ? 'nothing' : (sum(returned) ?? 'part of the money')
  const onItsWay =
    pending.length === 0
      ? ':'
      : `${returned.length === 0 ? ' yet' : ''}, ${sum(pending) ?? `the money of ${pluralize(pending.length, 'refund')}`} is on its way, and`
  const described = (refunds: readonly Transaction[]) =>
    `${refunds.length === 1 ? `${all.length === 1 ? 'the' : 'a'} refund` : `${refunds.length} refunds`}${sum(refunds) === undefined ? '' : ` of ${sum(refunds)}${refunds.length === 1 ? '' : ' in total'}`}`
  return [
    failed.length === 0
      ? undefined
      : `The customer has got ${got} back${onItsWay} ${described(failed)} failed.`,
    unknown.length === 0
      ? undefined
      : `Whether ${described(unknown)} reached the customer is unknown: the processor never responded.`,
  ]
    .filter((words) => words !== undefined)
    .join(' ')
}
