import { EXIT, PayError } from '../../../src/errors.ts'
import { readRow } from '../../../src/client/ledger/entry.ts'
import { emptyDatabase, errorsOf } from '../../../src/client/ledger/ledger-file.ts'
import type { LimitsInTime } from '../../../src/client/ledger/port.ts'
import type { StoredRecord } from '../../../src/client/ledger/record.ts'
import type { Database } from '../../../src/store/database.ts'
import type { SqlValues } from '../../../src/store/sqlite.ts'
import { UncertainCommit } from '../../../src/store/store.ts'
import type { Store, Tx } from '../../../src/store/store.ts'
import type { Random } from '../random.ts'
import type { Process, Scheduler, TimedEvent } from '../scheduler.ts'

/** Databases of earlier histories. One that was given back is empty; none is ever collected, which would crash SQLite. */
const free: Database[] = []

/**
 * A machine's ledger: a real database whose transactions are whole. What is committed survives kills and power cuts, and
 * nothing else does; `test/durability` proves that of the file.
 */
export class SimulatedLedger {
  readonly database: Database = free.pop() ?? emptySimulated()
  /** The transaction under way: every other one waits. */
  holder: symbol | undefined
  /** What transactions have written whose commits come late, on a team's database: nobody sees it, and every writer waits for it. */
  #late: Change[] = []
  #committed: readonly StoredRecord[] = []

  /** Every record as it is committed, first begun first. */
  get records(): readonly StoredRecord[] {
    return this.#committed
  }

  /** Those that have ended. */
  get ends(): readonly StoredRecord[] {
    return this.#committed.filter((record) => !isOpen(record))
  }

  /** Those that have not. */
  get open(): readonly StoredRecord[] {
    return this.#committed.filter(isOpen)
  }

  /** Sets the limits over time of a team's account. */
  limit(limits: LimitsInTime): void {
    this.database.run('INSERT INTO accounts(name, limits) VALUES (:account, :limits)', {
      account: TEAM_ACCOUNT,
      limits: JSON.stringify(limits),
    })
  }

  begin(holder: symbol): void {
    this.holder = holder
    this.database.run('BEGIN IMMEDIATE')
  }

  commit(): void {
    this.database.run('COMMIT')
    this.holder = undefined
    this.#committed = this.database
      .all('SELECT * FROM writes ORDER BY rowid')
      .map(readRow)
      .flatMap((row) => (row.kind === 'entry' ? [row.entry.record] : []))
  }

  /** Commits later: when `arrive` is called, or once another transaction writes. */
  postpone(changes: readonly Change[]): void {
    this.rollBack()
    this.#late.push(...changes)
  }

