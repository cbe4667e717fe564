import { isBusy, isDatabaseFailure } from './database-error.ts'

/** Runs the work of a whole group between BEGIN and COMMIT. Throws where nothing of it stands. */
export type Transact<SandboxContext> = (
  work: (context: SandboxContext) => void,
  options: { readonly isDurable: boolean },
) => void

export interface GroupCommit<SandboxContext> {
  /**
   * Runs `work` in the next transaction and resolves once that is committed.
   * `isDurable: false` is for work whose loss in a power cut changes nothing that was promised.
   */
  run<T>(work: (context: SandboxContext) => T, options: { readonly isDurable: boolean }): Promise<T>
  /** Resolves when nothing waits any more. A database that another process holds gets one more try, and no more time. */
  drain(): Promise<void>
}

interface PendingWork<SandboxContext> {
  readonly isDurable: boolean
  readonly run: (context: SandboxContext) => void
  /** Called after the commit. */
  readonly succeed: () => void
  readonly fail: (error: unknown) => void
}

/** Transactions that are waited while more arrives; one without news is enough. */
const MAX_TURNS = 4
/** For how long another process may hold the database before a group gives up. */
const PATIENCE_MS = 15_000
const PAUSES_MS = [1, 2, 3, 5, 8, 13] as const

/**
 * Group commit: all that arrives within a turn of the event loop, or the few next ones while there is more, shares one
 * COMMIT, and nobody hears of his work before it is on the disk. A commit costs as much as thirty small writes.
 */
export function groupCommits<SandboxContext>(
  transact: Transact<SandboxContext>,
  { patienceMs = PATIENCE_MS }: { readonly patienceMs?: number } = {},
): GroupCommit<SandboxContext> {
  let waiting: PendingWork<SandboxContext>[] = []
  let isScheduled = false
  let [refusals, waitedMs] = [0, 0]
  let drained: (() => void)[] = []
  let pause: NodeJS.Timeout | undefined

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    collect(0, 0)
  }

  /** A turn of the event loop brings in what the system has ready, often a part of what was sent at the same time. */
  function collect(turn: number, before: number): void {
    setImmediate(() => {
      if (turn === MAX_TURNS || waiting.length === before) flush()
      else collect(turn + 1, waiting.length)
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
      if (isBusy(error) && waitedMs < patienceMs && drained.length === 0) return tryAgain(group)
      refusals = waitedMs = 0
      for (const piece of group) piece.fail(error)
    }
    finish()
  }

  function commit(group: readonly PendingWork<SandboxContext>[]): void {
    const isDurable = group.some((piece) => piece.isDurable)
    transact(
      (context) => {
        for (const piece of group) piece.run(context)
      },
      { isDurable },
    )
    for (const piece of group) piece.succeed()
  }

  /** Another process is writing. Waiting here, and not in SQLite, leaves the event loop free. */
  function tryAgain(group: PendingWork<SandboxContext>[]): void {
    waiting = [...group, ...waiting]
    const pauseMs = PAUSES_MS[refusals % PAUSES_MS.length] ?? 1
    refusals += 1
    waitedMs += pauseMs
    pause = setTimeout(flush, pauseMs)
  }

  function finish(): void {
    isScheduled = false
    if (waiting.length > 0) return schedule()
    const told = drained
    drained = []
    for (const tell of told) tell()
  }

  return {
    run: (work, { isDurable }) =>
      new Promise((resolve, reject) => {
        let tell: () => void = () => reject(new Error('The group ended without this work'))
        waiting.push({
          isDurable,
          run: (context) => {
            const result = settle(() => work(context))
            tell = () => ('error' in result ? reject(result.error) : resolve(result.value))
          },
          succeed: () => tell(),
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

type Settled<T> = { readonly value: T } | { readonly error: unknown }

/** A failing database ends the whole group; any other error is of one piece of work alone. */
function settle<T>(work: () => T): Settled<T> {
  try {
    return { value: work() }
  } catch (error) {
    if (isDatabaseFailure(error)) throw error
    return { error }
  }
}
