import type { Operation } from '../api/operation.ts'
import { PAGE_LIMIT } from '../api/models/page-limit.ts'
import type { Answer, Call } from '../calls/call.ts'
import { fieldAt } from '../cli/parse/field-path.ts'
import { EXIT, PayError } from '../errors.ts'

export type ListOperation = Operation & { readonly query: NonNullable<Operation['query']> }
export type ListQuery = Readonly<Record<string, string>>

/** Sends a read. */
export type Read = (call: Call) => Promise<Answer>

export interface Page {
  readonly answer: Answer
  readonly entries: readonly unknown[]
  /** The cursor of the next page. */
  readonly next: string | undefined
}

export interface PageOptions {
  readonly read: Read
  readonly operation: ListOperation
  readonly query: ListQuery
  /** How many entries to read; default: all. */
  readonly limit?: number
  /** Called when the service repeats its pages, which ends the list. */
  readonly onRepeat: () => Promise<void> | void
  readonly patience?: (() => Call['patience']) | undefined
  /** Takes a first response without a list for an empty page, to show it as it is. */
  readonly mayLackList?: boolean
}

/**
 * Reads pages until `limit` entries are read or the service has no more.
 * @throws {PayError} exit 11 if a response has no list, unless it may lack one
 */
export async function* readPages({
  read,
  operation,
  query,
  limit = Number.MAX_SAFE_INTEGER,
  onRepeat,
  patience,
  mayLackList = false,
}: PageOptions): AsyncGenerator<Page> {
  const seen = new Set<string>()
  let cursor: string | undefined
  let count = 0
  do {
    const size = { limit: String(Math.min(limit - count, PAGE_LIMIT)) }
    const within = patience?.()
    const answer = await read({
      operation,
      params: {},
      query: { ...query, ...size, ...(cursor === undefined ? {} : { cursor }) },
      ...(within === undefined ? {} : { patience: within }),
    })
    const page = pageOf(answer, operation, mayLackList && cursor === undefined)
    const { length } = page.entries
    count += length
    yield page
    if (cursor !== undefined) seen.add(cursor)
    // The first page may be empty and still have a cursor; a later empty page ends the list.
    cursor = length === 0 && seen.size > 0 ? undefined : page.next
    if (cursor !== undefined && seen.has(cursor)) return await onRepeat()
  } while (cursor !== undefined && count < limit)
}

/** Doesn't parse the page with its schema: one invalid field in one entry would silently end the list. */
function pageOf(answer: Answer, operation: ListOperation, mayLackList: boolean): Page {
  const list = Array.isArray(answer.json) ? answer.json : fieldAt(answer.json, ['data'])
  if (!Array.isArray(list) && !mayLackList)
    throw new PayError('unusable_answer', EXIT.serverFault, 'The response is not a list', {
      operation: operation.id,
      outcome: 'none',
      retryable: false,
    })
  const cursor = fieldAt(answer.json, ['nextCursor'])
  return {
    answer,
    entries: Array.isArray(list) ? list : [],
    next: typeof cursor === 'string' && cursor !== '' ? cursor : undefined,
  }
}
