import type { ActionName } from '../api/actions/actions.ts'
import type { ArgumentSpec } from '../cli/command/flags.ts'
import { PAYMENT_ID } from './body-flags.ts'

/** The ID of the payment a command acts on. Without one, a terminal shows a choice of the payments that allow the action. */
export const paymentArgument = (action?: ActionName): ArgumentSpec => ({
  ...PAYMENT_ID,
  // Loads the API schemas, which takes time: import it only when a choice is shown.
  offer: async (invocation) => {
    const { listPaymentChoices } = await import('./payment-choices.ts')
    return listPaymentChoices(invocation, action)
  },
})
