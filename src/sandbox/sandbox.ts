import type { ServiceResponse } from './answers/response.ts'
import { advanceTime, showTime } from './controls/clock.ts'
import type { VirtualTime } from './controls/clock.ts'
import type { LongWork } from './controls/control.ts'
import { answerChallenge, tokenize } from './controls/customer.ts'
import type { ChallengeAnswer, MethodToTokenize } from './controls/customer.ts'
import { insightsOver } from './controls/figures.ts'
import { groupCommits } from './database/group-commit.ts'
import { transactionsIn } from './database/transactions.ts'
import type { TransactionContext } from './database/transactions.ts'
import type { CheckoutSettings } from './domain/checkout-settings.ts'
import { makeIdentifiers } from './domain/identifiers.ts'
import type { Fault, NewFault } from './faults/fault.ts'
import { bodyBudget } from './log/body-budget.ts'
import { changeFeed } from './log/change-feed.ts'
import type { ChangeFeed } from './log/change-feed.ts'
import { viewLog } from './log/log-view.ts'
import type { LogView } from './log/log-view.ts'
import type { LoggedDetails, LoggedRequest } from './log/logged-request.ts'
import { handleRequest } from './pipeline/handle-request.ts'
import type { IdempotencyStyle } from './pipeline/process-request.ts'
import type { ServiceRequest } from './request/service-request.ts'
import { seedHistory } from './seed/seed.ts'
import type { SeedOptions, SeededPeriod } from './seed/seed.ts'

/** The controls that programs call without a request. Their errors are those of commands. */
interface LocalControls {
  tokenize(input: MethodToTokenize): Promise<{ readonly paymentMethodToken: string }>
  challenge(answer: ChallengeAnswer): Promise<{ readonly resumeToken: string }>
  readonly settings: {
    show(): Promise<CheckoutSettings>
    change(changes: Partial<CheckoutSettings>): Promise<CheckoutSettings>
  }
  readonly clock: {
    show(): Promise<VirtualTime>
    advance(ms: number): Promise<VirtualTime>
  }
  readonly faults: {
    add(fault: NewFault): Promise<Fault>
    list(): Promise<readonly Fault[]>
    /** Returns how many there were. */
    clear(): Promise<number>
  }
  readonly requests: {
    view(view: LogView): Promise<readonly LoggedRequest[]>
    /** Newest first. */
    list(limit: number): Promise<readonly LoggedRequest[]>
    /** With headers and bodies, if they are kept. */
    find(requestId: string): Promise<LoggedDetails | undefined>
    clear(): Promise<void>
  }
  /** Empties the sandbox. Keeps an unusable database under another name. */
  reset(): Promise<void>
  /** Makes up the history of a shop. Rejects if there are payments. */
  seed(options: SeedOptions): Promise<SeededPeriod>
}

export interface SandboxOptions {
  /** Created if missing, readable by its owner only. Undefined to keep the data in memory. */
  readonly folder: string | undefined
  /** The machine's clock; the sandbox adds its own offset. */
  readonly now: () => Date
  /** From 0 up to 1, for ids and tokens. */
  readonly random: () => number
  /** How a used idempotency key is answered; `reject` by default. */
  readonly idempotency?: IdempotencyStyle
  /** Says whether to keep the bodies of one more request; by default, those of the first in each second. */
  readonly mayKeepBodies?: () => boolean
}

/** The whole service in one process. Its data is durable, in a folder that several processes can share. */
export interface Sandbox extends LocalControls {
  /**
   * Answers a request to the service or to a control. Resolves when everything written is on disk; rejects only if the
   * sandbox itself can't work, for example because its database is damaged.
   */
  handle(request: ServiceRequest): Promise<ServiceResponse>
  /** Runs in one transaction, between requests. */
  transact<T>(work: (context: TransactionContext) => T): Promise<T>
  /** For programs that follow changes, such as the pages. */
  readonly changes: ChangeFeed
  /** Opens the database, which otherwise happens on first use. Rejects if the database can't be read or written. */
  open(): Promise<void>
  /** Waits for work in progress. */
  close(): Promise<void>
}

/** Opens nothing yet: the database is opened, or created, on first use. */
export function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { now, idempotency = 'reject', mayKeepBodies = bodyBudget(now) } = options
  const ids = makeIdentifiers(options.random)
  const transactions = transactionsIn({ ...options, ids, onCommit: () => changes.committed() })
  const changes = changeFeed(transactions)
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
  const reset = async (): Promise<void> => {
    try {
      await write((context) => context.deleteEverything())
    } catch (error) {
      if (!transactions.replaceUnusable(error)) throw error
    }
  }
  const longWork: LongWork = {
    insights: async (readQuery) => insights(readQuery(await read((context) => context.now))),
    reset,
  }

  const parts = { commits, ids, idempotency, now, mayKeepBodies, longWork }
  return Promise.resolve({
    handle: (request) => handleRequest(parts, request),
    transact: (work) => commits.run((context) => context.attempt(() => work(context)), { isDurable: true }),
    changes,
    tokenize: async (input) => ({
      paymentMethodToken: await write((context) => tokenize(input, context)),
    }),
    challenge: async (answer) => ({
      resumeToken: await write((context) => answerChallenge(answer, context)),
    }),
    settings: {
      show: () => read(({ store }) => store.settings.checkout()),
      change: (given) =>
        write(({ store: { settings } }) => {
          settings.saveCheckout({ ...settings.checkout(), ...given })
          return settings.checkout()
        }),
    },
    clock: {
      show: () => read(showTime),
      advance: (ms) => write((context) => advanceTime(context, ms)),
    },
    faults: {
      add: (fault) => write(({ store }) => store.faults.add(fault)),
      list: () => read(({ store }) => store.faults.list()),
      clear: () => write(({ store }) => store.faults.clear()),
    },
    requests: {
      view: (view) => read(({ store }) => viewLog(store.requests, view)),
      list: (limit) => read(({ store }) => store.requests.list(limit)),
      find: (requestId) => read(({ store }) => store.requests.find(requestId)),
      clear: () => write(({ store }) => store.requests.clear()),
    },
    reset,
    seed: (given) => seedHistory(write, given),
    open: () => commits.run(() => undefined, { isDurable: true }),
    close: async () => {
      changes.close()
      await commits.drain()
      transactions.close()
    },
  })
}
