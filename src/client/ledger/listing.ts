import type { SqlValues } from '../../store/sqlite.ts'
import type { Store, Tx } from '../../store/store.ts'
import type { Team } from './own-write.ts'
import { checkValues, readRow, VALUES } from './entry.ts'
import type { CheckedRow, DamagedRecord, Entry, IntactRow } from './entry.ts'
import { noSuchOperation, tooShort } from './ledger-errors.ts'
import { findOpenDamage } from './open-writes.ts'
import type { Owner } from './owner.ts'
import type { OwnerCheck } from './owner-check.ts'
import { baseUrlIn, hasEnded, isEnd, paymentOf, published, publishedJson } from './record.ts'
import type { State, StoredRecord } from './record.ts'
import { OPEN } from './tables.ts'
import { sha256 } from '../../files/sha256.ts'

/** A shorter prefix too easily matches another record. */
const MIN_PREFIX_LENGTH = 4
/** Rows that are read at a time. */
const PART = 500

/** Records of the ledger, latest first. */
export interface Listing<Shown = StoredRecord> {
  readonly records: readonly Shown[]
  readonly damage: LedgerDamage
}

/** What a person has to check. */
interface LedgerDamage {
  /** Records that can't be read. */
  readonly records: readonly DamagedRecord[]
  /** Whether a record of an open write is missing: everything is blocked. */
  readonly isMiscounted: boolean
}

export interface ListOptions extends RecordFilter {
  /** Looks for damage among the records that ended, even if none of them can be in the list. */
  readonly checksEnded?: boolean
  /** Reads the records with this text as a value, and the open ones. Of many, checking the others would take most of the time. */
  readonly holding?: string
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

  /** An entry as those see it who look at it: a write that no process works on is in doubt. */
  function shown(entry: Entry, now: Date): Extract<FoundEntry, { kind: 'record' }> {
    const { owner, leaseUntilMs } = entry
    const lease = leaseUntilMs === undefined ? null : new Date(leaseUntilMs).toISOString()
    const record = isTallied ? entry.record : { ...entry.record, leaseUntil: lease }
    if (hasEnded(record)) return { kind: 'record', record, owner: undefined, isPidOnly: false }
    return owners.isBusy(entry, now)
      ? { kind: 'record', record: { ...record, state: 'sending' }, owner, isPidOnly: owners.isPidOnly(entry) }
      : { kind: 'record', record: { ...record, state: 'in-doubt' }, owner: undefined, isPidOnly: false }
  }

  /** Each record that the filter selects as `shape` makes it; `shapeEnded` makes the same of the JSON of one that has ended. */
  const select = <Shown>(
    { checksEnded = false, holding, ...filter }: ListOptions,
    shape: (record: StoredRecord) => Shown,
    shapeEnded?: (json: string) => Shown,
  ): Promise<Listing<Shown>> =>
    store.reading(async (tx) => {
      const needsEnded = checksEnded || filter.states?.some(isEnd) !== false
      const { isInPeriod, isInState, fits, fitsAll } = testsFor({
        ...filter,
        targets: filter.targets?.flatMap(namesOf),
        // Each member names the profile as they like.
        ...(team === undefined ? {} : { profile: undefined, account: team.account }),
      })
      const shapeOf = (row: IntactRow): Shown | undefined => {
        if (!isInPeriod(row)) return undefined
        if (shapeEnded !== undefined && fitsAll && isEnd(row.state))
          return isInState(row.state) ? shapeEnded(row.json) : undefined
        const entry = row.entry()
        if (!fits(entry.record)) return undefined
        const { record } = shown(entry, timeIn(tx))
        return isInState(record.state) ? shape(record) : undefined
      }
      const found: { readonly createdAtMs: number; readonly shaped: Shown }[] = []
      const damaged: DamagedRecord[] = []
      for await (const row of holding === undefined
        ? rowsOf(tx, needsEnded ? 'true' : OPEN)
        : rowsOf(tx, HOLDS, { held: JSON.stringify(holding) })) {
        const shaped = row.kind === 'damaged' ? undefined : shapeOf(row)
        if (row.kind === 'damaged') damaged.push(row.damaged)
        else if (shaped !== undefined) found.push({ createdAtMs: row.createdAtMs, shaped })
      }
      const { isMiscounted } = await findOpenDamage(tx, { isTallied })
      return {
        records: found
          .toSorted((one, other) => other.createdAtMs - one.createdAtMs)
          .map(({ shaped }) => shaped),
        damage: { records: damaged, isMiscounted },
      }
    })

