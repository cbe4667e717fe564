import type { Reply } from './answers/answer.ts'
import { advanceClock, virtualNow } from './database/clock.ts'
import { answerControl } from './controls/control-routes.ts'
import { answerChallenge, tokenizeCard } from './controls/customer.ts'
import type { Fault, NewFault } from './faults/fault.ts'
import type { ServiceRequest } from './admission.ts'
import { groupCommits } from './database/group-commit.ts'
import type { IdempotencyStyle } from './perform.ts'
import { makeIdentifiers } from './domain/identifiers.ts'
import type { LoggedRequest } from './log/logged-request.ts'
import { serve } from './service.ts'
import { settleDuePayments } from './domain/settle.ts'
import type { Store } from './database/store/store.ts'
import { transactionsIn } from './database/transactions.ts'
import type { TransactionWorld } from './domain/world.ts'

export interface SandboxOptions {
  /** Made when missing, for its owner alone. */
  readonly folder: string
  /** The machine's clock; the sandbox adds its own offset. */
  readonly now: () => Date
  /** From 0 up to 1, for ids and tokens. */
  readonly random: () => number
  /** What a used idempotency key is answered with; `reject` unless said. */
  readonly idempotency?: IdempotencyStyle
}

interface VirtualTime {
  readonly now: string
  /** What the sandbox is ahead of the machine. */
  readonly offsetMs: number
}

/** What the sandbox lets a test do that no real service does. */
export interface Controls {
  tokenize(input: {
    readonly card: string
    readonly clientToken?: string | undefined
  }): Promise<{ readonly paymentMethodToken: string }>
  challenge(input: {
    readonly clientToken: string
    readonly outcome: 'pass' | 'fail'
  }): Promise<{ readonly resumeToken: string }>
  readonly clock: {
    show(): Promise<VirtualTime>
    advance(ms: number): Promise<VirtualTime>
  }
  readonly faults: {
    add(fault: NewFault): Promise<Fault>
    list(): Promise<readonly Fault[]>
    /** How many there were. */
    clear(): Promise<number>
  }
  readonly requests: {
    /** Newest first. */
    list(limit: number): Promise<readonly LoggedRequest[]>
    clear(): Promise<void>
  }
  /** Empties the sandbox. A database that cannot be read is kept beside the new one. */
  reset(): Promise<void>
}

/** The whole service in process, durable in a folder that several processes can share. */
export interface Sandbox extends Controls {
  /**
   * Answers a request to the service or to a control; what is written is on the disk by then.
   * Rejects only when the sandbox itself cannot work, such as with a damaged database.
   */
  handle(request: ServiceRequest): Promise<Reply>
  /** Opens the database, which is done at first use otherwise. Rejects where it cannot be read or written. */
  open(): Promise<void>
  /** Waits for what is under way. */
  close(): Promise<void>
}

/** Opens nothing yet: the database is opened, or made, at first use. */
export function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { now, idempotency = 'reject' } = options
  const ids = makeIdentifiers(options.random)
  const turns = transactionsIn({ ...options, ids })
  const group = groupCommits(turns.transact)

  const change = <T>(work: (world: TransactionWorld) => T): Promise<T> =>
    group.run((world) => world.attempt(() => work(world)), { isDurable: true })
  const look = <T>(work: (store: Store) => T): Promise<T> =>
    group.run(({ store }) => work(store), { isDurable: false })

  const time = ({ settings }: Store): VirtualTime => ({
    now: virtualNow(settings, now).toISOString(),
    offsetMs: settings.clockOffsetMs(),
  })

  const controls: Controls = {
    tokenize: async (input) => ({ paymentMethodToken: await change((world) => tokenizeCard(input, world)) }),
    challenge: async (input) => ({ resumeToken: await change((world) => answerChallenge(input, world)) }),
    clock: {
      show: () => look(time),
      advance: (ms) =>
        change((world) => {
          advanceClock(world.store.settings, now, ms)
          settleDuePayments({ ...world, now: virtualNow(world.store.settings, now) })
          return time(world.store)
        }),
    },
    faults: {
      add: (fault) => change(({ store }) => store.faults.add(fault)),
      list: () => look(({ faults }) => faults.list()),
      clear: () => change(({ store }) => store.faults.clear()),
    },
    requests: {
      list: (limit) => look(({ requests }) => requests.list(limit)),
      clear: () => change(({ store }) => store.requests.clear()),
    },
    reset: async () => {
      try {
        await change((world) => world.startAfresh())
      } catch (error) {
        if (!turns.replaceUnreadable(error)) throw error
      }
    },
  }

  return Promise.resolve({
    ...controls,
    // Async, so that what goes wrong is always a rejection.
    handle: async (request) =>
      answerControl(controls, request, ids) ?? serve({ group, ids, idempotency }, request),
    open: () => change(() => undefined),
    close: async () => {
      await group.drain()
      turns.close()
    },
  })
}