  /** The late commits are done. A transaction under way that has written nothing sees them in its further statements. */
  arrive(): void {
    if (this.#late.length === 0) return
    const { holder } = this
    if (holder !== undefined) this.rollBack()
    this.database.run('BEGIN IMMEDIATE')
    for (const { sql, values } of this.#late.splice(0)) this.database.run(sql, values)
    this.commit()
    if (holder !== undefined) this.begin(holder)
  }

  rollBack(): void {
    this.database.run('ROLLBACK')
    this.holder = undefined
  }

  /** Empties it for another history. */
  giveBack(): void {
    if (this.holder !== undefined) this.rollBack()
    this.#late = []
    for (const table of ['writes', 'set_aside', 'accounts']) this.database.run(`DELETE FROM ${table}`)
    this.database.run("UPDATE tally SET open = 0, marks = '0000000000000000'")
    free.push(this.database)
  }
}

export const TEAM_ACCOUNT = 'acme'

/** With what of a team's ledger claims read besides. */
function emptySimulated(): Database {
  const database = emptyDatabase()
  database.run('CREATE TABLE accounts(name TEXT PRIMARY KEY, limits TEXT)')
  return database
}

interface Change {
  readonly sql: string
  readonly values: SqlValues
}

const isOpen = ({ state }: StoredRecord): boolean => state === 'sending' || state === 'in-doubt'

interface ProcessStoreOptions {
  readonly ledger: SimulatedLedger
  readonly scheduler: Scheduler
  readonly process: Process
  readonly random: Random
  /** The probability that a transaction fails: before it, or at its commit, which may be done even so. */
  readonly faultRate: () => number
  readonly onFault: () => void
  /** For a team's ledger: its database's clock. */
  readonly databaseNow?: (() => Date) | undefined
  /** For how long a process stands still once it has committed. */
  readonly standstillMs?: () => number
}

/** How long a process waits before it looks again whether the ledger is free. */
const WAIT_MS = 8
/** How late a commit may be done that was not answered. */
const LATEST_MS = 20_000
const FAULTS = ['nothing is done', 'only the answer is lost'] as const

/** A machine's ledger as one process uses it. Before a transaction and before its commit, anything may happen to the process. */
export function processStore({
  ledger,
  scheduler,
  process,
  random,
  faultRate,
  onFault,
  databaseNow,
  standstillMs = () => 0,
}: ProcessStoreOptions): Store {
  const fail = (): never => {
    onFault()
    throw databaseNow === undefined ? diskFull() : unreachable()
  }
  const statements = (changes: Change[]) => statementsOn(ledger, changes, databaseNow?.())
  const isFaulty = (): boolean => random.chance(faultRate())

  async function begin(holder: symbol, words: string): Promise<() => void> {
    const onKill = () => {
      if (ledger.holder === holder) ledger.rollBack()
    }
    while (ledger.holder !== holder)
      await scheduler.step(
        process,
        {
          words: () => words,
          ...(ledger.holder === undefined ? {} : { readyAtMs: scheduler.nowMs + WAIT_MS }),
          isReady: () => ledger.holder === undefined,
        },
        () => {
          if (ledger.holder !== undefined) return
          ledger.begin(holder)
          process.onKill.add(onKill)
        },
      )
    return () => {
      process.onKill.delete(onKill)
    }
  }

  /** Waits for a transaction under way, which may be reading. */
  const arrival = (atMs: number): TimedEvent => ({
    atMs,
    run: () => {
      if (ledger.holder === undefined) ledger.arrive()
      else scheduler.schedule(arrival(scheduler.nowMs + WAIT_MS))
    },
  })

  return {
    place: 'ledger.db',
    async transaction(work) {
      const changes: Change[] = []
      const holder = Symbol(process.name)
      const end = await begin(holder, 'begins a transaction')
      let isCommitting = false
      try {
        if (isFaulty()) fail()
        const result = await work(statements(changes))
        await scheduler.step(process, { words: () => `commits ${changes.map(shown).join(', ')}` }, () => {
          isCommitting = true
          const faults = databaseNow === undefined ? FAULTS : ([...FAULTS, 'it is done late'] as const)
          const fault = isFaulty() ? random.pick(faults) : undefined
          if (fault === 'it is done late') {
            ledger.postpone(changes)
            scheduler.schedule(arrival(scheduler.nowMs + random.below(LATEST_MS)))
          } else if (fault !== 'nothing is done') ledger.commit()
          if (fault !== undefined) fail()
        })
        const standstill = standstillMs()
        if (standstill > 0)
          await scheduler.step(
            process,
            { words: () => `stands still for ${standstill} ms`, readyAtMs: scheduler.nowMs + standstill },
            () => undefined,
          )
        return result
      } catch (error) {
        if (ledger.holder === holder) ledger.rollBack()
        throw isCommitting ? new UncertainCommit(error) : error
      } finally {
        end()
      }
    },
    async reading(work) {
      const end = await begin(Symbol(process.name), 'reads the ledger')
      try {
        return await work(statements([]))
      } finally {
        ledger.rollBack()
        end()
      }
    },
  }
}

function statementsOn(ledger: SimulatedLedger, changes: Change[], startedAt: Date | undefined): Tx {
  const { database } = ledger
  return {
    startedAt,
    get: async (sql, values = {}) => {
      if (!sql.includes('pg_advisory_xact_lock')) return database.get(sql, values)
      // A transaction whose commit comes late holds the lock until then.
      ledger.arrive()
      return undefined
    },
    all: async (sql, values = {}) => database.all(sql, values),
    arrays: async (sql, values = {}) => database.arrays(sql, values),
    run: async (sql, values = {}) => {
      ledger.arrive()
      changes.push({ sql, values })
      return database.run(sql, values)
    },
  }
}

const shown = ({ sql, values: { id, state, turn } }: Change): string =>
  [/^\w+/.exec(sql)?.[0].toLowerCase(), id, state, turn].filter((part) => part !== undefined).join(' ')

const unreachable = (): PayError =>
  new PayError('ledger_unreachable', EXIT.notConnected, 'no answer', { outcome: 'none' })

/** As SQLite and the real ledger report a full disk. */
const diskFull = (): unknown =>
  errorsOf('ledger.db').explain(Object.assign(new Error('database or disk is full'), { errcode: 13 }))
