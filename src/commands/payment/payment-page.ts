import { listPayments } from '../../api/operations/payment.ts'
import { fieldAt } from '../../cli/parse/field-path.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { splitJsonItems } from '../../json/reformat.ts'

/** Reads one page of `GET /payments`: its entries as JSON text exactly as received, and the cursor of the next page. */
export async function readPaymentPage(invocation: Invocation, query: Readonly<Record<string, string>>) {
  const answer = await invocation.call({ operation: listPayments, params: {}, query })
  const items = answer.json === undefined ? [] : (splitJsonItems(answer.text, 'data') ?? [])
  // Don't parse the page with the schema: one invalid field in one payment would silently end the list.
  const cursor = fieldAt(answer.json, ['nextCursor'])
  return { answer, items, next: typeof cursor === 'string' && cursor !== '' ? cursor : undefined }
}
