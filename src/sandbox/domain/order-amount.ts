import type { Order } from '../../api/models/order.ts'
import { orderTotal } from '../../api/models/order-total.ts'
import { invalid } from '../problem.ts'

/** The total of an order; undefined if nothing in it has an amount. */
export function orderAmount(order: Order | undefined): number | undefined {
  const total = orderTotal(order)
  if (total === undefined) return undefined
  if (total < 0n) throw invalid([{ path: '$.order', description: 'has a negative total' }])
  if (total > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalid([{ path: '$.order', description: 'has a total above 2^53-1' }])
  return Number(total)
}

interface OrderForms {
  readonly order?: Order | undefined
  readonly orderDetails?: Order | undefined
  readonly lineItems?: Order['lineItems']
}

/** Converts either form of an order to the one in responses. */
export function orderOf(body: OrderForms): Order | undefined {
  const { order, orderDetails, lineItems } = body
  if (orderDetails === undefined && lineItems === undefined) return order
  return { ...orderDetails, ...(lineItems === undefined ? {} : { lineItems }) }
}

/** Updates an order: top-level `lineItems` and `orderDetails` are separate fields, each replaced or cleared alone. */
export function updatedOrder(
  before: Order | undefined,
  body: OrderForms,
  cleared: ReadonlySet<string>,
): Order | undefined {
  if (body.order !== undefined) return body.order
  if (cleared.has('order')) return orderOf(body)
  const { lineItems: linesBefore, ...detailsBefore } = before ?? {}
  const details = body.orderDetails ?? (cleared.has('orderDetails') ? {} : detailsBefore)
  const given = body.lineItems ?? body.orderDetails?.lineItems
  const lines = given ?? (cleared.has('lineItems') ? undefined : linesBefore)
  const after = { ...details, lineItems: lines }
  return Object.values(after).every((part) => part === undefined) ? undefined : after
}
