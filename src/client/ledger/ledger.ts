import type { Tx } from '../../store/store.ts'
import { createClaim } from './claim.ts'
import { UsageError } from '../../errors.ts'
import { combined, INSERT, markOf, readRow, SEAL, sealed, UPDATE, valuesOf } from './entry.ts'
import type { Entry } from './entry.ts'
import { noSuchOperation } from './ledger-errors.ts'
import { createListing } from './listing.ts'
import type { FoundEntry, ListOptions, Listing } from './listing.ts'
import { idOf, isSameTally, openRows, readTally, tallyOf, writeTally } from './open-writes.ts'
import type { Tallied } from './open-writes.ts'
import { createOwnerCheck } from './owner-check.ts'
import { createOwnWrites } from './own-write.ts'
import type { LedgerOptions, Team } from './own-write.ts'
import { accountLimits, roomIn } from './limits-in-time.ts'
import type { Limitee, Room } from './limits-in-time.ts'
import type { BeginOptions, Ledger, LimitsInTime, Write } from './port.ts'
import type { StoredRecord } from './record.ts'
import { createReopen } from './reopen.ts'
import type { ReopenOptions, Reopened } from './reopen.ts'
import { shellWord } from '../../files/shell.ts'

export interface WholeLedger extends Ledger {
  /** Undefined for the ledger of this machine alone. */
  readonly team: Team | undefined
  /**
   * Refuses what {@link Ledger.begin} would refuse, but writes nothing, so that a user is refused before being prompted.
   * Guarantees nothing: only `begin` is atomic.
   * @throws {PayError} exit 6
   */
  readonly preflight: (intent: Write, options: BeginOptions) => Promise<void>
  /** What is left of these limits, and of those that the team has set for the account. */
  readonly room: (limitee: Limitee, limits: LimitsInTime) => Promise<readonly Room[]>
  /**
   * Takes over an open intent, to resolve or abandon it. `id` may be a unique prefix.
   * @throws {PayError} exit 5 when there is none, 6 when its owner is still working or it is damaged
   */
  readonly reopen: (id: string, options?: ReopenOptions) => Promise<Reopened>
  /** The records that these options select, last begun first. */
  readonly list: (which: ListOptions) => Promise<Listing>
  /**
   * As {@link WholeLedger.list}: the published fields of each record, as one line of JSON. Marks the writes to an earlier sandbox.
   */
  readonly lines: (
    which: ListOptions,
    isEarlier?: (record: Pick<StoredRecord, 'baseUrl'>) => boolean,
  ) => Promise<Listing<string>>
  /** The records that were begun last, for Tab completion, latest first. */
  readonly recent: (limit: number) => Promise<readonly StoredRecord[]>
  /**
   * Finds a record by its id, or by a unique prefix of it.
   * @throws {PayError} exit 5 when there is none, 2 when there are several
   */
  readonly find: (id: string) => Promise<FoundEntry>
  /** The writes with one of these idempotency keys, in no order. Leaves out damaged records. */
  readonly withKeys: (keys: readonly string[]) => Promise<readonly StoredRecord[]>
  /** Visits every ended record, last begun first, and keeps none of them in memory. */
  readonly visitEnded: (visit: (record: StoredRecord) => void) => Promise<void>
  /** Sets a damaged record aside, on a user's decision: it blocks nothing, and stays in the file. */
  readonly setAside: (id: string) => Promise<void>
  /** The writes of an API key that a team has to know of: tickets, and what was confirmed since then. */
  readonly notable: (apiKeyId: string, since: Date) => Promise<readonly Entry[]>
  /** Adds writes of another ledger, unless they are there. Returns how many it has added. */
  readonly add: (entries: readonly Entry[]) => Promise<number>
}

/** Records every write: durable before it is sent, its outcome recorded before it is reported. */
export function createLedger(options: LedgerOptions): WholeLedger {
  const { store, processes, team } = options
  const owners = createOwnerCheck(processes, { isTeam: team !== undefined })
  const own = createOwnWrites(options)
  const listing = createListing({ store, owners, team, timeIn: own.timeIn })
  return {
    team,
    ...createClaim(options, owners, own),
    reopen: createReopen({
      owners,
      own,
      abandonedBy: () => `${options.user()} on ${processes.own().machine}`,
    }),
    ...listing,
    room: (limitee, limits) =>
      store.reading(async (tx) => {
        const ofTeam = team === undefined ? undefined : await accountLimits(tx, limitee.account)
        const moment = own.momentIn(tx, undefined)
        return [
          ...(await roomIn(tx, limitee, moment, limits)),
          ...(ofTeam === undefined ? [] : await roomIn(tx, limitee, moment, ofTeam)),
        ]
      }),
    setAside: (id) =>
      own.transaction((tx) => setRecordAside(tx, id, own.timeIn(tx), { isTallied: team === undefined })),
    add: (entries) =>
      own.transaction(async (tx) => {
        let added = 0
        for (const entry of entries) added += await tx.run(INSERT, valuesOf(entry))
        return added
      }),
  }
}

/**
 * Moves a damaged record out of the way. It blocks nothing then, and stays in the file as it was. In a team's ledger it stays
 * where it is, as abandoned; if it has ended, only the database's owner can change it.
 * @throws {PayError} exit 5 when there is no damaged record of that ID
 */
async function setRecordAside(tx: Tx, id: string, now: Date, { isTallied }: Tallied): Promise<void> {
  const row = await tx.get('SELECT * FROM writes WHERE id = :id', { id })
  if (row === undefined || readRow(row).kind !== 'damaged') throw noSuchOperation(id, false, 'open')
  if (!isTallied) {
    const values = { ...sealed(row, now), was: Number(row['turn']) }
    if ((await tx.run(UPDATE, values)) === 1) return
    const user = await tx.get(
      "SELECT pg_has_role(relowner, 'USAGE') AS is_owner FROM pg_class WHERE oid = to_regclass('writes')",
    )
    if (user?.['is_owner'] !== true)
      throw new UsageError(`The record ${id} is damaged and has ended, so no member can change it`, {
        code: 'bad_value',
        hint: `The database's owner can, after checking its payment at the service: pay ops abandon ${shellWord(id)}, with that user in PAY_LEDGER.`,
      })
    await tx.run('ALTER TABLE writes DISABLE TRIGGER keep_ended')
    await tx.run(SEAL, values)
    await tx.run('ALTER TABLE writes ENABLE TRIGGER keep_ended')
    return
  }
  await tx.run('INSERT INTO set_aside(id, at, row) VALUES (:id, :at, :row)', {
    id,
    at: now.getTime(),
    row: JSON.stringify(row),
  })
  await tx.run('DELETE FROM writes WHERE id = :id', { id })
  const counted = await readTally(tx)
  const left = tallyOf((await openRows(tx)).map(idOf))
  // If it was open, or seemed to be ended because of the damage, the rest is what was counted without it.
  const without = { open: counted.open - 1, marks: combined(counted.marks, markOf(id)) }
  if (isSameTally(left, without)) await writeTally(tx, left)
}
