import { PayError } from '../errors.ts'
import type { ServiceAnswer } from './answer.ts'
import { advanceClock, virtualNow } from './clock.ts'
import { answerChallenge, tokenizeCard } from './controls.ts'
import { openDatabase, setAside } from './database-file.ts'
import type { Database } from './database.ts'
import type { ServiceRequest } from './gate.ts'
import { makeIdentifiers } from './identifiers.ts'
import { serve } from './service.ts'
import { settleDuePayments } from './settle.ts'
import { storeIn } from './store/store.ts'
import type { Store } from './store/store.ts'
import type { World } from './world.ts'

export interface SandboxOptions {
  /** Made when missing, for its owner alone. */
  readonly folder: string
  /** The machine's clock; the sandbox adds its own offset. */
  readonly now: () => Date
  /** From 0 up to 1, for ids and tokens. */
  readonly random: () => number
}

export interface VirtualTime {
  readonly now: string
  /** What the sandbox is ahead of the machine. */
  readonly offsetMs: number
}

/** The whole service in process, durable in a folder that several processes can share. */
export interface Sandbox {
  /** Rejects only when the sandbox itself cannot work, such as with a damaged database. */
  handle(request: ServiceRequest): Promise<ServiceAnswer>
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
  /** Empties the sandbox. A database that cannot be read is kept beside the new one. */
  reset(): Promise<void>
  close(): Promise<void>
}

interface Opened {
  readonly database: Database
  readonly store: Store
}

/** Opens nothing yet: the database is opened, or made, at first use. */
export function openSandbox({ folder, now, random }: SandboxOptions): Promise<Sandbox> {
  const ids = makeIdentifiers(random)
  let current: Opened | undefined

  function opened(): Opened {
    if (current !== undefined) return current
    const database = openDatabase(folder, random)
    current = { database, store: storeIn(database) }
    return current
  }

  function inWorld<T>(work: (world: World) => T): T {
    const { database, store } = opened()
    return database.transaction(() => work({ store, ids, now: virtualNow(store.settings, now) }))
  }

  function close(): void {
    current?.database.close()
    current = undefined
  }

  // Async, so that what goes wrong is always a rejection.
  return Promise.resolve({
    handle: async (request) => serve({ ...opened(), ids, now, idempotency: 'reject' }, request),
    tokenize: async (input) => ({ paymentMethodToken: inWorld((world) => tokenizeCard(input, world)) }),
    challenge: async (input) => ({ resumeToken: inWorld((world) => answerChallenge(input, world)) }),
    clock: {
      show: async () => inWorld(time),
      advance: async (ms) =>
        inWorld(({ store }) => {
          advanceClock(store.settings, now, ms)
          const after: World = { store, ids, now: virtualNow(store.settings, now) }
          settleDuePayments(after)
          return time(after)
        }),
    },
    reset: async () => {
      try {
        const { database } = opened()
        database.check()
        database.transaction(() => database.clear())
      } catch (error) {
        const kind = unreadable(error)
        if (kind === undefined) throw error
        close()
        setAside(folder, kind)
        opened()
      }
    },
    close: async () => close(),
  })
}

const time = (world: World): VirtualTime => ({
  now: world.now.toISOString(),
  offsetMs: world.store.settings.clockOffsetMs(),
})

function unreadable(error: unknown): 'damaged' | 'newer' | undefined {
  if (!(error instanceof PayError)) return undefined
  if (error.code === 'sandbox_newer') return 'newer'
  return error.code === 'sandbox_damaged' ? 'damaged' : undefined
}
