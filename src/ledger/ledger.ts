import type { PayError } from '../errors.ts'
import type { BeginOptions, Intent, StoredIntent, OpenIntent, Settlement } from './port.ts'
import { blocked, clearedUp, inProgress, namesakeWords, noSuchOperation, takenOver } from './files/blocked.ts'
import { claimTarget } from './files/claim.ts'
import { damageTo, damagedRecord } from './damage.ts'
import { idsIn, isTorn } from './files/damaged-line.ts'
import type { DamagedLine } from './files/damaged-line.ts'
import type { Disk } from './files/disk.ts'
import { openHistory } from './files/history.ts'
import type { Found, ListOptions, Listing } from './listing.ts'
import { hasNamesakes, isNamesake, mayBeNamesake } from './files/lock.ts'
import { OpenFolder } from './files/open-folder.ts'
import type { OpenFile, OwnFile } from './files/open-folder.ts'
import { isAtWork, ownerVisibility } from './files/owner.ts'
import type { Owner, Processes } from './files/owner.ts'
import { ended, storedIntentOf, newRecord } from './files/record.ts'
import type { Ending, StoredRecord } from './files/record.ts'
import { isKeyTaken, refuseRepeats, whatStopped } from './repeats.ts'

/** Each time round another process has ended what stood in the way: it cannot go on for ever. */
const MOST_TURNS = 100

export interface LedgerOptions {
  readonly disk: Disk
  readonly folder: string
  readonly now: () => Date
  readonly newId: () => string
  readonly processes: Processes
  readonly wait: (ms: number) => Promise<void>
  /** Who is at the keyboard, as the system knows them. */
  readonly user: () => string
  readonly version: string
}

/** An open intent in this process's hands. */
export interface Reopened extends Omit<OpenIntent, 'settle' | 'warning'> {
  readonly kept: StoredIntent
  readonly record: StoredRecord
  /** Why it was never sent: the same had been done. undefined where it may have been. */
  readonly stoppedBy: PayError | undefined
  /** Why it can't be resolved: what the history has of it may be damaged. A person has to look. */
  readonly damage: PayError | undefined
  /** Records how it ended, or that nobody knows yet. Answers the record as it is then. */
  readonly settle: (settlement: Settlement) => Promise<StoredRecord>
  /** Leaves it as it was. */
  readonly letGo: () => Promise<void>
  /** Ends it on a person's word, with their words. */
  readonly abandon: (words: string | undefined) => Promise<StoredRecord>
}

export interface ReopenOptions {
  /** A person's word, which counts where nothing but a process number is known of its owner. */
  readonly isSaidToBeGone?: boolean
}

export interface FileLedger {
  readonly begin: (intent: Intent, options: BeginOptions) => Promise<OpenIntent>
  /**
   * What {@link FileLedger.begin} would refuse, found out without a trace, so that a person is refused before being asked.
   * Promises nothing: only begin is atomic.
   * @throws {PayError} exit 6
   */
  readonly checkRepeat: (intent: Intent, options: BeginOptions) => Promise<void>
  /** Takes an open intent in hand, to clear it up. */
  readonly reopen: (id: string, options?: ReopenOptions) => Promise<Reopened>
  /** Those that are open, and those that have ended unless told not to. */
  readonly list: (which: ListOptions) => Promise<Listing>
  /**
   * By its id, or a beginning of it that only one has.
   * @throws {PayError} exit 5 when there is none, 2 when there are several
   */
  readonly find: (id: string) => Promise<Found>
  /** A person's word that a damaged record is of no use. Answers where it was put. */
  readonly setAside: (name: string) => Promise<string>
}

/** Typed again, a harmless write goes on with the one that is open. */
const isTakenUpAgain = (record: StoredRecord, wanted: StoredRecord): boolean =>
  record.isRepeatable && record.operation === wanted.operation && record.likeness === wanted.likeness

/**
 * The record of every write: durable before it is sent, ended before it is told.
 * `open/` holds what has not ended, a file for each; `history-YYYY-MM.ndjson` what has.
 */
