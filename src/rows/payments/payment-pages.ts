import { nextCursorIn } from '../../api/next-cursor.ts'
import { PAGE_LIMIT } from '../../api/models/page-limit.ts'
import { listPayments } from '../../api/operations/payment.ts'
import type { BulkReader } from '../send/bulk-reader.ts'

export interface PaymentPage {
  readonly entries: readonly unknown[]
  /** Why the list can't be read further; `failed` in the words of the read. */
  readonly fault?:
    | { readonly kind: 'failed'; readonly message: string }
    | { readonly kind: 'not-a-list' | 'no-cursor' | 'repeats' }
}

/** Reads the payments of a list, a page at a time, up to its end or its fault. */
export async function* readPaymentPages(
  read: BulkReader,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<PaymentPage> {
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const outcome = await read({
      operation: listPayments,
      params: {},
      query: { ...query, limit: String(PAGE_LIMIT), ...(cursor === undefined ? {} : { cursor }) },
    })
    if (outcome.kind !== 'answer')
      return yield { entries: [], fault: { kind: 'failed', message: outcome.message } }
    const { data } = outcome.json
    if (!Array.isArray(data)) return yield { entries: [], fault: { kind: 'not-a-list' } }
    const next = nextCursorIn(outcome.json)
    if (next === null) return yield { entries: data, fault: { kind: 'no-cursor' } }
    if (next !== undefined && seen.has(next)) return yield { entries: data, fault: { kind: 'repeats' } }
    yield { entries: data }
    if (next !== undefined) seen.add(next)
    cursor = next
  } while (cursor !== undefined)
}
