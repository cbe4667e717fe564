import { createHash } from 'node:crypto'
import type { Store, Tx } from '../store/store.ts'
import { readRow } from './entry.ts'
import type { DamagedRecord, Entry, ReadRow } from './entry.ts'
import { noSuchOperation, tooShort } from './ledger-errors.ts'
import { findOpenDamage } from './open-writes.ts'
import type { Owner } from './owner.ts'
import type { OwnerCheck } from './owner-check.ts'
import { byCreation, testsFor } from './record-filter.ts'
import type { RecordFilter } from './record-filter.ts'
import { hasEnded, isEnd } from './record.ts'
import type { StoredRecord } from './record.ts'
import { OPEN } from './tables.ts'

/** A shorter prefix too easily matches another record. */
const MIN_PREFIX_LENGTH = 4
/** Rows that are read at a time. */
const PART = 500

/** Records of the ledger, latest first. */
export interface Listing {
  readonly records: readonly StoredRecord[]
  readonly damage: LedgerDamage
}

/** What a person has to check. */
export interface LedgerDamage {
  /** Records that can't be read. */
  readonly records: readonly DamagedRecord[]
  /** Whether a record of an open write is missing: everything is blocked. */
  readonly isMiscounted: boolean
}

export interface ListOptions extends RecordFilter {
  /** Looks for damage among the records that ended, even if none of them can be in the list. */
  readonly checksEnded?: boolean
}

export type FoundEntry =
  | {
      readonly kind: 'record'
      readonly record: StoredRecord
      /** The process that is working on it. */
      readonly owner: Owner | undefined
      /** Whether only that process's number is known, which may belong to another program by now. */
      readonly isPidOnly: boolean
    }
  | ({ readonly kind: 'damaged' } & DamagedRecord)

/** Lists and finds records. Changes nothing. */
export function createListing({ store, owners }: { readonly store: Store; readonly owners: OwnerCheck }) {
  /** As it is for those who look at it: a write that no process works on is in doubt. */
  function shown(entry: Entry): Extract<FoundEntry, { kind: 'record' }> {
    const { record, owner } = entry
    if (hasEnded(record)) return { kind: 'record', record, owner: undefined, isPidOnly: false }
    return owners.isBusy(entry)
      ? { kind: 'record', record: { ...record, state: 'sending' }, owner, isPidOnly: owners.isPidOnly(entry) }
      : { kind: 'record', record: { ...record, state: 'in-doubt' }, owner: undefined, isPidOnly: false }
  }

  return {
    list: ({ checksEnded = false, ...filter }: ListOptions): Promise<Listing> =>
      store.reading(async (tx) => {
        const needsEnded = checksEnded || filter.states?.some(isEnd) !== false
        const { fits, isInState } = testsFor({ ...filter, targets: filter.targets?.flatMap(namesOf) })
        const records: StoredRecord[] = []
        const damaged: DamagedRecord[] = []
        for await (const read of rowsOf(tx, needsEnded ? 'true' : OPEN)) {
          if (read.kind === 'damaged') damaged.push(read.damaged)
          else if (fits(read.entry.record)) {
            const { record } = shown(read.entry)
            if (isInState(record)) records.push(record)
          }
        }
        const { isMiscounted } = await findOpenDamage(tx)
        return { records: records.toSorted(byCreation), damage: { records: damaged, isMiscounted } }
      }),

    recent: (limit: number): Promise<readonly StoredRecord[]> =>
      store.reading(async (tx) => {
        const rows = await tx.all('SELECT * FROM writes ORDER BY rowid DESC LIMIT :limit', { limit })
        return rows.map(readRow).flatMap((read) => (read.kind === 'entry' ? [read.entry.record] : []))
      }),

    find: (id: string): Promise<FoundEntry> =>
      store.reading(async (tx) => {
        if (id.length < MIN_PREFIX_LENGTH) throw tooShort(MIN_PREFIX_LENGTH)
        const rows = await tx.all(
          'SELECT * FROM writes WHERE id >= :id AND id < :beyond ORDER BY id LIMIT 2',
          {
            id,
            beyond: `${id}\u{10ffff}`,
          },
        )
        const [first, second] = rows.map(readRow)
        const isExact = rows[0]?.['id'] === id
        if (first === undefined || (second !== undefined && !isExact))
          throw noSuchOperation(first !== undefined, 'any')
        return first.kind === 'damaged' ? { kind: 'damaged', ...first.damaged } : shown(first.entry)
      }),

    visitEnded: (visit: (record: StoredRecord) => void): Promise<void> =>
      store.reading(async (tx) => {
        for await (const read of rowsOf(tx, `NOT (${OPEN})`))
          if (read.kind === 'entry') visit(read.entry.record)
      }),
  }
}

/** The rows that meet the condition, last begun first, a part at a time. */
async function* rowsOf(tx: Tx, condition: string): AsyncGenerator<ReadRow> {
  for (let before: unknown = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await tx.all(
      `SELECT rowid AS place, * FROM writes WHERE (${condition}) AND rowid < :before ORDER BY rowid DESC LIMIT ${PART}`,
      { before: Number(before) },
    )
    for (const row of rows) yield readRow(row)
    if (rows.length < PART) return
    before = rows.at(-1)?.['place']
  }
}

/** A target as typed and, for tokens, as stored: its hash. */
const namesOf = (target: string): readonly string[] => [
  target,
  `sha256:${createHash('sha256').update(target).digest('hex')}`,
]
