import { areSeveral, decidePaymentOfOrder } from '../../api/payment-of-order.ts'
import type { OrderPayment } from '../../api/payment-of-order.ts'
import { getPayment } from '../../api/operations/payment.ts'
import type { BulkReader } from '../send/bulk-reader.ts'
import { isRecord } from '../../json/is-record.ts'
import { factsOf } from './payment-facts.ts'
import type { BatchFacts } from './payment-facts.ts'
import { readPaymentPages } from './payment-pages.ts'

/** The payment that a row names, or why it can't be judged. `message` completes the row's message. */
export type Reading =
  | {
      readonly kind: 'payment'
      readonly facts: BatchFacts
      /** Why this payment was chosen, if its order has others. */
      readonly note?: string
    }
  | { readonly kind: 'not_found' | 'ambiguous_order' | 'unread'; readonly message: string }

export interface PaymentReader {
  readonly byId: (id: string) => Promise<Reading>
  /** The only payment of the merchant's order, or the only one that is not over; see {@link decidePaymentOfOrder}. */
  readonly byOrder: (orderId: string) => Promise<Reading>
}

/** Reads a payment or an order once for nearby rows that name it. */
export function createPaymentReader(read: BulkReader): PaymentReader {
  const payments = new Map<string, Promise<Reading>>()
  const orders = new Map<string, Promise<Reading>>()

  async function readById(id: string): Promise<Reading> {
    const outcome = await read({ operation: getPayment, params: { id } })
    if (outcome.kind === 'answer') return { kind: 'payment', facts: factsOf(outcome.json, id) }
    return outcome.kind === 'not-found'
      ? { kind: 'not_found', message: 'there is no such payment: check the ID and the profile' }
      : unread(outcome.message)
  }

  async function readByOrder(orderId: string): Promise<Reading> {
    const found = new Map<
      string,
      { readonly named: string | undefined; readonly entry: Readonly<Record<string, unknown>> }
    >()
    for await (const { entries, fault } of readPaymentPages(read, { order_id: orderId })) {
      for (const entry of entries.filter(isRecord)) {
        const { id, orderId: named } = entry
        // A service may read a comma as "or" and return other orders.
        if (typeof named === 'string' && named !== orderId) continue
        if (typeof id !== 'string' || id === '') return unread('a payment in the list has no ID')
        found.set(id, { named: typeof named === 'string' ? named : undefined, entry })
      }
      if (fault !== undefined)
        return unread(
          fault.kind === 'failed' ? `the order could not be searched: ${fault.message}` : FAULTS[fault.kind],
        )
      if (areSeveral([...found.values()].map(({ entry }) => entry))) break
    }
    const [first] = found
    if (first === undefined)
      return { kind: 'not_found', message: 'no payment has this order: check the order ID and the profile' }
    const [id, { named }] = first
    if (found.size > 1) {
      const ids = [...found.keys()]
      const known = [...found.values()].map(({ entry }): OrderPayment => ({ payment: entry, isFull: false }))
      let verdict = decidePaymentOfOrder(known)
      if (verdict.kind === 'read') {
        for (const at of verdict.at) {
          const outcome = await read({ operation: getPayment, params: { id: ids[at] ?? '' } })
          if (outcome.kind !== 'answer') return unread('another payment of the order could not be read')
          known[at] = { payment: outcome.json, isFull: true }
        }
        verdict = decidePaymentOfOrder(known)
      }
      const chosen = verdict.kind === 'one' ? ids[verdict.at] : undefined
      if (chosen !== undefined && found.get(chosen)?.named !== undefined) {
        const reading = await reader.byId(chosen)
        found.delete(chosen)
        return reading.kind === 'payment' ? { ...reading, note: noteOf(found) } : reading
      }
      return {
        kind: 'ambiguous_order',
        message: `several payments have this order: fill in the paymentId (${[...found.keys()].slice(0, 3).join(', ')}${found.size > 3 ? ', …' : ''})`,
      }
    }
    if (named === undefined)
      return {
        kind: 'ambiguous_order',
        message: `payment ${id} was found, but it does not name the order: fill in its paymentId if it is the right one`,
      }
    return reader.byId(id)
  }

  const reader: PaymentReader = {
    byId: (id) => once(payments, id, readById),
    byOrder: (orderId) => once(orders, orderId, readByOrder),
  }
  return reader
}

/** The most other payments to name in a row's message. */
const MAX_NAMED = 3

function noteOf(others: ReadonlyMap<string, { readonly entry: Readonly<Record<string, unknown>> }>): string {
  const named = [...others].slice(0, MAX_NAMED).map(([id, { entry }]) => `${id} ${String(entry['status'])}`)
  const more = others.size > MAX_NAMED ? `, and ${others.size - MAX_NAMED} more` : ''
  return `the order's other payments never captured anything (${named.join(', ')}${more})`
}

const FAULTS = {
  'not-a-list': 'the list of payments for the order is not a list',
  'no-cursor': "the next page of payments for the order can't be asked for",
  repeats: 'the list of payments repeats a page',
} as const

const unread = (message: string): Reading => ({
  kind: 'unread',
  message: `the payment could not be read (${message})`,
})

/** How many payments to keep. Reading one again costs less than keeping them all. */
const MAX_KEPT = 128

function once(
  known: Map<string, Promise<Reading>>,
  name: string,
  read: (name: string) => Promise<Reading>,
): Promise<Reading> {
  const before = known.get(name)
  if (before !== undefined) return before
  const reading = read(name)
  known.set(name, reading)
  const [oldest] = known.size > MAX_KEPT ? known.keys() : []
  if (oldest !== undefined) known.delete(oldest)
  return reading
}
