import { CREATE_TABLES } from '../../src/sandbox/database/tables.ts'
import { databaseOn } from '../../src/sandbox/database/database.ts'
import type { ServiceResponse } from '../../src/sandbox/answers/response.ts'
import { toServiceDate } from '../../src/sandbox/domain/datetime.ts'
import { tokenizeCard } from '../../src/sandbox/controls/customer.ts'
import { answerChallenge } from '../../src/sandbox/controls/customer.ts'
import type { GroupCommit } from '../../src/sandbox/database/group-commit.ts'
import type { IdempotencyStyle } from '../../src/sandbox/pipeline/process-request.ts'
import { makeIdentifiers } from '../../src/sandbox/domain/identifiers.ts'
import type { LoggedRequest } from '../../src/sandbox/log/logged-request.ts'
import { handleRequest } from '../../src/sandbox/pipeline/handle-request.ts'
import { processDuePayments } from '../../src/sandbox/domain/payment/due-events.ts'
import { loadSqlite } from '../../src/sandbox/database/sqlite.ts'
import { storeIn } from '../../src/sandbox/database/store/store.ts'
import type { StoredPayment } from '../../src/sandbox/domain/store/stored-payment.ts'
import type { TransactionContext } from '../../src/sandbox/database/transactions.ts'
import type { HttpRequest } from '../../src/http/transport-port.ts'
import type { Chance } from './chance.ts'

/** What came of a request that reached the service. */
export interface Arrival {
  readonly reply: ServiceResponse
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

  const turn = <T>(work: (world: TransactionContext) => T): T =>
    database.transaction(() => {
      const at = now()
      const world: TransactionContext = {
        store,
        ids,
        now: at,
        at: toServiceDate(at),
        attempt: (piece) => database.attempt(piece),
        deleteEverything: () => undefined,
        hasFaults: false,
        log: [],
      }
      processDuePayments(world)
      const result = work(world)
      log = world.log
      return result
    })
  const commits: GroupCommit<TransactionContext> = {
    run: async (work) => turn(work),
    drain: async () => undefined,
  }

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
      const reply = await handleRequest({ commits, ids, idempotency }, request)
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
