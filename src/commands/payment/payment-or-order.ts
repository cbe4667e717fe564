import type { ArgumentSpec, FlagSpec } from '../../cli/spec.ts'
import { PAYMENT_ID } from '../body-flags.ts'

/** A payment by its id, or by the order that it is for. */
export const PAYMENT_OR_ORDER: ArgumentSpec = {
  ...PAYMENT_ID,
  foundBy: {
    flag: 'order',
    find: async (invocation, orderId) => {
      const { findByOrder } = await import('./find-by-order.ts')
      return findByOrder(invocation, orderId)
    },
  },
}

export const ORDER_FLAG = {
  order: {
    kind: 'text',
    value: 'ORDER',
    help: 'In place of ID: the payment of this order of yours; asks which where there are several',
  },
} as const satisfies Record<string, FlagSpec>
