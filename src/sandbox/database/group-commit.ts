import { isBusy, isDatabaseFailure } from './database-error.ts'

/** Runs a whole group of work between BEGIN and COMMIT. Throws if none of it was committed. */
export type Transact<Context> = (
  work: (context: Context) => void,
  options: { readonly isDurable: boolean },
) => void

export interface GroupCommit<Context> {
  /**
   * Runs `work` in the next transaction and resolves once it is committed.
   * `isDurable: false` is for work that a power cut may undo, because it can be repeated, such as reads and their log entries.
   */
  run<T>(work: (context: Context) => T, options: { readonly isDurable: boolean }): Promise<T>
  /** Resolves when no work is pending. If another process has locked the database, tries once more and then gives up. */
  drain(): Promise<void>
}

interface PendingWork<Context> {
  readonly isDurable: boolean
  readonly run: (context: Context) => void
  /** Resolves the work, after the commit. */
  readonly succeed: () => void
  readonly fail: (error: unknown) => void
}

/** How many ticks of the event loop to wait while more work arrives; the first tick without any ends the wait. */
const MAX_TICKS = 4
/** How long another process may lock the database before a group fails. */
const MAX_BUSY_MS = 15_000
const RETRY_PAUSES_MS = [1, 2, 3, 5, 8, 13] as const

/**
 * Commits in groups: all work that arrives within a tick of the event loop, or within the next few while there is more, shares
 * one COMMIT, and resolves only when that is on disk. A commit costs as much as thirty small writes.
 */
export function groupCommits<Context>(
  transact: Transact<Context>,
  { maxBusyMs = MAX_BUSY_MS }: { readonly maxBusyMs?: number } = {},
): GroupCommit<Context> {
  let waiting: PendingWork<Context>[] = []
  let isScheduled = false
  let [refusals, waitedMs] = [0, 0]
  let drained: (() => void)[] = []
  let pause: NodeJS.Timeout | undefined

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    collect(0, 0)
  }

  /** Waits for more work: one tick often brings in only part of what was sent at the same time. */
  function collect(tick: number, before: number): void {
    setImmediate(() => {
      if (tick === MAX_TICKS || waiting.length === before) flush()
      else collect(tick + 1, waiting.length)
    })
  }

  function flush(): void {
    pause = undefined
    const group = waiting
    waiting = []
    try {
      commit(group)
      refusals = waitedMs = 0
    } catch (error) {
      if (isBusy(error) && waitedMs < maxBusyMs && drained.length === 0) return retry(group)
      refusals = waitedMs = 0
      for (const piece of group) piece.fail(error)
    }
    finish()
  }

  function commit(group: readonly PendingWork<Context>[]): void {
    const isDurable = group.some((piece) => piece.isDurable)
    transact(
      (context) => {
        for (const piece of group) piece.run(context)
      },
      { isDurable },
    )
    for (const piece of group) piece.succeed()
  }

  /** Waits until another process has written. Waiting here instead of in SQLite keeps the event loop free. */
  function retry(group: PendingWork<Context>[]): void {
    waiting = [...group, ...waiting]
    const pauseMs = RETRY_PAUSES_MS[refusals % RETRY_PAUSES_MS.length] ?? 1
    refusals += 1
    waitedMs += pauseMs
    pause = setTimeout(flush, pauseMs)
  }

  function finish(): void {
    isScheduled = false
    if (waiting.length > 0) return schedule()
    const waiters = drained
    drained = []
    for (const resolve of waiters) resolve()
  }

  return {
    run: (work, { isDurable }) =>
      new Promise((resolve, reject) => {
        let respond: () => void = () => reject(new Error('The group ended without running this work'))
        waiting.push({
          isDurable,
          run: (context) => {
            const result = capture(() => work(context))
            respond = () => ('error' in result ? reject(result.error) : resolve(result.value))
          },
          succeed: () => respond(),
          fail: reject,
        })
        schedule()
      }),
    drain: () => {
      if (!isScheduled) return Promise.resolve()
      return new Promise((resolve) => {
        drained.push(resolve)
        if (pause === undefined) return
        clearTimeout(pause)
        flush()
      })
    },
  }
}

type Captured<T> = { readonly value: T } | { readonly error: unknown }

/** Keeps an error with its own piece of work, except that a failing database fails the whole group. */
function capture<T>(work: () => T): Captured<T> {
  try {
    return { value: work() }
  } catch (error) {
    if (isDatabaseFailure(error)) throw error
    return { error }
  }
}
