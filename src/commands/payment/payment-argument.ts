import type { ACTIONS, ActionName } from '../../api/actions/actions.ts'
import type { ArgumentSpec, FlagSpec } from '../../cli/command/flags.ts'

/**
 * The payment a command acts on: its ID, or its order with `--order`. Without either, a terminal searches for it among the
 * payments that allow the action. Use it with {@link ORDER_FLAG}.
 */
export const paymentArgument = (action?: ActionName): ArgumentSpec => ({
  name: 'ID',
  param: 'id',
  ask: 'Payment ID',
  from: 'payment',
  help: 'The payment ID',
  // These load the API schemas, which takes time: import them only when they are needed.
  offer: async (invocation) => {
    const { listPaymentChoices } = await import('./payment-choices.ts')
    return listPaymentChoices(invocation, action)
  },
  lookup: {
    flag: 'order',
    find: async (invocation, orderId) => {
      const { findByOrder } = await import('./find-by-order.ts')
      return findByOrder(invocation, orderId)
    },
    isKnown: async (invocation, orderId) => {
      const { readOrderPage } = await import('../order-siblings.ts')
      return (await readOrderPage(invocation, orderId)).length > 0
    },
  },
})

export const ORDER_FLAG = {
  order: {
    kind: 'text',
    value: 'ORDER',
    from: 'order',
    help: 'Find the payment by your order ID instead of ID; asks which if several match',
  },
} as const satisfies Record<string, FlagSpec>

/** The flags for each field of an action. */
interface FieldFlags {
  readonly amount: 'amount' | 'currency'
  readonly final: 'final'
  readonly reason: 'reason'
  readonly processor: 'processor-merchant-id' | 'processor'
  readonly resumeToken: 'resume-token'
}

/** The flags that the command of an action must have: without one for a field of the action, it doesn't compile. */
export type ActionFlags<Name extends ActionName> = Readonly<
  Record<string, FlagSpec> & Record<FieldFlags[(typeof ACTIONS)[Name]['fields'][number]], FlagSpec>
>
