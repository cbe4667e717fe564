import { readRow } from '../../../src/ledger/entry.ts'
import { emptyDatabase, errorsOf } from '../../../src/ledger/ledger-file.ts'
import type { StoredRecord } from '../../../src/ledger/record.ts'
import type { Database } from '../../../src/store/database.ts'
import type { SqlValues } from '../../../src/store/sqlite.ts'
import { UncertainCommit } from '../../../src/store/store.ts'
import type { Store, Tx } from '../../../src/store/store.ts'
import type { Random } from '../random.ts'
import type { Process, Scheduler } from '../scheduler.ts'

/** Databases of earlier histories. One that was given back is empty; none is ever collected, which would crash SQLite. */
const free: Database[] = []

/**
 * A machine's ledger: a real database whose transactions are whole. What is committed survives kills and power cuts, and
 * nothing else does; `test/durability` proves that of the file.
 */
export class SimulatedLedger {
  readonly database: Database = free.pop() ?? emptyDatabase()
  /** The transaction under way: every other one waits. */
  holder: symbol | undefined
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

  rollBack(): void {
    this.database.run('ROLLBACK')
    this.holder = undefined
  }

  /** Empties it for another history. */
  giveBack(): void {
    if (this.holder !== undefined) this.rollBack()
    for (const table of ['writes', 'set_aside']) this.database.run(`DELETE FROM ${table}`)
    this.database.run("UPDATE tally SET open = 0, marks = '0000000000000000'")
    free.push(this.database)
  }
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
}

/** How long a process waits before it looks again whether the ledger is free. */
const WAIT_MS = 8

/** A machine's ledger as one process uses it. Before a transaction and before its commit, anything may happen to the process. */
export function processStore({
  ledger,
  scheduler,
  process,
  random,
  faultRate,
  onFault,
}: ProcessStoreOptions): Store {
  const fail = (): never => {
    onFault()
    throw diskFull()
  }
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

  return {
    async transaction(work) {
      const changes: string[] = []
      const holder = Symbol(process.name)
      const end = await begin(holder, 'begins a transaction')
      let isCommitting = false
      try {
        if (isFaulty()) fail()
        const result = await work(statementsOn(ledger.database, changes))
        await scheduler.step(process, { words: () => `commits ${changes.join(', ')}` }, () => {
          isCommitting = true
          const fault = isFaulty() ? random.pick(['nothing is done', 'only the answer is lost']) : undefined
          if (fault !== 'nothing is done') ledger.commit()
          if (fault !== undefined) fail()
        })
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
        return await work(statementsOn(ledger.database, []))
      } finally {
        ledger.rollBack()
        end()
      }
    },
  }
}

function statementsOn(database: Database, changes: string[]): Tx {
  const shown = (sql: string, { id, state, turn }: SqlValues) =>
    [/^\w+/.exec(sql)?.[0].toLowerCase(), id, state, turn].filter((part) => part !== undefined).join(' ')
  return {
    get: async (sql, values = {}) => database.get(sql, values),
    all: async (sql, values = {}) => database.all(sql, values),
    arrays: async (sql, values = {}) => database.arrays(sql, values),
    run: async (sql, values = {}) => {
      if (values['id'] !== undefined) changes.push(shown(sql, values))
      return database.run(sql, values)
    },
  }
}

/** As SQLite and the real ledger report a full disk. */
const diskFull = (): unknown =>
  errorsOf('ledger.db').explain(Object.assign(new Error('database or disk is full'), { errcode: 13 }))
