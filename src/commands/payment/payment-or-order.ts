import type { ArgumentSpec, FlagSpec } from '../../cli/command/flags.ts'
import { paymentToChoose } from '../payment-argument.ts'
import type { Offered } from '../payment-argument.ts'

/** A payment by its id, or by the order that it is for; on a terminal one of those that it can act on is offered. */
export const paymentOrOrder = (offered: Offered = {}): ArgumentSpec => ({
  ...paymentToChoose(offered),
  lookup: {
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
