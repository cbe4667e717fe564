import { order } from '../api/order.ts'
import type { Order } from '../api/order.ts'
import { mergeDeep } from './merge.ts'
import { isOf } from './validation.ts'

/** An order with what is given merged into it, field by field; lists are replaced (as spec 4.3.3 has it). */
export function mergedOrder(before: Order | undefined, given: Order | undefined): Order | undefined {
  if (given === undefined) return before
  const merged = mergeDeep(before, given)
  if (isOf(order, merged)) return merged
  throw new Error('Two orders that were both accepted do not go together')
}
