import type { Operation } from '../../api/operation.ts'
import { hash } from 'node:crypto'
import { nextCursorIn } from '../../api/next-cursor.ts'
import { PAGE_LIMIT } from '../../api/models/page-limit.ts'
import type { Answer, Call } from '../../client/calls/call.ts'
import { fieldAt } from '../../json/fields.ts'
import { EXIT, PayError } from '../../errors.ts'
import { isRecord } from '../../json/is-record.ts'
import { stringifyJson } from '../../json/json.ts'
import type { ListQuery } from '../../views/search/filters.ts'

export type ListOperation = Operation & { readonly query: NonNullable<Operation['query']> }

/** Sends a read. */
export type Read = (call: Call) => Promise<Answer>

export interface Page {
  readonly answer: Answer
  readonly entries: readonly unknown[]
  /** A hash of the entries. */
  readonly content: string
  /** The cursor of the next page; undefined at the end of the list. */
  readonly next: string | undefined
}

/** A place in a list up to which an earlier process has read it. */
export interface ReadSoFar {
  /** The cursor of the next page. */
  readonly cursor: string
  /** The cursors that led there, and hashes of the pages. */
  readonly followed: readonly string[]
  readonly contents: readonly string[]
}

export interface PageOptions {
  readonly read: Read
  readonly operation: ListOperation
  readonly query: ListQuery
  /** How many entries to read; default: all. */
  readonly limit?: number
  /** Goes on from there; default: the beginning. */
  readonly after?: ReadSoFar | undefined
  /** The error for a service that repeats a page. */
  readonly repeated?: () => PayError
  readonly patience?: (() => Call['patience']) | undefined
  /** Takes a first response without a list for an empty page, to show it as it is. */
  readonly mayLackList?: boolean
}

/**
 * Reads pages until `limit` entries are read or the service has no more.
 * @throws {PayError} exit 11 if a response has no list, unless it may lack one; if the service repeats a page; if a cursor can't be
 * followed
 */
export async function* readPages({
  read,
  operation,
  query,
  limit = Number.MAX_SAFE_INTEGER,
  after,
  repeated = () => unusable(operation, 'The service repeats a page, so the list is incomplete'),
  patience,
  mayLackList = false,
}: PageOptions): AsyncGenerator<Page> {
  /** The cursors that were followed, and hashes of the pages. */
  const [seen, pages] = [new Set(after?.followed), new Set(after?.contents)]
  let cursor = after?.cursor
  let count = 0
  do {
    if (cursor !== undefined && seen.has(cursor)) throw repeated()
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
    const content = hash('sha256', stringifyJson(page.entries), 'base64url')
    // A short last page may repeat one: payments that are created meanwhile push the others back.
    const mayRepeat = length < PAGE_LIMIT && page.next === undefined
    if (length > 0 && !mayRepeat && pages.has(content)) throw repeated()
    pages.add(content)
    // The first page may be empty and still have a cursor; a later empty page ends the list.
    const next = length === 0 && cursor !== undefined ? undefined : page.next
    yield { ...page, content, next }
    if (cursor !== undefined) seen.add(cursor)
    cursor = next
  } while (cursor !== undefined && count < limit)
}

/** Reads a page, without its schema: one invalid field in one entry would silently end the list. */
function pageOf(answer: Answer, operation: ListOperation, mayLackList: boolean): Omit<Page, 'content'> {
  const list = Array.isArray(answer.json) ? answer.json : fieldAt(answer.json, ['data'])
  if (!Array.isArray(list) && !mayLackList) throw unusable(operation, 'The response is not a list')
  const next = isRecord(answer.json) ? nextCursorIn(answer.json) : undefined
  if (next === null)
    throw unusable(operation, "The next page can't be read: its cursor is neither text nor a whole number")
  return {
    answer,
    entries: Array.isArray(list) ? list : [],
    next,
  }
}

const unusable = (operation: Operation, message: string): PayError =>
  new PayError('unusable_answer', EXIT.serverFault, message, {
    operation: operation.id,
    outcome: 'none',
    retryable: false,
  })
