import type { Order } from '../api/order.ts'
import { shownWords } from './shown.ts'

/** `2 × Blue shoe, 1 × Sock`. */
export function lineItemsText(order: Order | undefined): string | undefined {
  const items = (order?.lineItems ?? []).map(
    ({ quantity = 1, name, itemId, description }) =>
      `${quantity} × ${shownWords(name ?? description ?? itemId) ?? 'item'}`,
  )
  return items.length === 0 ? undefined : items.join(', ')
}
