import { PAGE_LIMIT } from '../../api/models/page-limit.ts'
import { listPayments } from '../../api/operations/payment.ts'
import { parseTimeMs } from '../../text/local-time.ts'
import { PayError, isInterruption } from '../../errors.ts'
import { filtersOf, idsOf, ignoredFilters, listQueriesOf } from '../../views/search/filters.ts'
import { fitOf } from '../../views/search/match.ts'
import type { ListQuery } from '../../views/search/filters.ts'
import type { Facts, Fit } from '../../views/search/match.ts'
import { readPages } from './pages.ts'
import type { Page, Read } from './pages.ts'
import { readWhole, rowsOf, unusableListError } from './rows.ts'
import type { FoundPayment, Row } from './rows.ts'
import { isBefore } from '../../views/search/times.ts'
import type { Query } from '../../views/search/query.ts'

export interface SearchOptions {
  /** Sends a read: the `call` of an invocation. */
  readonly read: Read
  readonly query: Query
  /** The most payments to find. */
  readonly limit: number
  /** Whether to look through the newest payments too. */
  readonly wide?: boolean
  /** Ends the search with the signal's reason, between two reads. */
  readonly signal?: AbortSignal | undefined
  /** The clock of the time limit. */
  readonly now: () => Date
}

/** How far a wide search got. */
export interface Reached {
  readonly rows: number
  /** Why it ended: all payments, 1,000 of them, 10 seconds, or as many as were wanted. */
  readonly end: 'all' | 'rows' | 'time' | 'limit'
}

export interface Search {
  /** Newest first. */
  readonly rows: readonly FoundPayment[]
  /** The filters of each list that was asked for. Empty if the ID alone has led to the payment. */
  readonly sent: readonly ListQuery[]
  /** Query parameters that the service has ignored: it listed payments that they exclude. */
  readonly ignored: readonly string[]
  /** How many rows of lists were checked here. */
  readonly checked: number
  /** The time of the oldest row. */
  readonly back: string | undefined
  /** How many payments were read in full, since their rows don't tell. */
  readonly readInFull: number
  /** How many rows don't tell and were not read in full. */
  readonly unread: number
  /** Undefined if the search was not wide. A wide search doesn't look for an e-mail. */
  readonly reached: Reached | undefined
  /** Whether there are or may be more than the rows. */
  readonly more: boolean
}

/** The most payments to read in full for an e-mail, which a list's rows don't have. */
const MAX_READ_IN_FULL = 20
export const WIDE_ROWS = 1_000
export const WIDE_MS = 10_000

/** Finds payments that fit every word: by their ID, else by the service's filters, and among the newest. Checks every row. */
export async function searchPayments(options: SearchOptions): Promise<Search> {
  const { query, limit, wide = false } = options
  const progress = createProgress()
  for (const id of idsOf(query)) await readById(options, id, progress)
  const isFoundById = progress.found.size > 0
  for (const filters of isFoundById ? [] : listQueriesOf(query))
    await searchByFilters(options, filters, progress)
  const reached =
    wide && !isFoundById && !isForEmail(query) ? await searchNewest(options, progress) : undefined
  const rows = progress.rows()
  return {
    rows: rows.slice(0, limit),
    sent: progress.sent,
    ignored: [...progress.ignored],
    checked: progress.checked.size,
    back: progress.back,
    readInFull: progress.readInFull,
    unread: progress.unread,
    reached,
    more: rows.length > limit || (reached === undefined ? progress.hasUnreadPages : reached.end !== 'all'),
  }
}

/** A wide search doesn't look for an e-mail. */
export const isForEmail = ({ words }: Query): boolean =>
  words.some(({ meanings }) => meanings.some(({ kind }) => kind === 'email'))

interface Progress {
  readonly found: ReadonlyMap<string, FoundPayment>
  readonly rows: () => readonly FoundPayment[]
  readonly add: (payment: FoundPayment) => void
  readonly sent: ListQuery[]
  readonly ignored: Set<string>
  /** The IDs of the payments that were checked. */
  readonly checked: Set<string>
  back: string | undefined
  readInFull: number
  unread: number
  hasUnreadPages: boolean
}

