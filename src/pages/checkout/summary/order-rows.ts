import type { Order } from '../../../api/models/order.ts'
import { lineTotal } from '../../../views/order.ts'
import type { Price, Terms } from './price.ts'

/** One amount of the order, in minor units. A bigint, because products may exceed the safe integers. */
export interface Row {
  readonly label: string
  readonly amount: bigint
}

export type LineItem = NonNullable<Order['lineItems']>[number]

/**
 * What is added to the line items, so that all rows together give the total. A session's own amount overrides the sum of its
 * order; the difference has its own row.
 */
export function extraRows(
  { lineItems = [], fees = [], shipping }: Order,
  terms: Pick<Terms, 'amount'>,
  price: Price,
): readonly Row[] {
  const rows: Row[] = []
  if (shipping?.amount !== undefined) rows.push({ label: 'Shipping', amount: BigInt(shipping.amount) })
  for (const { amount = 0, description, type } of fees)
    rows.push({ label: description || type || 'Fee', amount: BigInt(amount) })
  const isItemized = lineItems.length > 0 || rows.length > 0
  const sum = [...lineItems.map(lineTotal), ...rows.map(({ amount }) => amount)].reduce(
    (total, amount) => total + amount,
    0n,
  )
  const difference = BigInt(terms.amount ?? 0) - sum
  if (isItemized && difference !== 0n) rows.push({ label: 'Adjustment', amount: difference })
  if (price.surcharge !== undefined && price.surcharge !== 0)
    rows.push({ label: 'Surcharge', amount: BigInt(price.surcharge) })
  return rows
}

/** Whether the total contains a surcharge that isn't listed. */
export const hidesSurcharge = (terms: Pick<Terms, 'amount'>, { amount, surcharge = 0 }: Price): boolean =>
  amount - surcharge !== terms.amount
