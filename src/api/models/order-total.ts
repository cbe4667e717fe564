import type { Order } from './order.ts'

/**
 * The total of an order in minor units: each line's amount times quantity, minus discount, plus tax; then fees and shipping.
 * Undefined without any amount. A bigint, because products may exceed the safe integers.
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
