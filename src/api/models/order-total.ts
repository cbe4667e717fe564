import type { Order } from './order.ts'

/**
 * What an order comes to: each line's amount by its quantity, less discount, plus tax, then fees and shipping.
 * Undefined where nothing in it has an amount. BigInt, since a product of two exact integers need not be one.
 */
export function orderTotal(order: Order | undefined): bigint | undefined {
  const lines = order?.lineItems ?? []
  const flat = [...(order?.fees ?? []), ...(order?.shipping === undefined ? [] : [order.shipping])]
  const amounts = [
    ...lines.flatMap((line) => [line.amount, line.discountAmount, line.taxAmount]),
    ...flat.map((part) => part.amount),
  ]
  if (amounts.every((amount) => amount === undefined)) return undefined
  let total = 0n
  for (const line of lines) {
    total += BigInt(line.amount ?? 0) * BigInt(line.quantity ?? 1)
    total += BigInt(line.taxAmount ?? 0) - BigInt(line.discountAmount ?? 0)
  }
  for (const part of flat) total += BigInt(part.amount ?? 0)
  return total
}