export function createLedger(options: LedgerOptions): FileLedger {
  const { disk, folder, now, processes, wait } = options
  const openFolder = `${folder}/open`
  const open = new OpenFolder({ disk, folder: openFolder, own: processes.own, now })
  const history = openHistory(disk, folder)

  const isBusy = (file: OpenFile): boolean => {
    const { record, owner } = file
    if (record === undefined || owner === undefined) return false
    if (file.turn === 0 && record.state !== 'sending') return false
    const since = file.since ?? record.updatedAt
    return isAtWork(owner, new Date(since).getTime(), now().getTime(), processes)
  }

  const visibilityOf = ({ owner }: OpenFile) =>
    owner === undefined ? undefined : ownerVisibility(owner, processes)

  const busy = (file: OpenFile, record: StoredRecord): PayError =>
    inProgress(record, { owner: file.owner, sight: visibilityOf(file), now: now() })

  /** Its end is recorded, and only its file was left: as by a process that was killed between the two. */
  async function hasEnded(file: OpenFile, id: string): Promise<boolean> {
    if (!(await history.holds(id))) return false
    await open.remove(file)
    return true
  }

  async function settle(file: OwnFile, ending: Ending): Promise<StoredRecord> {
    const { record, turn } = file
    const next = ended(record, ending, now())
    const standing = await open.standing(file)
    if (standing !== 'ours') {
      const end = (await hasEnded(file, record.id)) ? await history.find(record.id) : undefined
      if (end !== undefined) return end
      // Whoever has it may send it, or have sent it: only what was done is known for certain.
      if (standing === 'taken' && ending.state !== 'confirmed') throw takenOver(record)
    }
    if (ending.state === 'in-doubt') {
      await open.replace(file, next)
      return next
    }
    await history.append(next).catch(async (error: unknown) => {
      // Nothing was done. Left open since that could not be written down, it would be sent by whoever clears up.
      if (ending.state === 'rejected' && turn === 0) await open.drop(record)
      throw error
    })
    await open.remove(file)
    return next
  }

  const inHand = (file: OwnFile, warning?: string): OpenIntent => ({
    id: file.record.id,
    isInDoubt: file.turn > 0,
    warning,
    isOurs: async () => (await open.standing(file)) === 'ours',
    isKeyTaken: () => isKeyTaken(history, file.record),
    settle: async (settlement) => {
      const end = await settle(file, settlement)
      if (end.state !== settlement.state) throw clearedUp(end, now())
    },
  })

  /** Nothing is known to keep them apart but their keys, and an account may have several of those. */
  async function warningOf(record: StoredRecord): Promise<string | undefined> {
    if (!hasNamesakes(record)) return undefined
    const others = await open.all(({ name, target }) => name !== record.id && mayBeNamesake(record, target))
    const found = others.flatMap(({ record: other }) =>
      other !== undefined && isNamesake(record, other) ? [other] : [],
    )
    if (found.length === 0) return undefined
    const over = await history.endedAmong(found.map(({ id }) => id))
    const other = found.find(({ id }) => !over.has(id))
    return other === undefined ? undefined : namesakeWords(other, now())
  }

  /** What stands in the way of a new write: an error, or an equal and harmless one that is taken up again. */
  async function meet(file: OpenFile, wanted: StoredRecord): Promise<OpenIntent | 'again'> {
    const { record } = file
    if (record === undefined) throw damagedRecord(file.name, pathOf(file))
    if (isBusy(file)) throw busy(file, record)
    // Since it was found in the way, its process may have gone.
    if (file.isClaim || (await hasEnded(file, record.id))) return 'again'
    if (!isTakenUpAgain(record, wanted)) throw blocked(record, now())
    const taken = await open.takeOver(file)
    return taken === undefined ? 'again' : inHand(taken)
  }

  const pathOf = ({ file }: OpenFile): string => `${openFolder}/${file}`

  async function lookBack(record: StoredRecord) {
    const { others, damaged } = await (await listing()).endedOn(record.target)
    return {
      stoppedBy: await whatStopped(history, record, now()),
      others,
      damage: damageTo(record, damaged),
    }
  }

  /** The states of the records that a damaged line belongs to: each is still open, or its end can be read elsewhere. */
  async function statesOf({ line }: DamagedLine): Promise<readonly (StoredRecord['state'] | undefined)[]> {
    // What was changed may name any record; what was only cut short begins as it was written.
    if (!isTorn(line)) return [undefined]
    return Promise.all(
      idsIn(line).map(async (id) => {
        if (id === undefined) return undefined
        const [file] = await open.all(({ name, isClaim }) => name === id && !isClaim)
        return file === undefined ? (await history.find(id))?.state : 'in-doubt'
      }),
    )
  }

  const isGone = (owner: Owner): boolean => !isAtWork(owner, now().getTime(), now().getTime(), processes)

  /** Loaded by what lists and clears up: a write has no use for it, and waits for every file that it loads. */
  const listing = async () => {
    const { createListing } = await import('./listing.ts')
    return createListing({
      open,
      history,
      pathOf,
      isBusy,
      isUnsure: (file) => visibilityOf(file) === 'number',
      sweep: { disk, folder: openFolder, own: processes.own, isGone, isBusy, all: () => open.all() },
    })
  }

  async function openFile(id: string): Promise<OpenFile> {
    const files = await open.all(({ name }) => name.startsWith(id))
    const exact = files.find(({ name }) => name === id)
    const file = exact ?? (files.length === 1 ? files[0] : undefined)
    if (file === undefined) throw noSuchOperation(files.length > 1, 'open')
    return file
  }

  return {
    async begin(intent, beginOptions) {
      const id = options.newId()
      const facts = { id, user: options.user(), version: options.version, owner: processes.own() }
      await history.check(now())
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        const record = newRecord(intent, beginOptions, { ...facts, now: now() })
        const claimed = await claimTarget({ open, isBusy, hasEnded, wait }, record)
        if (claimed.kind === 'again') continue
        if (claimed.kind === 'in-the-way') {
          const met = await meet(claimed.file, record)
          if (met === 'again') continue
          return met
        }
        try {
          // Only now: an equal one may have ended while this one was on its way here.
          await refuseRepeats(history, record, { now: now(), statesOf })
          return inHand(claimed.file, await warningOf(record))
        } catch (error) {
          await open.drop(record).catch(() => undefined)
          throw error
        }
      }
      throw new Error(`the target's record changes all the time: ${id}`)
    },

    async checkRepeat(intent, beginOptions) {
      const facts = { id: '', user: options.user(), version: options.version, owner: processes.own() }
      const wanted = newRecord(intent, beginOptions, { ...facts, now: now() })
      if (wanted.target === null) return
      for (const file of await open.others(wanted)) {
        const { record } = file
        if (record === undefined) throw damagedRecord(file.name, pathOf(file))
        if (isBusy(file)) throw busy(file, record)
        const isOver = file.isClaim || (await history.find(record.id)) !== undefined
        if (!isOver && !isTakenUpAgain(record, wanted)) throw blocked(record, now())
      }
      await refuseRepeats(history, wanted, { now: now() })
    },

    async reopen(id, { isSaidToBeGone = false } = {}) {
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        const file = await openFile(id)
        if (file.record === undefined) throw damagedRecord(file.name, pathOf(file))
        const isPassed = isSaidToBeGone && visibilityOf(file) === 'number'
        if (isBusy(file) && !isPassed) throw busy(file, file.record)
        if (file.isClaim && !isPassed) {
          // It died before it had claimed its target: nothing was sent, and there is nothing to find out.
          await open.remove(file)
          throw noSuchOperation(false, 'open')
        }
        if (await hasEnded(file, file.record.id)) throw noSuchOperation(false, 'open')
        const taken = await open.takeOver(file)
        if (taken === undefined) continue
        const { record } = taken
        const isOurs = async () => (await open.standing(taken)) === 'ours'
        const { others, stoppedBy, damage } = await lookBack(record).catch(async (error: unknown) => {
          await open.letGo(taken)
          throw error
        })
        return {
          id: record.id,
          isInDoubt: true,
          record,
          kept: {
            ...storedIntentOf(record, others, { now: now(), wasInHand: taken.turn > 1 }),
            isOurs,
            isKeyTaken: () => isKeyTaken(history, record),
          },
          stoppedBy,
          damage,
          isOurs,
          settle: (settlement) => settle(taken, settlement),
          letGo: () => open.letGo(taken),
          abandon: (words) => {
            const by = `Abandoned by ${options.user()} on ${processes.own().machine}`
            const note = words === undefined ? `${by}.` : `${by}: ${words}`
            const named = { ...record, reason: record.reason ?? words ?? null }
            return settle({ ...taken, record: named }, { state: 'abandoned', exitCode: undefined, note })
          },
        }
      }
      throw new Error(`the record changes all the time: ${id}`)
    },

    list: async (which) => (await listing()).list(which),
    find: async (id) => (await listing()).find(id),
    setAside: (name) => open.setAside(name),
  }
}