function createProgress(): Progress {
  const found = new Map<string, FoundPayment>()
  const rows = () => [...found.values()].toSorted((a, b) => timeOf(b) - timeOf(a))
  return {
    found,
    rows,
    add: (payment) => {
      if (!found.has(payment.id)) found.set(payment.id, payment)
    },
    sent: [],
    ignored: new Set(),
    checked: new Set(),
    back: undefined,
    readInFull: 0,
    unread: 0,
    hasUnreadPages: false,
  }
}

const timeOf = ({ summary }: FoundPayment): number => parseTimeMs(summary.date) ?? 0

async function readById(options: SearchOptions, id: string, progress: Progress): Promise<void> {
  const payment = await readWhole(options.read, id)
  if (payment !== undefined && fitOf(options.query, payment.facts) === 'fits') progress.add(payment.found)
}

async function searchByFilters(
  options: SearchOptions,
  filters: ListQuery,
  progress: Progress,
): Promise<void> {
  progress.sent.push(filters)
  let next: string | undefined
  for await (const page of pagesOf(options, filters, Math.max(options.limit, PAGE_LIMIT))) {
    next = page.next
    await checkRows(options, filters, rowsOf(page), progress)
    // Further pages of a list that isn't filtered are for a wide search.
    if (progress.ignored.size > 0) break
  }
  progress.hasUnreadPages ||= next !== undefined
}

async function searchNewest(options: SearchOptions, progress: Progress): Promise<Reached> {
  const { query, limit, now } = options
  const filters = filtersOf([], query.period)
  const endMs = now().getTime() + WIDE_MS
  const leftMs = () => endMs - now().getTime()
  let rows = 0
  const reached = (end: Reached['end']): Reached => ({ rows, end })
  const patience = () => ({ timeoutMs: Math.max(1, leftMs()), maxRetries: 0 })
  try {
    for await (const page of pagesOf(options, filters, WIDE_ROWS, patience)) {
      const read = rowsOf(page)
      rows += read.length
      await checkRows(options, filters, read, progress)
      if (page.next === undefined) return reached('all')
      if (progress.found.size > limit) return reached('limit')
      if (leftMs() <= 0) return reached('time')
    }
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error) || leftMs() > 0) throw error
    return reached('time')
  }
  return reached('rows')
}

const repeated = (): PayError => unusableListError('repeats a page')

async function* pagesOf(
  { read, signal }: SearchOptions,
  query: ListQuery,
  limit: number,
  patience?: () => { readonly timeoutMs: number; readonly maxRetries: number },
): AsyncGenerator<Page> {
  signal?.throwIfAborted()
  for await (const page of readPages({ read, operation: listPayments, query, limit, repeated, patience })) {
    signal?.throwIfAborted()
    yield page
  }
}

const earlier = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || isBefore(other, one) ? other : one

/** Checks rows of a list, reading in full those that don't tell. */
async function checkRows(
  options: SearchOptions,
  filters: ListQuery,
  rows: readonly Row[],
  progress: Progress,
): Promise<void> {
  const noteIgnored = (facts: Facts) => {
    for (const name of ignoredFilters(filters, facts)) progress.ignored.add(name)
  }
  const check = ({ found, facts }: Row): Fit => {
    const fit = fitOf(options.query, facts)
    if (fit === 'fits') progress.add(found)
    return fit
  }
  for (const row of rows) {
    noteIgnored(row.facts)
    if (progress.checked.has(row.found.id)) continue
    progress.checked.add(row.found.id)
    progress.back = earlier(progress.back, row.facts.date)
    if (check(row) !== 'unknown') continue
    if (progress.readInFull === MAX_READ_IN_FULL) {
      progress.unread += 1
      continue
    }
    progress.readInFull += 1
    options.signal?.throwIfAborted()
    const whole = await readWhole(options.read, row.found.id)
    if (whole === undefined) continue
    noteIgnored(whole.facts)
    check({ ...whole, found: row.found })
  }
}
