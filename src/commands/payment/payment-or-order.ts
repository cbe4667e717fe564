import type { ActionName } from '../../api/actions/actions.ts'
import type { ArgumentSpec, FlagSpec } from '../../cli/command/flags.ts'
import { paymentArgument } from '../payment-argument.ts'

/** A payment by its ID, or by its order ID with `--order`. */
export const paymentOrOrder = (action?: ActionName): ArgumentSpec => ({
  ...paymentArgument(action),
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
    help: 'Find the payment by your order ID instead of ID; asks which if several match',
  },
} as const satisfies Record<string, FlagSpec>
