import type { LineItem, OrderDetails, Price, Terms } from '../service/details.ts'

/** One amount of the order, in minor units. A bigint, because products may exceed the safe integers. */
export interface Row {
  readonly label: string
  readonly amount: bigint
}

/** The whole line: amount times quantity, less the discount, plus tax. */
export const lineTotal = ({ amount, quantity, discountAmount, taxAmount }: LineItem): bigint =>
  BigInt(amount) * BigInt(quantity) - BigInt(discountAmount) + BigInt(taxAmount)

/**
 * What is added to the line items, so that all rows together give the total. A session's own amount overrides the sum of its
 * order; the difference has its own row.
 */
export function extraRows(order: OrderDetails, terms: Terms, price: Price): readonly Row[] {
  const rows: Row[] = []
  if (order.shipping !== undefined) rows.push({ label: 'Shipping', amount: BigInt(order.shipping) })
  for (const { label, amount } of order.fees) rows.push({ label, amount: BigInt(amount) })
  const isItemized = order.lineItems.length > 0 || rows.length > 0
  const sum = [...order.lineItems.map(lineTotal), ...rows.map(({ amount }) => amount)].reduce(
    (total, amount) => total + amount,
    0n,
  )
  const difference = BigInt(terms.amount) - sum
  if (isItemized && difference !== 0n) rows.push({ label: 'Adjustment', amount: difference })
  if (price.surcharge !== undefined && price.surcharge !== 0)
    rows.push({ label: 'Surcharge', amount: BigInt(price.surcharge) })
  return rows
}

/** Whether the total contains a surcharge that isn't listed. */
export const hidesSurcharge = (terms: Terms, { amount, surcharge = 0 }: Price): boolean =>
  BigInt(amount) - BigInt(surcharge) !== BigInt(terms.amount)
