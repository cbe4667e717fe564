import type { ArgumentSpec, FlagSpec } from '../../cli/command/spec.ts'
import { paymentArgument } from '../payment-argument.ts'
import type { PaymentChoiceFilter } from '../payment-choices.ts'

/** A payment by its id, or by the order that it is for; on a terminal one of those that it can act on is offered. */
export const paymentOrOrder = (offered: PaymentChoiceFilter = {}): ArgumentSpec => ({
  ...paymentArgument(offered),
  foundBy: {
    flag: 'order',
    find: async (invocation, orderId) => {
      const { findByOrder } = await import('./find-by-order.ts')
      return findByOrder(invocation, orderId)
    },
  },
})

export const ORDER_FLAG = {
  order: {
    kind: 'text',
    value: 'ORDER',
    from: 'order',
    help: 'In place of ID: the payment of this order of yours; asks which where there are several',
  },
} as const satisfies Record<string, FlagSpec>
