import { PayError } from '../errors.ts'
import type { Reply } from './answer.ts'
import { advanceClock, virtualNow } from './clock.ts'
import { answerControl } from './controls/control-routes.ts'
import { answerChallenge, tokenizeCard } from './controls/customer.ts'
import { isUnwritable } from './database-error.ts'
import { openDatabase, setAside } from './database-file.ts'
import type { OpenDatabase } from './database-file.ts'
import { toServiceDate } from './datetime.ts'
import type { Fault, NewFault } from './faults/fault.ts'
import type { ServiceRequest } from './gate.ts'
import { groupCommits } from './group.ts'
import type { IdempotencyStyle } from './idempotency.ts'
import { makeIdentifiers } from './identifiers.ts'
import type { LoggedRequest } from './log/logged-request.ts'
import { serve } from './service.ts'
import { settleDuePayments } from './settle.ts'
import { storeIn } from './store/store.ts'
import type { Store } from './store/store.ts'
import type { TurnWorld } from './world.ts'

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

export interface VirtualTime {
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
  /** Waits for what is under way. */
  close(): Promise<void>
}

interface Opened extends OpenDatabase {
  readonly store: Store
}

/** Opens nothing yet: the database is opened, or made, at first use. */
export function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { folder, now, random, idempotency = 'reject' } = options
  const ids = makeIdentifiers(random)
  let current: Opened | undefined

  function opened(): Opened {
    if (current?.isCurrent() === false) closeDatabase()
    if (current !== undefined) return current
    const open = openDatabase(folder, random)
    current = { ...open, store: storeIn(open.database) }
    return current
  }

  function closeDatabase(): void {
    current?.database.close()
    current = undefined
  }

  const group = groupCommits<TurnWorld>((work, { isDurable }) => {
    const open = opened()
    const write = () => {
      const world = worldOf(open)
      settleDuePayments(world)
      work(world)
      open.store.requests.append(world.log)
    }
    try {
      open.database.transaction(write, { isDurable })
    } catch (error) {
      if (isDurable || !isUnwritable(error)) throw error
      // A full disk takes no log of who has read what; the reading itself goes on.
      open.database.reading(() => work({ ...worldOf(open), hasFaults: false }))
    }
  })

  function worldOf({ database, store }: Pick<Opened, 'database' | 'store'>): TurnWorld {
    const virtual = virtualNow(store.settings, now)
    return {
      store,
      ids,
      now: virtual,
      at: toServiceDate(virtual),
      attempt: (work) => database.attempt(work),
      hasFaults: store.faults.any(),
      log: [],
    }
  }

  const inWorld = <T>(work: (world: TurnWorld) => T): Promise<T> =>
    group.run((world) => world.attempt(() => work(world)), { isDurable: true })

  const time = (store: Store): VirtualTime => ({
    now: virtualNow(store.settings, now).toISOString(),
    offsetMs: store.settings.clockOffsetMs(),
  })

  async function reset(): Promise<void> {
    await group.drain()
    try {
      const { database } = opened()
      database.check()
      await inWorld(() => database.clear())
    } catch (error) {
      const kind = unreadable(error)
      if (kind === undefined) throw error
      closeDatabase()
      setAside(folder, kind)
      opened()
    }
  }

  const controls: Controls = {
    tokenize: async (input) => ({ paymentMethodToken: await inWorld((world) => tokenizeCard(input, world)) }),
    challenge: async (input) => ({ resumeToken: await inWorld((world) => answerChallenge(input, world)) }),
    clock: {
      show: () => inWorld(({ store }) => time(store)),
      advance: (ms) =>
        inWorld((world) => {
          advanceClock(world.store.settings, now, ms)
          settleDuePayments({ ...world, now: virtualNow(world.store.settings, now) })
          return time(world.store)
        }),
    },
    faults: {
      add: (fault) => inWorld(({ store }) => store.faults.add(fault)),
      list: () => inWorld(({ store }) => store.faults.list()),
      clear: () => inWorld(({ store }) => store.faults.clear()),
    },
    requests: {
      list: (limit) => inWorld(({ store }) => store.requests.list(limit)),
      clear: () => inWorld(({ store }) => store.requests.clear()),
    },
    reset,
  }

  return Promise.resolve({
    ...controls,
    // Async, so that what goes wrong is always a rejection.
    handle: async (request) =>
      answerControl(controls, request, ids) ?? serve({ group, ids, idempotency }, request),
    close: async () => {
      await group.drain()
      closeDatabase()
    },
  })
}

function unreadable(error: unknown): 'damaged' | 'newer' | undefined {
  if (!(error instanceof PayError)) return undefined
  if (error.code === 'sandbox_newer') return 'newer'
  return error.code === 'sandbox_damaged' ? 'damaged' : undefined
}
