import type { ServiceResponse } from './answers/response.ts'
import { showById } from './answers/shown-record.ts'
import { answerControl } from './controls/control-routes.ts'
import type { Controls, VirtualTime } from './controls/controls.ts'
import { checkoutPage } from './controls/checkout-page.ts'
import { answerChallenge, tokenize } from './controls/customer.ts'
import { insightsOver } from './controls/figures.ts'
import { listInstruments } from './controls/instruments.ts'
import type { Read } from './controls/read.ts'
import { listSessions } from './controls/sessions.ts'
import { groupCommits } from './database/group-commit.ts'
import type { ServiceStore } from './database/store/store.ts'
import { transactionsIn } from './database/transactions.ts'
import type { TransactionContext } from './database/transactions.ts'
import { authenticateCheckout } from './domain/checkout/checkout-access.ts'
import { advanceClock, virtualNow } from './domain/clock.ts'
import { makeIdentifiers } from './domain/identifiers.ts'
import { processDuePayments } from './domain/payment/due-events.ts'
import { upcomingEvents } from './domain/payment/upcoming-events.ts'
import { bodyBudget } from './log/body-budget.ts'
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
  /** For programs that follow changes, such as the pages. */
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
  const read = <T>(work: (context: TransactionContext) => T): Promise<T> =>
    commits.run(work, { isDurable: false })

  const readAt: Read = (work) => read(({ store, now: virtual }) => work(store, virtual))

  const time = ({ settings }: ServiceStore): VirtualTime => ({
    now: virtualNow(settings, now).toISOString(),
    offsetMs: settings.clockOffsetMs(),
  })

  const controls: Controls = {
    tokenize: async (input) => ({
      paymentMethodToken: await write((context) => tokenize(input, context)),
    }),
    challenge: async (answer) => ({
      resumeToken: await write((context) => answerChallenge(answer, context)),
    }),
    checkout: {
      authenticate: (token) => read((context) => void authenticateCheckout(token, context)),
      show: (token) => read((context) => checkoutPage(authenticateCheckout(token, context), context.store)),
    },
    settings: {
      show: () => read(({ store }) => store.settings.checkout()),
      change: (given) =>
        write(({ store }) => {
          store.settings.saveCheckout({ ...store.settings.checkout(), ...given })
          return store.settings.checkout()
        }),
    },
    clock: {
      show: () => read(({ store }) => time(store)),
      advance: (ms) =>
        write((context) => {
          advanceClock(context.store.settings, now, ms)
          processDuePayments({ ...context, now: virtualNow(context.store.settings, now) })
          return time(context.store)
        }),
      upcoming: () => read(({ store }) => upcomingEvents(store)),
    },
    faults: {
      add: (fault) => write(({ store }) => store.faults.add(fault)),
      list: () => read(({ store }) => store.faults.list()),
      clear: () => write(({ store }) => store.faults.clear()),
    },
    requests: {
      list: (limit, payment) => read(({ store }) => store.requests.list(limit, payment)),
      find: (requestId) => read(({ store }) => store.requests.find(requestId)),
      clear: () => write(({ store }) => store.requests.clear()),
    },
    records: {
      find: (filter, window) => read(({ store }) => store.records.find(filter, window)),
      get: (id) => read((context) => showById(id, context)),
    },
    insights: insightsOver(readAt),
    sessions: (page) => listSessions(readAt, page),
    instruments: (page) => listInstruments(readAt, page),
    reset: async () => {
      try {
        await write((context) => context.deleteEverything())
      } catch (error) {
        if (!transactions.replaceUnusable(error)) throw error
      }
    },
  }

  const parts = { commits, ids, idempotency, now, mayKeepBodies: bodyBudget(now) }
  return Promise.resolve({
    ...controls,
    changes,
    // Async, so that every failure is a rejection.
    handle: async (request) => answerControl(controls, request, ids) ?? handleRequest(parts, request),
    open: () => commits.run(() => undefined, { isDurable: true }),
    close: async () => {
      changes.close()
      await commits.drain()
      transactions.close()
    },
  })
}
