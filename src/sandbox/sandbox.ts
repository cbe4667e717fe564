import type { ServiceResponse } from './answers/response.ts'
import type { LongWork } from './controls/control.ts'
import { insightsOver } from './controls/figures.ts'
import { groupCommits } from './database/group-commit.ts'
import { transactionsIn } from './database/transactions.ts'
import type { TransactionContext } from './database/transactions.ts'
import { makeIdentifiers } from './domain/identifiers.ts'
import { handleRequest } from './pipeline/handle-request.ts'
import type { IdempotencyStyle } from './pipeline/process-request.ts'
import type { ServiceRequest } from './request/service-request.ts'

export interface SandboxOptions {
  /** The folder of the data, created if missing, for its owner only. Undefined to keep the data in memory. */
  readonly folder: string | undefined
  /** The machine's clock; the sandbox adds its own offset. */
  readonly now: () => Date
  /** Numbers from 0 up to 1, for ids and tokens. */
  readonly random: () => number
  /** The identity of the data; writes to data of another one are refused. */
  readonly identity?: string | undefined
  /** How a used idempotency key is answered; `reject` by default. */
  readonly idempotency?: IdempotencyStyle
  /** Says whether to keep the bodies of one more request; by default, those of the first in each second. */
  readonly mayKeepBodies?: () => boolean
}

/** The whole service in one process. Its data is durable, in a folder that several processes can share. */
export interface Sandbox {
  /**
   * Answers a request to the service or to a control. Resolves when everything written is on disk; rejects only if the
   * sandbox itself can't work, for example because its database is damaged.
   */
  handle(request: ServiceRequest): Promise<ServiceResponse>
  /** Reads in one transaction, between requests. */
  readonly read: <T>(work: (context: TransactionContext) => T) => Promise<T>
  /** Makes changes in one transaction, undone if the work throws. Those that follow the folder notice. */
  readonly write: <T>(work: (context: TransactionContext) => T) => Promise<T>
  /** Empties the sandbox. Keeps an unusable database, and begins another one. */
  reset(): Promise<void>
  /** Opens the database, which otherwise happens on first use. Rejects if the database can't be read or written. */
  open(): Promise<void>
  /** Waits for work in progress. */
  close(): Promise<void>
}

/** Makes a sandbox. Its database is opened, or created, on first use. */
export function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { now, identity, idempotency = 'reject', mayKeepBodies = bodyBudget(now) } = options
  const ids = makeIdentifiers(options.random)
  const transactions = transactionsIn({ ...options, ids })
  const commits = groupCommits(transactions.transact)

  const write = <T>(work: (context: TransactionContext) => T): Promise<T> =>
    commits.run(
      (context) =>
        context.attempt(() => {
          const result = work(context)
          context.store.settings.markChange()
          return result
        }),
      { isDurable: true },
    )
  const read = <T>(work: (context: TransactionContext) => T): Promise<T> =>
    commits.run(work, { isDurable: false })

  const insights = insightsOver((work) => read(({ store, now: virtual }) => work(store, virtual)))
  const empty = () => write((context) => context.deleteEverything())
  const reset = async (): Promise<void> => {
    try {
      await empty()
    } catch (error) {
      if (!transactions.replace(error)) throw error
      // Of two processes that begin a new one, one finds a new database, which may have payments.
      await empty()
    }
  }
  const longWork: LongWork = {
    insights: async (readQuery) => insights(readQuery(await read((context) => context.now))),
    reset,
  }

  const parts = { commits, ids, identity, idempotency, now, mayKeepBodies, longWork }
  return Promise.resolve({
    handle: (request) => handleRequest(parts, request),
    read,
    write,
    reset,
    open: () => commits.run(() => undefined, { isDurable: true }),
    close: async () => {
      await commits.drain()
      transactions.close()
    },
  })
}

/** Bodies are kept for this many requests in each second, so that a bulk load pays nothing for them. */
export const BODIES_PER_SECOND = 20

/** Says whether to keep the bodies of one more request. `now` is the machine's clock. */
export function bodyBudget(now: () => Date): () => boolean {
  let second = 0
  let kept = 0
  return () => {
    const current = Math.floor(now().getTime() / 1000)
    if (current !== second) {
      second = current
      kept = 0
    }
    kept += 1
    return kept <= BODIES_PER_SECOND
  }
}
