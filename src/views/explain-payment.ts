import type { Payment } from '../api/payment.ts'
import { declineOf } from './decline.ts'
import type { Explanation } from './explanation.ts'
import { moneyStory } from './money-story.ts'
import { actionsOf } from './payment-actions.ts'
import { headlineOf } from './payment-headline.ts'
import { timelineOf } from './timeline.ts'

/** What a payment tells by itself; `id` is what it is called in commands, `pay` the program with what chooses the account. */
export function explainPayment(
  payment: Payment,
  { id, pay }: { readonly id: string; readonly pay: string },
): Omit<Explanation, 'ledger'> {
  const { status, statusReason } = payment
  return {
    payment,
    headline: headlineOf(payment),
    timeline: timelineOf(payment),
    decline: status === 'DECLINED' || status === 'FAILED' ? declineOf(statusReason) : null,
    figures: moneyStory(payment),
    actions: actionsOf(payment, id, pay).map((action) => ({ ...action, blocked: null })),
  }
}
