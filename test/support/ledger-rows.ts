import { INSERT, readRow, valuesOf } from '../../src/client/ledger/entry.ts'
import type { Entry } from '../../src/client/ledger/entry.ts'
import { fileStore, ledgerPath } from '../../src/client/ledger/ledger-file.ts'
import { idOf, tallyOf } from '../../src/client/ledger/open-writes.ts'
import type { Owner } from '../../src/client/ledger/owner.ts'
import type { StoredRecord } from '../../src/client/ledger/record.ts'
import { OPEN } from '../../src/client/ledger/tables.ts'
import { databaseOn } from '../../src/store/database.ts'
import type { Database } from '../../src/store/database.ts'
import { loadSqlite } from '../../src/store/sqlite.ts'
import type { Store } from '../../src/store/store.ts'

/** A ledger's file. Nothing crashes in these tests, and syncing would take most of the time of a write. */
export const testStore = (path: string): Store =>
  fileStore(path, () => new Promise((resolve) => setImmediate(resolve)), 'PRAGMA synchronous = OFF')

/** Does something with the database of a state folder's ledger, as another program would. */
export function inLedger<T>(stateFolder: string, work: (database: Database) => T): T {
  const connection = loadSqlite()(ledgerPath(stateFolder))
  const errors = { explain: (error: unknown) => error, isFailure: () => false, rolledBack: () => new Error() }
  try {
    return work(databaseOn(connection, errors))
  } finally {
    connection.close()
  }
}

/** The readable rows, in the order in which they were begun. */
export const entriesIn = (stateFolder: string): readonly Entry[] =>
  inLedger(stateFolder, (database) =>
    database
      .all('SELECT * FROM writes ORDER BY rowid')
      .map(readRow)
      .flatMap((row) => (row.kind === 'entry' ? [row.entry] : [])),
  )

export const recordsIn = (stateFolder: string): readonly StoredRecord[] =>
  entriesIn(stateFolder).map(({ record }) => record)

/** Writes records, in place of those with their IDs. */
export const putEntries = (stateFolder: string, entries: readonly Entry[]): void =>
  inLedger(stateFolder, (database) => {
    for (const entry of entries) {
      database.run('DELETE FROM writes WHERE id = ?', entry.record.id)
      database.run(INSERT, valuesOf(entry))
    }
    recount(database)
  })

export const putEntry = (stateFolder: string, entry: Entry): void => putEntries(stateFolder, [entry])

export const putRecord = (stateFolder: string, record: StoredRecord, owner?: Owner): void =>
  putEntry(stateFolder, { record, isTicket: false, turn: 0, owner, leaseUntilMs: undefined })

/** Replaces a record, as another process would. */
export function changeEntry(stateFolder: string, id: string, change: (entry: Entry) => Entry): void {
  const entry = entriesIn(stateFolder).find(({ record }) => record.id === id)
  if (entry === undefined) throw new Error(`not recorded: ${id}`)
  inLedger(stateFolder, (database) => database.run('DELETE FROM writes WHERE id = ?', id))
  putEntry(stateFolder, change(entry))
}

/** Changes a column of a record without its checksum. */
export const damage = (
  stateFolder: string,
  id: string,
  column = 'updated_at',
  value: string | number = 1,
): void =>
  inLedger(stateFolder, (database) => {
    if (database.run(`UPDATE writes SET ${column} = :value WHERE id = :id`, { id, value }) !== 1)
      throw new Error(`not recorded: ${id}`)
  })

function recount(database: Database): void {
  const rows = database.all(`SELECT * FROM writes WHERE ${OPEN}`).map(readRow)
  const { open, marks } = tallyOf(rows.map(idOf))
  database.run('UPDATE tally SET open = :open, marks = :marks', { open, marks })
}
