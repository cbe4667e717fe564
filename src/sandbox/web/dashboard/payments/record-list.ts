import { batch, signal } from '@preact/signals'
import { call } from '../../page/service.ts'
import { ServiceError } from '../../page/service-error.ts'
import type { Query } from '../parts/router.ts'

/** One line of `GET /sandbox/records`. Amounts are in minor units. */
export interface RecordLine {
  readonly id: string
  readonly source: 'payments' | 'external'
  readonly orderId?: string
  readonly customerId?: string
  readonly status?: string
  readonly amount?: number
  readonly currencyCode?: string
  readonly method?: string
  readonly network?: string
  readonly last4Digits?: string
  readonly processor?: string
  readonly date: string
}

interface RecordPage {
  readonly total: number
  readonly newer: number
  readonly first?: string
  readonly data: readonly RecordLine[]
}

interface Window {
  readonly rows: readonly RecordLine[]
  /** The refresh that loaded it. */
  readonly turn: number
}

const WINDOW = 100
const MOST_WINDOWS = 80
const MOST_REQUESTS = 2

/** How many records match; undefined before the first response. */
export const total = signal<number | undefined>(undefined)
/** How many newer ones have arrived while the list is frozen. */
export const newer = signal(0)
export const error = signal<ServiceError | undefined>(undefined)
/** Grows with every window that arrives, so that the list is drawn again. */
export const arrivals = signal(0)

/** The records in windows of a hundred, loaded as they come into view. Kept while other pages are open. */
let windows = new Map<number, Window>()
let filters: Query = {}
let turn = 0
let abort = new AbortController()
let inView = { first: 0, end: 0 }
const loading = new Set<number>()
/** The place of the newest record, for a list that is frozen. */
let newest: string | undefined
let start: string | undefined

export function rowAt(index: number): RecordLine | undefined {
  return windows.get(Math.floor(index / WINDOW))?.rows[index % WINDOW]
}

/** Starts a list with other filters. The same ones only refresh it. */
export function showRecords(wanted: Query): void {
  if (JSON.stringify(wanted) !== JSON.stringify(filters)) {
    filters = wanted
    abort.abort()
    abort = new AbortController()
    loading.clear()
    start = undefined
    newer.value = 0
  }
  refresh()
}

/** Loads what is in view again. Rows stay until their successors arrive. */
export function refresh(): void {
  turn += 1
  load()
}

/** The least time between two refreshes. */
const REST_MS = 200
let lastMs = 0
let timer: number | undefined

/** Refreshes once after several changes, and leaves the sandbox at least three quarters of the time to others. */
export function refreshSoon(): void {
  timer ??= window.setTimeout(
    () => {
      timer = undefined
      refresh()
    },
    Math.max(REST_MS, 4 * lastMs),
  )
}

/** The rows in view. Loads them and those around them. */
export function viewRows(first: number, end: number): void {
  inView = { first, end }
  load()
}

/** While the list is frozen, new records are counted instead of moving the rows. */
export function standStill(isStill: boolean): void {
  if (isStill === (start !== undefined)) return
  start = isStill ? newest : undefined
  if (!isStill && newer.value > 0) refresh()
}

function load(): void {
  for (const index of wantedWindows()) {
    if (loading.size >= MOST_REQUESTS) return
    if (loading.has(index) || windows.get(index)?.turn === turn) continue
    loadWindow(index).catch(rethrow)
  }
}

/** Those in view first, then the ones that come next. */
function wantedWindows(): readonly number[] {
  const first = Math.floor(inView.first / WINDOW)
  const last = Math.floor(Math.max(inView.first, inView.end - 1) / WINDOW)
  const visible = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const most = total.value === undefined ? 0 : Math.ceil(total.value / WINDOW) - 1
  return [...visible, last + 1, first - 1].filter((index) => index === first || (index >= 0 && index <= most))
}

async function loadWindow(index: number): Promise<void> {
  const { signal: stop } = abort
  const [loadedIn, from, beganMs] = [turn, start, performance.now()]
  loading.add(index)
  try {
    const page = await call<RecordPage>('GET', '/sandbox/records', undefined, {
      query: { ...filters, offset: index * WINDOW, limit: WINDOW, start: from },
      signal: stop,
    })
    lastMs = performance.now() - beganMs
    if (!stop.aborted && from === start) keep(index, loadedIn, page)
  } catch (reason) {
    if (stop.aborted) return
    if (!(reason instanceof ServiceError)) throw reason
    // Until the next refresh: an error doesn't repeat itself.
    windows.set(index, { rows: windows.get(index)?.rows ?? [], turn: loadedIn })
    error.value = reason
  } finally {
    if (!stop.aborted) {
      loading.delete(index)
      load()
    }
  }
}

function keep(index: number, loadedIn: number, page: RecordPage): void {
  // A list with other filters replaces the old one at once, not window by window.
  if (shownFilters !== filters) {
    shownFilters = filters
    windows = new Map()
  }
  windows.delete(index)
  windows.set(index, { rows: page.data, turn: loadedIn })
  for (const oldest of windows.keys()) {
    if (windows.size <= MOST_WINDOWS) break
    windows.delete(oldest)
  }
  if (index === 0) newest = page.first
  batch(() => {
    total.value = page.total
    newer.value = page.newer
    error.value = undefined
    arrivals.value += 1
  })
}

let shownFilters: Query | undefined

/** Reports a bug in the page as an uncaught error. */
function rethrow(reason: unknown): void {
  queueMicrotask(() => {
    throw reason
  })
}
