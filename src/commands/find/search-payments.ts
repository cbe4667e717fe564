import { listPayments } from '../../api/operations/payment.ts'
import { parseTimeMs } from '../../text/local-time.ts'
import { EXIT, PayError, isInterruption } from '../../errors.ts'
import { exactFiltersOf, idsOf, ignoredFilters, listQueriesOf } from '../../views/search/filters.ts'
import { fitOf, holdsOf, isCertain, isWorthReading, nearEmails, wholesIn } from '../../views/search/match.ts'
import type { ListQuery } from '../../views/search/filters.ts'
import type { Holds, NearEmails } from '../../views/search/match.ts'
import { readPages } from './pages.ts'
import type { Page, Read } from './pages.ts'
import { readWhole, rowsOf, unusableListError } from './rows.ts'
import type { FoundPayment, Row } from './rows.ts'
import { isBefore } from '../../views/search/times.ts'
import { isExact } from '../../views/search/query.ts'
import type { Query } from '../../views/search/query.ts'

export interface SearchOptions {
  /** Sends a read: the `call` of an invocation. */
  readonly read: Read
  readonly query: Query
  /** The most payments to find. */
  readonly limit: number
  /** Whether to search further back. */
  readonly wide?: boolean
  /** Whether to read lists alone, as for a person who still types. */
  readonly listsOnly?: boolean
  /** Ends the search with the signal's reason, between two reads. */
  readonly signal?: AbortSignal | undefined
  /** The clock of the time limit. */
  readonly now: () => Date
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/** How far the search of the newest payments got. */
export interface Reached {
  readonly rows: number
  /** The filters by which the service was asked for them. */
  readonly by: readonly string[]
  /** Why it ended: all payments, the most rows, the time, 429 from the service, or as many as were wanted. */
  readonly end: 'all' | 'rows' | 'time' | 'refused' | 'limit'
}

export interface Search {
  /** Newest first. */
  readonly rows: readonly FoundPayment[]
  /** The filters of each list that was asked for. */
  readonly sent: readonly ListQuery[]
  /** Query parameters that the service has ignored: it listed payments that they exclude. */
  readonly ignored: readonly string[]
  /** How many payments were checked here. */
  readonly checked: number
  /** The time of the oldest one. */
  readonly back: string | undefined
  /** How many payments were read in full, since their rows don't tell. */
  readonly readInFull: number
  /** How many rows don't tell and were not read in full, and the time of the newest of them. */
  readonly unread: number
  readonly unreadSince: string | undefined
  /** Undefined if the newest payments were not searched. */
  readonly reached: Reached | undefined
  /** Whether there are or may be more than the rows. */
  readonly more: boolean
  /** What may be meant by an e-mail, if nothing was found. */
  readonly near: NearEmails | undefined
}

/** The most rows of lists, milliseconds, and payments read in full. */
const LIMITS = {
  usual: { rows: 1_000, ms: 10_000, reads: 200 },
  wide: { rows: 10_000, ms: 120_000, reads: 2_000 },
} as const

/** How many payments are read in full at the same time. */
const AT_ONCE = 8
/** How long to wait after a 429 that doesn't say. */
const PAUSE_MS = 1_000
const NEVER = new AbortController().signal

/**
 * Finds payments that fit every word: by their ID, else by the service's filters, else among the newest. Checks every row.
 * @throws {PayError} if the service can't be searched at all
 */
export async function searchPayments(options: SearchOptions): Promise<Search> {
  const { query, limit, wide = false, listsOnly = false } = options
  const most = LIMITS[wide ? 'wide' : 'usual']
  const clock = startClock(options, most.ms)
  const seen = createSeen(query)
  const sent: ListQuery[] = []
  const result = (reached: Reached | undefined, hasUnreadPages: boolean): Search => {
    const rows = seen.fitting()
    const unread = seen.unread()
    return {
      rows: rows.slice(0, limit).map(({ found }) => found),
      sent,
      ignored: [...seen.ignored],
      checked: seen.count(),
      back: seen.back(),
      readInFull: seen.readInFull(),
      unread: unread.length,
      unreadSince: unread[0]?.facts.date,
      reached,
      near: rows.length === 0 ? seen.near() : undefined,
      more:
        rows.length > limit ||
        unread.length > 0 ||
        (reached === undefined ? hasUnreadPages : reached.end !== 'all'),
    }
  }

  for (const id of listsOnly ? [] : idsOf(query)) {
    const payment = await readWhole(options.read, id)
    if (payment !== undefined) seen.add(payment)
  }
  if (seen.fitting().length > 0) return result(undefined, false)

  let hasUnreadPages = false
  for (const filters of listQueriesOf(query)) {
    sent.push(filters)
    let next: string | undefined
    let rows = 0
    for await (const page of pagesOf(options, filters, most.rows, options.read)) {
      next = page.next
      rows += page.entries.length
      seen.addPage(page, filters)
      // Further pages of a list that isn't filtered are those of the newest payments.
      if (seen.ignored.size > 0 || seen.certain() > limit || (rows > limit && seen.certain() >= limit)) break
    }
    hasUnreadPages ||= next !== undefined
  }
  if (!listsOnly) await readUnknown(options, seen, most.reads, clock)
  const isAnswered = seen.ignored.size === 0 && sent.length > 0
  const isFound = seen.fitting().length > 0
  // No filter is about names that a state or a time has too.
  const isOpen = wide || query.words.some(({ beside }) => beside !== undefined)
  if (isAnswered && (query.words.every(isExact) || (isFound && !isOpen)))
    return result(undefined, hasUnreadPages)

  const reached = await searchNewest(options, seen, most.rows, clock)
  const isRefused = listsOnly ? false : await readUnknown(options, seen, most.reads, clock)
  return result(isRefused ? { ...reached, end: 'refused' } : reached, false)
}

interface SeenRow extends Row {
  readonly holds: Holds
  /** The filters of the list that it was in. */
  readonly filters: ListQuery
  readonly ms: number
}

/** The payments that were checked, and how each has the words. */
function createSeen(query: Query) {
  const all = new Map<string, SeenRow>()
  const checked = new Set<string>()
  const ignored = new Set<string>()
  const tried = new Set<string>()
  let certain = 0
  let back: string | undefined
  const add = ({ found, facts }: Row, filters: ListQuery = {}): void => {
    const isNew = !checked.has(found.id)
    const before = all.get(found.id)
    if (!isNew && !facts.isWhole) return
    checked.add(found.id)
    if (isNew && (back === undefined || isBefore(facts.date, back))) back = facts.date
    for (const name of ignoredFilters(before?.filters ?? filters, facts)) ignored.add(name)
    const holds = holdsOf(query, facts)
    if (holds === undefined) return
    if ((before === undefined || !isCertain(before.holds)) && isCertain(holds)) certain += 1
    // A list's row stays what is shown.
    const ms = parseTimeMs(facts.date) ?? 0
    all.set(found.id, {
      found: { ...(before?.found ?? found), transactions: facts.transactions },
      facts,
      holds,
      ms,
      filters: before?.filters ?? filters,
    })
  }
  const select = (isSelected: (holds: Holds, wholes: readonly boolean[]) => boolean): readonly SeenRow[] => {
    const rows = [...all.values()]
    const wholes = wholesIn(
      query.words,
      rows.map(({ holds }) => holds),
    )
    return rows.filter(({ holds }) => isSelected(holds, wholes)).toSorted((one, other) => other.ms - one.ms)
  }
  return {
    ignored,
    add,
    addPage: (page: Page, filters: ListQuery): void => {
      for (const row of rowsOf(page)) add(row, filters)
    },
    count: () => checked.size,
    readInFull: () => tried.size,
    /** How many fit, whatever else is found. */
    certain: () => certain,
    back: () => back,
    /** The payments that fit, among all that were checked; newest first. */
    fitting: () => select((holds, wholes) => fitOf(holds, wholes) === 'fits'),
    near: () =>
      nearEmails(
        query,
        select(() => true).map(({ holds, facts: { email } }) => ({ holds, email })),
      ),
    /** The payments that may fit, and were not read in full. */
    unread: () =>
      select((holds, wholes) => fitOf(holds, wholes) === 'unknown').filter(
        ({ found }) => !tried.has(found.id),
      ),
    /** The next payments to read in full, newest first. Each is read once, even if it is gone. */
    nextToRead: (most: number): readonly SeenRow[] => {
      const rows = select(isWorthReading)
        .filter(({ found }) => !tried.has(found.id))
        .slice(0, most)
      for (const { found } of rows) tried.add(found.id)
      return rows
    },
  }
}

type Seen = ReturnType<typeof createSeen>

/** Limits the reads from the first one on, and waits out a 429 while there is time. */
function startClock({ read, now, sleep, signal }: SearchOptions, mostMs: number) {
  let endMs: number | undefined
  const leftMs = (): number => {
    endMs ??= now().getTime() + mostMs
    return endMs - now().getTime()
  }
  const patient: Read = async (call) => {
    for (;;) {
      signal?.throwIfAborted()
      try {
        return await read({ ...call, patience: { timeoutMs: Math.max(1, leftMs()), maxRetries: 0 } })
      } catch (error) {
        if (!(error instanceof PayError) || error.exitCode !== EXIT.rateLimited) throw error
        const waitMs = Number(error.details.retryAfter) * 1000 || PAUSE_MS
        if (waitMs >= leftMs()) throw error
        await sleep(waitMs, signal ?? NEVER)
      }
    }
  }
  return { leftMs, patient }
}

type Clock = ReturnType<typeof startClock>

async function searchNewest(
  options: SearchOptions,
  seen: Seen,
  most: number,
  clock: Clock,
): Promise<Reached> {
  const { query, limit } = options
  const filters = exactFiltersOf(query)
  const by = Object.keys(filters)
  let rows = 0
  try {
    for await (const page of pagesOf(options, filters, most, clock.patient)) {
      rows += page.entries.length
      seen.addPage(page, filters)
      if (page.next === undefined) return { rows, by, end: 'all' }
      if (seen.certain() > limit) return { rows, by, end: 'limit' }
      if (clock.leftMs() <= 0) return { rows, by, end: 'time' }
    }
  } catch (error) {
    return { rows, by, end: endOf(error, seen, clock) }
  }
  return { rows, by, end: 'rows' }
}

/** Why a search ended before it was done. What isn't about time or a 429 rises, and so does a search that saw nothing. */
function endOf(error: unknown, seen: Seen, clock: Clock): 'time' | 'refused' {
  if (!(error instanceof PayError) || isInterruption(error) || seen.count() === 0) throw error
  if (error.exitCode === EXIT.rateLimited) return 'refused'
  if (clock.leftMs() > 0) throw error
  return 'time'
}

/** Reads in full the payments whose rows don't tell, newest first. Whether the service refused to go on. */
async function readUnknown(options: SearchOptions, seen: Seen, most: number, clock: Clock): Promise<boolean> {
  while (seen.certain() <= options.limit && clock.leftMs() > 0) {
    const next = seen.nextToRead(Math.min(AT_ONCE, most - seen.readInFull()))
    if (next.length === 0) return false
    options.signal?.throwIfAborted()
    try {
      const wholes = await Promise.all(next.map(({ found }) => readWhole(clock.patient, found.id)))
      for (const row of wholes) if (row !== undefined) seen.add(row)
    } catch (error) {
      return endOf(error, seen, clock) === 'refused'
    }
  }
  return false
}

const repeated = (): PayError => unusableListError('repeats a page')

async function* pagesOf(
  { signal }: SearchOptions,
  query: ListQuery,
  limit: number,
  read: Read,
): AsyncGenerator<Page> {
  signal?.throwIfAborted()
  for await (const page of readPages({ read, operation: listPayments, query, limit, repeated })) {
    signal?.throwIfAborted()
    yield page
  }
}
