import { CREATE_TABLES, TABLES } from '../../src/sandbox/database/tables.ts'
import { errorsOf } from '../../src/sandbox/database/database-error.ts'
import { databaseOn } from '../../src/store/database.ts'
import type { ServiceResponse } from '../../src/sandbox/answers/response.ts'
import { toServiceDate } from '../../src/sandbox/domain/datetime.ts'
import { answerChallenge, tokenize } from '../../src/sandbox/controls/customer.ts'
import type { LongWork } from '../../src/sandbox/controls/control.ts'
import type { GroupCommit } from '../../src/sandbox/database/group-commit.ts'
import type { IdempotencyStyle } from '../../src/sandbox/pipeline/process-request.ts'
import { makeIdentifiers } from '../../src/sandbox/domain/identifiers.ts'
import type { LoggedRequest } from '../../src/sandbox/log/logged-request.ts'
import { handleRequest } from '../../src/sandbox/pipeline/handle-request.ts'
import { processDuePayments } from '../../src/sandbox/domain/payment/due-events.ts'
import { loadSqlite } from '../../src/store/sqlite.ts'
import { storeIn } from '../../src/sandbox/database/store.ts'
import type { StoredPayment } from '../../src/sandbox/domain/stored.ts'
import type { TransactionContext } from '../../src/sandbox/database/transactions.ts'
import type { HttpRequest } from '../../src/client/http/transport-port.ts'
import type { Random } from './random.ts'

/** A request that the service has handled. */
export interface Handled {
  readonly reply: ServiceResponse
  /** Whether the service performed the operation. */
  readonly isApplied: boolean
  /** The service's clock. */
  readonly date: Date
}

export interface Service {
  /** Empties the service for a new history. */
  readonly reset: (options: {
    readonly random: Random
    readonly now: () => Date
    readonly idempotency: IdempotencyStyle
    /** How long a key is remembered; undefined for ever. */
    readonly keyLifeMs: number | undefined
    /** How old the payments are that reads show. */
    readonly lagMs: number
  }) => void
  readonly handle: (request: HttpRequest) => Promise<Handled>
  readonly payment: (id: string) => StoredPayment
  /** The token of a card. */
  readonly tokenize: (card: string, clientToken: string) => string
  /** The customer passes or fails the 3-D Secure challenge; returns the resume token. */
  readonly challenge: (clientToken: string, outcome: 'pass' | 'fail') => string
}

export const BASE_URL = 'https://pay.example'

/** The sandbox's own handlers over a database in memory. The histories of a run use it one after the other. */
export function openService(): Service {
  const connection = loadSqlite()(':memory:')
  connection.exec(CREATE_TABLES)
  const database = databaseOn(connection, errorsOf(':memory:'))
  const store = storeIn(database, { token: () => ids.token() })
  const keysUsedAt = new Map<string, number>()
  let now = (): Date => new Date(0)
  let ids = makeIdentifiers(Math.random)
  let idempotency: IdempotencyStyle = 'reject'
  let keyLifeMs: number | undefined
  let lagMs = 0
  /** What a payment looked like from when on, for reads from a replica that lags. */
  const views = new Map<string, { readonly atMs: number; readonly reply: ServiceResponse }[]>()
  let log: readonly LoggedRequest[] = []

  const transact = <T>(work: (world: TransactionContext) => T): T =>
    database.transaction(() => {
      const at = now()
      const world: TransactionContext = {
        store,
        database,
        ids,
        now: at,
        at: toServiceDate(at),
        machineNow: now,
        attempt: (piece) => database.attempt(piece),
        deleteEverything: () => undefined,
        hasFaults: false,
        log: [],
        exchanges: [],
      }
      processDuePayments(world)
      const result = work(world)
      log = world.log
      return result
    })
  const commits: GroupCommit<TransactionContext> = {
    run: async (work) => transact(work),
    drain: async () => undefined,
  }

  const longWork: LongWork = {
    insights: () => Promise.reject(new Error('The simulation has no insights')),
    reset: () => Promise.reject(new Error('The simulation resets itself')),
  }

  function forgetKeys(): void {
    if (keyLifeMs === undefined) return
    for (const [key, usedAtMs] of keysUsedAt) {
      if (now().getTime() - usedAtMs < keyLifeMs) continue
      database.run('DELETE FROM idempotency_keys WHERE key = ?', key)
      keysUsedAt.delete(key)
    }
  }

  const answer = (request: HttpRequest): Promise<ServiceResponse> =>
    handleRequest({ commits, ids, idempotency, now, mayKeepBodies: () => false, longWork }, request)
  const readOf = (id: string): HttpRequest => ({
    method: 'GET',
    url: `${BASE_URL}/payments/${id}`,
    headers: { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1' },
    body: undefined,
  })

  return {
    reset: (options) => {
      ;({ now, idempotency, keyLifeMs, lagMs } = options)
      views.clear()
      ids = makeIdentifiers(options.random.next)
      keysUsedAt.clear()
      for (const table of TABLES) database.run(`DELETE FROM ${table}`)
      database.run("INSERT INTO settings (name, value) VALUES ('secret', 'of-the-simulation')")
    },
    handle: async (request) => {
      forgetKeys()
      const id = lagMs === 0 ? undefined : /\/payments\/(\w+)(?:\/|$)/.exec(request.url)?.[1]
      if (id !== undefined && request.method === 'GET') {
        const seen = views.get(id)?.findLast(({ atMs }) => atMs <= now().getTime() - lagMs)
        if (seen !== undefined) return { reply: seen.reply, isApplied: false, date: now() }
      }
      const known = id === undefined ? undefined : (views.get(id) ?? [])
      if (id !== undefined && known !== undefined && request.method !== 'GET' && known.length === 0) {
        known.push({ atMs: Number.NEGATIVE_INFINITY, reply: await answer(readOf(id)) })
        views.set(id, known)
      }
      const reply = await answer(request)
      const isApplied = log.at(-1)?.applied === true
      const key = request.headers['x-idempotency-key']
      if (isApplied && key !== undefined) keysUsedAt.set(key, now().getTime())
      if (isApplied && id !== undefined && known !== undefined) {
        const own = log
        known.push({ atMs: now().getTime(), reply: await answer(readOf(id)) })
        log = own
      }
      return { reply, isApplied, date: now() }
    },
    payment: (id) => {
      const payment = store.payments.find(id)
      if (payment === undefined) throw new Error(`no such payment: ${id}`)
      return payment
    },
    tokenize: (card, clientToken) => transact((world) => tokenize({ card, clientToken }, world)),
    challenge: (clientToken, outcome) =>
      transact((world) => answerChallenge({ clientToken, outcome }, world)),
  }
}

/** The refunds that a payment lists, as the service returns it, that have not failed. */
export function refundsIn(body: string): readonly { readonly date: string; readonly amount: number }[] {
  const {
    transactions = [],
  }: {
    transactions?: readonly {
      date: string
      amount: number
      transactionType: string
      processorStatus: string
    }[]
  } = JSON.parse(body)
  return transactions.filter(
    ({ transactionType, processorStatus }) => transactionType === 'REFUND' && processorStatus !== 'FAILED',
  )
}

/** The date that the service gives to what it does at a moment. */
export const serviceDate = (ms: number): string => toServiceDate(new Date(ms))
