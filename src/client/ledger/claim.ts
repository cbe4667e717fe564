import { EXIT } from '../../errors.ts'
import { UncertainCommit } from '../../store/store.ts'
import type { Tx } from '../../store/store.ts'
import { changesOf, INSERT, UPDATE, valuesOf } from './entry.ts'
import type { Entry } from './entry.ts'
import { accountLimits, lockAccount, refuseOverLimit } from './limits-in-time.ts'
import { blocked, claimLost, sameNameWarning, unretracted } from './ledger-errors.ts'
import { count, miscounted, refuseDamage } from './open-writes.ts'
import type { OwnerCheck } from './owner-check.ts'
import { askedIn, entryOf } from './own-write.ts'
import type { LedgerOptions, OwnWrites } from './own-write.ts'
import type { BeginOptions, Write, BegunWrite } from './port.ts'
import { newRecord } from './record.ts'
import type { StoredRecord } from './record.ts'
import { endedOn, refuseRepeats } from './repeats.ts'
import { isSameNameElsewhere, targetOf } from './target.ts'

/** How often to look for what is in the way of a claim: each time, it may have ended meanwhile. */
const MAX_LOOKS = 5
/** How often to ask what became of a claim whose commit was not answered. */
const MAX_QUESTIONS = 3

/** Begins a write: makes it this process's own, or refuses it. */
export function createClaim(
  options: LedgerOptions,
  owners: OwnerCheck,
  { asking, timeIn, momentIn, held, transaction, begunWrite }: OwnWrites,
) {
  const { store, processes, team } = options
  const newWrite = (id: string, intent: Write, tx: Tx, begin: BeginOptions): StoredRecord =>
    newRecord(intent, {
      id,
      user: options.user(),
      version: options.version,
      owner: processes.own(),
      account: team?.account ?? intent.apiKeyId,
      now: timeIn(tx),
      moment: momentIn(tx, begin.serviceMs),
      timeoutMs: begin.timeoutMs,
    })

  /** The open write in the way, if this one continues it. undefined if there is none. */
  function continued(
    open: readonly Entry[],
    wanted: StoredRecord,
    begin: Pick<BeginOptions, 'isTicket'>,
    at: Date,
  ): Entry | undefined {
    // The records decide, which have checksums: an index may be damaged, or the schema that defines it.
    const found = open.find((entry) => isInTheWay(entry, wanted, begin))
    if (found === undefined) return undefined
    if (owners.isBusy(found, at)) throw owners.busy(found, at)
    if (!isContinuedBy(found.record, wanted)) throw blocked(found.record, at)
    return found
  }

  /** The open writes that can be read, if no damage among them concerns this one. */
  const openIn = (tx: Tx, record: StoredRecord): Promise<readonly Entry[]> =>
    refuseDamage(tx, record, { isTallied: team === undefined })

  /** Limits over time: the profile's, and in a team's ledger the account's. */
  async function refuseBeyondLimits(
    tx: Tx,
    record: StoredRecord,
    { limits }: BeginOptions,
    at: Date,
  ): Promise<void> {
    const known = async () => {
      const ofAccount = team === undefined ? undefined : await accountLimits(tx, record.account)
      return [limits, ofAccount].filter((one) => one?.maxTotal !== undefined || one?.maxCount !== undefined)
    }
    let all = await known()
    if (all.length === 0) return
    if (team !== undefined) {
      await lockAccount(tx, record.account)
      // They may have been changed while this claim waited.
      all = await known()
    }
    for (const one of all) if (one !== undefined) await refuseOverLimit(tx, record, one, at)
  }

  /**
   * Claims the write. The transaction holds the locks of its target and its ticket, so nothing else can begin there until
   * the commit. An open write may end meanwhile, and a later statement sees all of that: so look for open writes first, then
   * for repeats.
   */
  async function claim(tx: Tx, { record, begin, asked }: Wanted): Promise<BegunWrite> {
    const { timeoutMs, isTicket } = begin
    const at = timeIn(tx)
    const own = (entry: Omit<Entry, 'owner' | 'leaseUntilMs'>) => ({
      entry: held(entry, at, timeoutMs),
      timeoutMs,
      asked: askedIn(tx, asked),
    })
    const added = own({ record, isTicket, turn: 0 })
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      const open = await openIn(tx, record)
      const earlier = continued(open, record, begin, at)
      if (earlier !== undefined) {
        const taken = own({ ...earlier, turn: earlier.turn + 1 })
        if ((await tx.run(UPDATE, changesOf(taken.entry, earlier.turn))) === 1) return begunWrite(taken)
        // It has ended meanwhile, or another process has taken it over.
        continue
      }
      await refuseRepeats(tx, record, begin, at)
      await refuseBeyondLimits(tx, record, begin, at)
      // The unique indexes are the second lock: they refuse what the first one let pass.
      if ((await tx.run(INSERT, valuesOf(added.entry))) === 0) continue
      if (team === undefined) await count(tx, record.id, 1)
      return begunWrite(added, findSameNameWarning(open, record, at))
    }
    throw miscounted()
  }

  /** Makes sure, after a failed commit that may have been done, that no claim is left which a later resolve would send. */
  async function retract(id: string, cause: unknown): Promise<void> {
    try {
      if ((await store.reading((tx) => entryOf(tx, id))) === undefined) return
      await transaction(async (tx) => {
        if ((await tx.run('DELETE FROM writes WHERE id = :id AND turn = 0', { id })) === 1)
          await count(tx, id, -1)
      })
    } catch {
      throw unretracted(id, cause)
    }
  }

  /**
   * Whether the claim is in the team's ledger, after a commit without an answer. Adds the same write as ended: that waits
   * for the first transaction, so a commit that comes later finds it there. Reading alone would not see one that comes late.
   * @throws {PayError} exit 6 if a colleague has taken it over meanwhile, and may have sent it
   */
  async function isClaimed(claimed: StoredRecord, isTicket: boolean, cause: unknown): Promise<boolean> {
    const record = { ...claimed, state: 'rejected', exitCode: EXIT.notConnected, note: LOST } as const
    const lost = valuesOf({ record, isTicket, turn: 0, owner: undefined, leaseUntilMs: undefined })
    for (let question = 1; ; question += 1) {
      const found = await store
        .transaction(async (tx) =>
          (await tx.run(INSERT, lost)) === 1 ? 'none' : await entryOf(tx, record.id),
        )
        .catch(() => undefined)
      if (found === 'none') return false
      if (found !== undefined) {
        if (found.turn === 0) return found.record.state === 'sending'
        throw claimLost(record)
      }
      if (question === MAX_QUESTIONS) throw unretracted(record.id, cause)
    }
  }

  const scopeOf = ({ baseUrl, target, apiKeyId }: Write) => ({
    baseUrl,
    account: team?.account ?? apiKeyId,
    targetKind: target?.kind ?? null,
    target: target?.name ?? null,
  })

  /** What the unique indexes keep apart, in one order for all processes, so that none waits for another in a circle. */
  function locksOf(intent: Write, { isTicket }: BeginOptions): readonly string[] {
    const locked = targetOf(scopeOf(intent))
    return [
      ...(locked === null ? [] : [`target ${locked}`]),
      ...(isTicket ? [`ticket ${intent.idempotencyKey}`] : []),
    ]
  }

  return {
    async begin(intent: Write, beginOptions: BeginOptions): Promise<BegunWrite> {
      const id = options.newId()
      const asked = asking()
      let begun: { readonly record: StoredRecord; readonly open: BegunWrite } | undefined
      const work = async (tx: Tx): Promise<BegunWrite> => {
        const record = newWrite(id, intent, tx, beginOptions)
        begun = { record, open: await claim(tx, { record, begin: beginOptions, asked }) }
        return begun.open
      }
      const locks = locksOf(intent, beginOptions)
      return store.transaction(work, { locks }).catch(async (error: unknown) => {
        if (!(error instanceof UncertainCommit)) throw error
        if (team === undefined) await retract(id, error.cause)
        // Taking a write over leaves it as it was: in doubt.
        else if (begun?.open.id === id && (await isClaimed(begun.record, beginOptions.isTicket, error.cause)))
          return begun.open
        throw error.cause
      })
    },

    endedOn: async (intent: Write): Promise<readonly string[]> => {
      const ended = await store.reading((tx) => endedOn(tx, scopeOf(intent)))
      return ended.map(({ id }) => id)
    },

    preflight: (intent: Write, beginOptions: BeginOptions): Promise<void> =>
      store.reading(async (tx) => {
        const wanted = newWrite('', intent, tx, beginOptions)
        if (wanted.target === null) return
        continued(await openIn(tx, wanted), wanted, beginOptions, timeIn(tx))
        await refuseRepeats(tx, wanted, beginOptions, timeIn(tx))
        // What isn't known before a person is asked is checked when it is claimed.
        if (intent.amount !== undefined) await refuseBeyondLimits(tx, wanted, beginOptions, timeIn(tx))
      }),
  }
}

interface Wanted {
  readonly record: StoredRecord
  readonly begin: BeginOptions
  readonly asked: ReturnType<OwnWrites['asking']>
}

/** Whether an open write blocks the record: on its target, or with its ticket. */
const isInTheWay = (
  { record: other, isTicket }: Entry,
  record: StoredRecord,
  begin: Pick<BeginOptions, 'isTicket'>,
): boolean =>
  (record.target !== null && targetOf(other) === targetOf(record)) ||
  (isTicket && begin.isTicket && other.idempotencyKey === record.idempotencyKey)

const LOST = 'The ledger did not confirm it in time, so nothing was sent.'

/** Whether a new write continues an open one: the same repeatable write, run again. */
const isContinuedBy = (record: StoredRecord, wanted: StoredRecord): boolean =>
  record.isRepeatable && record.operation === wanted.operation && record.likeness === wanted.likeness

/** Warns about an open write on a target of the same name of another account, which may be the same merchant's. */
function findSameNameWarning(open: readonly Entry[], record: StoredRecord, now: Date): string | undefined {
  if (record.target === null || record.targetKind === 'payment') return undefined
  const other = open.find((one) => isSameNameElsewhere(record, one.record))
  return other === undefined ? undefined : sameNameWarning(other.record, now)
}
