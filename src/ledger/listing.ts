import { createHash } from 'node:crypto'
import type { Store, Tx } from '../store/store.ts'
import type { Team } from './own-write.ts'
import { readRow } from './entry.ts'
import type { DamagedRecord, Entry, ReadRow } from './entry.ts'
import { noSuchOperation, tooShort } from './ledger-errors.ts'
import { findOpenDamage } from './open-writes.ts'
import type { Owner } from './owner.ts'
import type { OwnerCheck } from './owner-check.ts'
import { hasEnded, isEnd } from './record.ts'
import type { OperationRecord, State, StoredRecord } from './record.ts'
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
export function createListing({
  store,
  owners,
  team,
  timeIn,
}: {
  readonly store: Store
  readonly owners: OwnerCheck
  readonly team: Team | undefined
  readonly timeIn: (tx: Tx) => Date
}) {
  const isTallied = team === undefined

  /** As it is for those who look at it: a write that no process works on is in doubt. */
  function shown(entry: Entry, now: Date): Extract<FoundEntry, { kind: 'record' }> {
    const { owner, leaseUntilMs } = entry
    const lease = leaseUntilMs === undefined ? null : new Date(leaseUntilMs).toISOString()
    const record = isTallied ? entry.record : { ...entry.record, leaseUntil: lease }
    if (hasEnded(record)) return { kind: 'record', record, owner: undefined, isPidOnly: false }
    return owners.isBusy(entry, now)
      ? { kind: 'record', record: { ...record, state: 'sending' }, owner, isPidOnly: owners.isPidOnly(entry) }
      : { kind: 'record', record: { ...record, state: 'in-doubt' }, owner: undefined, isPidOnly: false }
  }

  return {
    list: ({ checksEnded = false, ...filter }: ListOptions): Promise<Listing> =>
      store.reading(async (tx) => {
        const needsEnded = checksEnded || filter.states?.some(isEnd) !== false
        const { fits, isInState } = testsFor({
          ...filter,
          targets: filter.targets?.flatMap(namesOf),
          // Each member names the profile as they like.
          ...(team === undefined ? {} : { profile: undefined, account: team.account }),
        })
        const records: StoredRecord[] = []
        const damaged: DamagedRecord[] = []
        for await (const read of rowsOf(tx, needsEnded ? 'true' : OPEN)) {
          if (read.kind === 'damaged') damaged.push(read.damaged)
          else if (fits(read.entry.record)) {
            const { record } = shown(read.entry, timeIn(tx))
            if (isInState(record)) records.push(record)
          }
        }
        const { isMiscounted } = await findOpenDamage(tx, { isTallied })
        return { records: records.toSorted(byCreation), damage: { records: damaged, isMiscounted } }
      }),

    withKeys: (keys: readonly string[]): Promise<readonly StoredRecord[]> =>
      store.reading(async (tx) => {
        if (keys.length === 0) return []
        const values = Object.fromEntries(keys.map((key, at) => [`key${at}`, key]))
        const names = Object.keys(values).map((name) => `:${name}`)
        const rows = await tx.all(`SELECT * FROM writes WHERE key IN (${names.join()})`, values)
        return rows.map(readRow).flatMap((read) => (read.kind === 'entry' ? [read.entry.record] : []))
      }),

    notable: (apiKeyId: string, since: Date): Promise<readonly Entry[]> =>
      store.reading(async (tx) => {
        const entries: Entry[] = []
        for await (const read of rowsOf(tx, `state IN ('confirmed', 'abandoned')`)) {
          if (read.kind === 'damaged' || read.entry.record.apiKeyId !== apiKeyId) continue
          const { isTicket, record } = read.entry
          if (isTicket || (record.state === 'confirmed' && record.updatedAt >= since.toISOString()))
            entries.push(read.entry)
        }
        return entries
      }),

    recent: (limit: number): Promise<readonly StoredRecord[]> =>
      store.reading(async (tx) => {
        const rows = await tx.all('SELECT * FROM writes ORDER BY place DESC LIMIT :limit', { limit })
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
        return first.kind === 'damaged'
          ? { kind: 'damaged', ...first.damaged }
          : shown(first.entry, timeIn(tx))
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
      `SELECT * FROM writes WHERE (${condition}) AND place < :before ORDER BY place DESC LIMIT ${PART}`,
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

export interface RecordFilter {
  /** ISO 8601 with milliseconds, UTC; both ends are inclusive. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Matches any of these; so do `states` and `targets`. */
  readonly operations?: readonly string[] | undefined
  readonly states?: readonly State[] | undefined
  readonly targets?: readonly string[] | undefined
  readonly profile?: string | undefined
  readonly account?: string | undefined
  /** Who has begun it, and where. */
  readonly by?: { readonly user: string; readonly host: string } | undefined
}

type RecordTest = (record: StoredRecord) => boolean

/** `fits` tests fields that never change. The state is a separate test, because only a record's latest line has the current one. */
function testsFor({ from, to, operations, states, targets, profile, account, by }: RecordFilter): {
  readonly fits: RecordTest
  readonly isInState: RecordTest
} {
  const tests = [
    ({ createdAt }: StoredRecord) => from === undefined || createdAt >= from,
    ({ createdAt }: StoredRecord) => to === undefined || createdAt <= to,
    isAnyOf('operation', operations),
    isAnyOf('target', targets),
    isAnyOf('profile', profile === undefined ? undefined : [profile]),
    (record: StoredRecord) => account === undefined || record.account === account,
    ({ user, host }: StoredRecord) => by === undefined || (user === by.user && host === by.host),
  ]
  return { fits: (record) => tests.every((test) => test(record)), isInState: isAnyOf('state', states) }
}

const isAnyOf =
  (name: keyof OperationRecord, values: readonly unknown[] | undefined): RecordTest =>
  (record) =>
    values === undefined || values.includes(record[name])

type Created = Pick<StoredRecord, 'createdAt'>

/** Latest first. */
export const byCreation = (a: Created, b: Created): number =>
  a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1
