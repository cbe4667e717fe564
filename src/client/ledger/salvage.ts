import { PayError } from '../../errors.ts'
import { numberIn } from '../../store/database.ts'
import type { Database, Row } from '../../store/database.ts'
import { readRow } from './entry.ts'
import type { Entry } from './entry.ts'
import { idOf, isSameTally, tallyOf } from './open-writes.ts'
import type { Tally } from './open-writes.ts'
import { missingIn } from './ledger-file.ts'
import { hasEnded } from './record.ts'

/** What can be read of a ledger. */
export interface Salvage {
  readonly isDamaged: boolean
  readonly records: number
  /** How many of them are open. */
  readonly open: number
  /** The IDs of the other records, as far as they can be read. */
  readonly lost: readonly string[]
}

/**
 * Reads every record, whatever else is damaged, and offers those whose checksum is right to `keep`, which says whether it
 * could. A page that can't be read costs its own records only: the places of all rows are in the table and in each of its
 * indexes, read from both ends.
 */
export function salvage(database: Database, keep: (entry: Entry, isOpen: boolean) => boolean): Salvage {
  const places = new Map<number, string | undefined>()
  for (const source of SOURCES)
    for (const row of readablePart(database, source)) {
      const place = numberIn(row, 'place')
      const id = typeof row['id'] === 'string' ? row['id'] : places.get(place)
      places.set(place, id)
    }
  const open: string[] = []
  const lost: string[] = []
  let records = 0
  for (const [place, name] of [...places].toSorted(([one], [other]) => one - other)) {
    const row = readable(() =>
      database.get('SELECT * FROM writes NOT INDEXED WHERE rowid = :place', { place }),
    )
    const read = row === undefined ? undefined : readRow(row)
    const isOpen = read?.kind === 'entry' && !hasEnded(read.entry.record)
    if (read?.kind !== 'entry' || !keep(read.entry, isOpen)) {
      lost.push(read === undefined ? (name ?? `row ${place}`) : idOf(read))
      continue
    }
    records += 1
    if (isOpen) open.push(read.entry.record.id)
  }
  const isDamaged = lost.length > 0 || !isCounted(database, tallyOf(open)) || !isWhole(database)
  return { isDamaged, records, open: open.length, lost }
}

/** Where the places of rows are found. */
const SOURCES = [
  'SELECT rowid AS place FROM writes NOT INDEXED ORDER BY rowid',
  'SELECT rowid AS place, id FROM writes INDEXED BY sqlite_autoindex_writes_1 ORDER BY id',
  'SELECT rowid AS place FROM writes INDEXED BY by_target ORDER BY target',
].flatMap((source) => [source, `${source} DESC`])

/** The rows up to the first that can't be read. */
function* readablePart(database: Database, source: string): Generator<Row> {
  let offset = 0
  for (let limit = 4096; limit >= 1;) {
    const rows = readable(() => database.all(`${source} LIMIT :limit OFFSET :offset`, { limit, offset }))
    if (rows === undefined) {
      limit = Math.floor(limit / 2)
      continue
    }
    yield* rows
    if (rows.length < limit) return
    offset += rows.length
  }
}

/** undefined if the file is damaged there. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof PayError && error.code === 'ledger_damaged') return undefined
    throw error
  }
}

function isCounted(database: Database, tally: Tally): boolean {
  const row = readable(() => database.get('SELECT open, marks FROM tally'))
  return row !== undefined && isSameTally({ open: numberIn(row, 'open'), marks: String(row['marks']) }, tally)
}

/** Whether nothing is damaged, and nothing is missing that keeps two writes apart. */
const isWhole = (database: Database): boolean =>
  readable(() => database.isSound() && missingIn(database).length === 0) === true
