import type { PaymentStatus } from '../api/sets.ts'
import type { ArgumentSpec } from '../cli/command/flags.ts'
import type { RemainingFor } from '../views/payment/choices.ts'
import { PAYMENT_ID } from './body-flags.ts'

export interface Offered {
  /** Payments in one of these; all of them if left out. */
  readonly statuses?: readonly PaymentStatus[]
  /** What the command takes from: then what is left of that is shown, and a payment with nothing left is not offered. */
  readonly left?: RemainingFor
}

/** The payment that a command acts on; on a terminal it is chosen from those that it can act on. */
export const paymentToChoose = (offered: Offered = {}): ArgumentSpec => ({
  ...PAYMENT_ID,
  // Only a person who has typed no id waits for it.
  offer: async (invocation) => {
    const { offerPayments } = await import('./offer-payments.ts')
    return offerPayments(invocation, offered)
  },
})