  return {
    list: (which: ListOptions) => select(which, (record) => record),

    lines: (
      which: ListOptions,
      isEarlier: (record: Pick<StoredRecord, 'baseUrl'>) => boolean = () => false,
    ) => {
      const marked = (json: string, baseUrl: string) =>
        isEarlier({ baseUrl }) ? `${json.slice(0, -1)},"earlierSandbox":true}` : json
      return select(
        which,
        (record) => marked(JSON.stringify(published(record)), record.baseUrl),
        (json) => marked(publishedJson(json), baseUrlIn(json)),
      )
    },

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
        for await (const row of rowsOf(tx, `state IN ('confirmed', 'abandoned')`)) {
          const entry = row.kind === 'damaged' ? undefined : row.entry()
          if (entry?.record.apiKeyId !== apiKeyId) continue
          const { isTicket, record } = entry
          if (isTicket || (record.state === 'confirmed' && record.updatedAt >= since.toISOString()))
            entries.push(entry)
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
          throw noSuchOperation(id, first !== undefined, 'any')
        return first.kind === 'damaged'
          ? { kind: 'damaged', ...first.damaged }
          : shown(first.entry, timeIn(tx))
      }),

    visitEnded: (visit: (record: StoredRecord) => void): Promise<void> =>
      store.reading(async (tx) => {
        for await (const row of rowsOf(tx, `NOT (${OPEN})`))
          if (row.kind === 'intact') visit(row.entry().record)
      }),
  }
}

/** The condition for {@link ListOptions.holding}. Every database has `replace`. */
const HOLDS = `${OPEN} OR replace(record, :held, '') <> record`

/** The rows that meet the condition, last begun first, a part at a time. */
async function* rowsOf(tx: Tx, condition: string, values: SqlValues = {}): AsyncGenerator<CheckedRow> {
  for (let before: unknown = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await tx.arrays(
      `SELECT ${VALUES} FROM writes WHERE (${condition}) AND place < :before ORDER BY place DESC LIMIT ${PART}`,
      { ...values, before: Number(before) },
    )
    for (const row of rows) yield checkValues(row)
    if (rows.length < PART) return
    before = rows.at(-1)?.at(-1)
  }
}

/** A target as typed and, for tokens, as stored: its hash. */
const namesOf = (target: string): readonly string[] => [target, `sha256:${sha256(target)}`]

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
  /** The merchant's order, and its payments as far as they are known. */
  readonly order?: { readonly id: string; readonly payments: ReadonlySet<string> } | undefined
  /** Who has begun it, and where. */
  readonly by?: { readonly user: string; readonly host: string } | undefined
}

type RecordTest = (record: StoredRecord) => boolean

/** The tests of a filter. `fits` tests fields that never change, and isn't needed if `fitsAll`. */
function testsFor({ from, to, states, operations, targets, order, profile, account, by }: RecordFilter) {
  const [fromMs, toMs] = [Date.parse(from ?? ''), Date.parse(to ?? '')]
  const tests = [
    ...isAnyOf('operation', operations),
    ...isAnyOf('target', targets),
    ...isAnyOf('profile', profile === undefined ? undefined : [profile]),
    ...isAnyOf('account', account === undefined ? undefined : [account]),
    ...isAnyOf('user', by === undefined ? undefined : [by.user]),
    ...isAnyOf('host', by === undefined ? undefined : [by.host]),
    ...(order === undefined ? [] : [isOfOrder(order)]),
  ]
  return {
    isInPeriod: ({ createdAtMs }: IntactRow) => !(createdAtMs < fromMs || createdAtMs > toMs),
    isInState: (state: string) => states === undefined || states.some((one) => one === state),
    fits: (record: StoredRecord) => tests.every((test) => test(record)),
    fitsAll: tests.length === 0,
  }
}

const isOfOrder =
  ({ id, payments }: NonNullable<RecordFilter['order']>): RecordTest =>
  (record) =>
    record.orderId === id ||
    (record.targetKind === 'order' && record.target === id) ||
    payments.has(paymentOf(record) ?? '')

const isAnyOf = (name: keyof StoredRecord, values: readonly unknown[] | undefined): readonly RecordTest[] =>
  values === undefined ? [] : [(record) => values.includes(record[name])]

type Created = Pick<StoredRecord, 'createdAt'>

/** Sorts the latest first. */
export const byCreation = (a: Created, b: Created): number =>
  a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1
