import { listPayments } from '../../api/operations/payment.ts'
import { fieldAt } from '../../cli/parse/field-path.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { splitJsonItems } from '../../json/reformat.ts'

/** One page of `GET /payments`, its entries as they came, and where the next begins. */
export async function readPage(invocation: Invocation, query: Readonly<Record<string, string>>) {
  const answer = await invocation.call({ operation: listPayments, params: {}, query })
  const items = answer.json === undefined ? [] : (splitJsonItems(answer.text, 'data') ?? [])
  // Not by the schema: one odd field of one payment would end the list early and in silence.
  const cursor = fieldAt(answer.json, ['nextCursor'])
  return { answer, items, next: typeof cursor === 'string' && cursor !== '' ? cursor : undefined }
}
