import { CREATE_TABLES } from '../../src/sandbox/database/tables.ts'
import { databaseOn } from '../../src/sandbox/database/database.ts'
import type { Reply } from '../../src/sandbox/answers/answer.ts'
import { toServiceDate } from '../../src/sandbox/domain/datetime.ts'
import { tokenizeCard } from '../../src/sandbox/controls/customer.ts'
import { answerChallenge } from '../../src/sandbox/controls/customer.ts'
import type { Group } from '../../src/sandbox/database/group-commit.ts'
import type { IdempotencyStyle } from '../../src/sandbox/perform.ts'
import { makeIdentifiers } from '../../src/sandbox/domain/identifiers.ts'
import type { LoggedRequest } from '../../src/sandbox/log/logged-request.ts'
import { serve } from '../../src/sandbox/service.ts'
import { settleDuePayments } from '../../src/sandbox/domain/settle.ts'
import { loadSqlite } from '../../src/sandbox/database/sqlite.ts'
import { storeIn } from '../../src/sandbox/database/store/store.ts'
import type { StoredPayment } from '../../src/sandbox/domain/stored-payment.ts'
import type { TransactionWorld } from '../../src/sandbox/domain/world.ts'
import type { HttpRequest } from '../../src/http/transport-port.ts'
import type { Chance } from './random.ts'

/** What came of a request that reached the service. */
export interface Arrival {
  readonly reply: Reply
  /** Whether the service did what was asked. */
  readonly isApplied: boolean
}

export interface Service {
  /** The empty service of a new history. */
  readonly begin: (world: {
    readonly chance: Chance
    readonly now: () => Date
    readonly idempotency: IdempotencyStyle
    /** undefined for one that never forgets a key. */
    readonly keyLifeMs: number | undefined
  }) => void
  readonly arrive: (request: HttpRequest) => Promise<Arrival>
  readonly payment: (id: string) => StoredPayment
  readonly recordAmount: (paymentId: string) => number | undefined
  readonly tokenize: (card: string, clientToken: string) => string
  readonly challenge: (clientToken: string, outcome: 'pass' | 'fail') => string
}

const BASE_URL = 'https://pay.example'

/** The sandbox's own handlers, over a database in memory that all histories of a run take in turn. */
export function openService(): Service {
  const connection = loadSqlite()(':memory:')
  connection.exec(CREATE_TABLES)
  const database = databaseOn(connection, ':memory:')
  const store = storeIn(database)
  const keysUsedAt = new Map<string, number>()
  let now = (): Date => new Date(0)
  let ids = makeIdentifiers(Math.random)
  let idempotency: IdempotencyStyle = 'reject'
  let keyLifeMs: number | undefined
  let log: readonly LoggedRequest[] = []

  const turn = <T>(work: (world: TransactionWorld) => T): T =>
    database.transaction(() => {
      const at = now()
      const world: TransactionWorld = {
        store,
        ids,
        now: at,
        at: toServiceDate(at),
        attempt: (piece) => database.attempt(piece),
        startAfresh: () => undefined,
        hasFaults: false,
        log: [],
      }
      settleDuePayments(world)
      const result = work(world)
      log = world.log
      return result
    })
  const group: Group<TransactionWorld> = { run: async (work) => turn(work), drain: async () => undefined }

  function forgetKeys(): void {
    if (keyLifeMs === undefined) return
    for (const [key, usedAtMs] of keysUsedAt) {
      if (now().getTime() - usedAtMs < keyLifeMs) continue
      database.run('DELETE FROM idempotency_keys WHERE key = ?', key)
      keysUsedAt.delete(key)
    }
  }

  return {
    begin: (world) => {
      ;({ now, idempotency, keyLifeMs } = world)
      ids = makeIdentifiers(world.chance.next)
      keysUsedAt.clear()
      database.clear()
      database.run("INSERT INTO settings (name, value) VALUES ('secret', 'of-the-simulation')")
    },
    arrive: async (request) => {
      forgetKeys()
      const reply = await serve({ group, ids, idempotency }, request)
      const isApplied = log.at(-1)?.applied === true
      const key = request.headers['x-idempotency-key']
      if (isApplied && key !== undefined) keysUsedAt.set(key, now().getTime())
      return { reply, isApplied }
    },
    payment: (id) => {
      const payment = store.payments.find(id)
      if (payment === undefined) throw new Error(`the service has no payment ${id}`)
      return payment
    },
    recordAmount: (paymentId) => store.externalPayments.find(paymentId)?.amount,
    tokenize: (card, clientToken) => turn((world) => tokenizeCard({ card, clientToken }, world)),
    challenge: (clientToken, outcome) => turn((world) => answerChallenge({ clientToken, outcome }, world)),
  }
}

export { BASE_URL }
