import type { PaymentStatus } from '../api/sets.ts'
import type { ArgumentSpec } from '../cli/spec.ts'
import { PAYMENT_ID } from './body-flags.ts'

/** The payment that a command acts on; on a terminal one of those in these states is offered, all of them if none is named. */
export const paymentToChoose = (...statuses: readonly PaymentStatus[]): ArgumentSpec => ({
  ...PAYMENT_ID,
  // Only a person who has typed no id waits for it.
  offer: async (invocation) => {
    const { offerPayments } = await import('./offer-payments.ts')
    return offerPayments(invocation, statuses)
  },
})
