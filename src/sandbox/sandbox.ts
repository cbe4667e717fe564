import type { ServiceResponse } from './answers/response.ts'
import { showById } from './answers/shown-record.ts'
import { answerControl } from './controls/control-routes.ts'
import type { Controls, VirtualTime } from './controls/controls.ts'
import { answerChallenge, tokenizeCard } from './controls/customer.ts'
import { groupCommits } from './database/group-commit.ts'
import type { ServiceStore } from './database/store/store.ts'
import { transactionsIn } from './database/transactions.ts'
import type { TransactionContext } from './database/transactions.ts'
import { advanceClock, virtualNow } from './domain/clock.ts'
import { makeIdentifiers } from './domain/identifiers.ts'
import { processDuePayments } from './domain/payment/due-events.ts'
import { handleRequest } from './pipeline/handle-request.ts'
import type { IdempotencyStyle } from './pipeline/process-request.ts'
import { changeFeed } from './log/change-feed.ts'
import type { ChangeFeed } from './log/change-feed.ts'
import type { ServiceRequest } from './request/service-request.ts'

export interface SandboxOptions {
  /** Created if missing, readable by its owner only. */
  readonly folder: string
  /** The machine's clock; the sandbox adds its own offset. */
  readonly now: () => Date
  /** From 0 up to 1, for ids and tokens. */
  readonly random: () => number
  /** How a used idempotency key is answered; `reject` by default. */
  readonly idempotency?: IdempotencyStyle
}

/** The whole service in one process. Its data is durable, in a folder that several processes can share. */
export interface Sandbox extends Controls {
  /**
   * Answers a request to the service or to a control. Resolves when everything written is on disk; rejects only if the
   * sandbox itself can't work, for example because its database is damaged.
   */
  handle(request: ServiceRequest): Promise<ServiceResponse>
  /** For programs that follow what happens, such as the pages. */
  readonly changes: ChangeFeed
  /** Opens the database, which otherwise happens on first use. Rejects if the database can't be read or written. */
  open(): Promise<void>
  /** Waits for work in progress. */
  close(): Promise<void>
}

/** Opens nothing yet: the database is opened, or created, on first use. */
export function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { now, idempotency = 'reject' } = options
  const ids = makeIdentifiers(options.random)
  const transactions = transactionsIn({ ...options, ids, onCommit: () => changes.committed() })
  const changes = changeFeed(transactions)
  const commits = groupCommits(transactions.transact)

  const write = <T>(work: (context: TransactionContext) => T): Promise<T> =>
    commits.run(
      (context) =>
        context.attempt(() => {
          const result = work(context)
          context.store.settings.markChange(ids.uuid())
          return result
        }),
      { isDurable: true },
    )
  const read = <T>(work: (store: ServiceStore) => T): Promise<T> =>
    commits.run(({ store }) => work(store), { isDurable: false })

  const time = ({ settings }: ServiceStore): VirtualTime => ({
    now: virtualNow(settings, now).toISOString(),
    offsetMs: settings.clockOffsetMs(),
  })

  const controls: Controls = {
    tokenize: async (input) => ({
      paymentMethodToken: await write((context) => tokenizeCard(input, context)),
    }),
    challenge: async (input) => ({ resumeToken: await write((context) => answerChallenge(input, context)) }),
    clock: {
      show: () => read(time),
      advance: (ms) =>
        write((context) => {
          advanceClock(context.store.settings, now, ms)
          processDuePayments({ ...context, now: virtualNow(context.store.settings, now) })
          return time(context.store)
        }),
    },
    faults: {
      add: (fault) => write(({ store }) => store.faults.add(fault)),
      list: () => read(({ faults }) => faults.list()),
      clear: () => write(({ store }) => store.faults.clear()),
    },
    requests: {
      list: (limit) => read(({ requests }) => requests.list(limit)),
      clear: () => write(({ store }) => store.requests.clear()),
    },
    records: {
      find: (search, window) => read(({ records }) => records.find(search, window)),
      get: (id) => commits.run((context) => showById(id, context), { isDurable: false }),
    },
    reset: async () => {
      try {
        await write((context) => context.deleteEverything())
      } catch (error) {
        if (!transactions.replaceUnreadable(error)) throw error
      }
    },
  }

  return Promise.resolve({
    ...controls,
    changes,
    // Async, so that every failure is a rejection.
    handle: async (request) =>
      answerControl(controls, request, ids) ?? handleRequest({ commits, ids, idempotency }, request),
    open: () => commits.run(() => undefined, { isDurable: true }),
    close: async () => {
      changes.close()
      await commits.drain()
      transactions.close()
    },
  })
}
