import type { ArgumentSpec } from '../cli/command/spec.ts'
import { PAYMENT_ID } from './body-flags.ts'
import type { PaymentChoiceFilter } from './payment-choices.ts'

/** The payment that a command acts on; on a terminal it is chosen from those that it can act on. */
export const paymentArgument = (offered: PaymentChoiceFilter = {}): ArgumentSpec => ({
  ...PAYMENT_ID,
  // Only a person who has typed no id waits for it.
  offer: async (invocation) => {
    const { listPaymentChoices } = await import('./payment-choices.ts')
    return listPaymentChoices(invocation, offered)
  },
})
