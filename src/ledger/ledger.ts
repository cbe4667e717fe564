import type { BeginOptions, Intent, OpenIntent } from './port.ts'
import { blocked, settledElsewhere, sameNameWarning } from './files/ledger-errors.ts'
import { claimTarget } from './files/claim.ts'
import { damagedRecord } from './damage.ts'
import { idsIn, isTorn } from './files/damaged-line.ts'
import type { DamagedLine } from './files/damaged-line.ts'
import type { Disk } from './files/disk.ts'
import { openHistory } from './files/history.ts'
import type { Found, ListOptions, Listing } from './listing.ts'
import { isNameAmbiguous, isSameNameElsewhere, mayBeSameName } from './files/lock.ts'
import type { OpenFile, OwnFile } from './files/open-files.ts'
import { OpenFolder } from './files/open-folder.ts'
import type { Processes } from './files/owner.ts'
import { newRecord } from './files/record.ts'
import type { StoredRecord } from './files/record.ts'
import { setAside } from './files/set-aside.ts'
import { createOwnerCheck } from './owner-check.ts'
import { createReopen } from './reopen.ts'
import type { ReopenOptions, Reopened } from './reopen.ts'
import { isKeyTaken, refuseRepeats } from './repeats.ts'
import { createSettlement } from './settle.ts'

/** Each time round another process has ended what stood in the way: it cannot go on for ever. */
const MOST_TRIES = 100

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

export interface FileLedger {
  readonly begin: (intent: Intent, options: BeginOptions) => Promise<OpenIntent>
  /**
   * What {@link FileLedger.begin} would refuse, found out without a trace, so that a person is refused before being asked.
   * Promises nothing: only begin is atomic.
   * @throws {PayError} exit 6
   */
  readonly preflight: (intent: Intent, options: BeginOptions) => Promise<void>
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
  const { isBusy, isGone, isPidOnly, busy } = createOwnerCheck({ processes, now })
  const { settle, hasEnded } = createSettlement({ open, history, now })
  const pathOf = ({ file }: OpenFile): string => `${openFolder}/${file}`

  const openIntent = (file: OwnFile, warning?: string): OpenIntent => ({
    id: file.record.id,
    isInDoubt: file.generation > 0,
    warning,
    isOurs: async () => (await open.ownership(file)) === 'ours',
    isKeyTaken: () => isKeyTaken(history, file.record),
    settle: async (settlement) => {
      const end = await settle(file, settlement)
      if (end.state !== settlement.state) throw settledElsewhere(end, now())
    },
  })

  /** Nothing is known to keep them apart but their keys, and an account may have several of those. */
  async function warningOf(record: StoredRecord): Promise<string | undefined> {
    if (!isNameAmbiguous(record)) return undefined
    const others = await open.all(({ name, target }) => name !== record.id && mayBeSameName(record, target))
    const found = others.flatMap(({ record: other }) =>
      other !== undefined && isSameNameElsewhere(record, other) ? [other] : [],
    )
    if (found.length === 0) return undefined
    const over = await history.endedAmong(found.map(({ id }) => id))
    const other = found.find(({ id }) => !over.has(id))
    return other === undefined ? undefined : sameNameWarning(other, now())
  }

  /** What stands in the way of a new write: an error, or an equal and harmless one that is taken up again. */
  async function handleConflict(file: OpenFile, wanted: StoredRecord): Promise<OpenIntent | 'again'> {
    const { record } = file
    if (record === undefined) throw damagedRecord(file.name, pathOf(file))
    if (isBusy(file)) throw busy(file, record)
    // Since it was found in the way, its process may have gone.
    if (file.isClaim || (await hasEnded(file, record.id))) return 'again'
    if (!isTakenUpAgain(record, wanted)) throw blocked(record, now())
    const taken = await open.takeOver(file)
    return taken === undefined ? 'again' : openIntent(taken)
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

  /** Loaded by what lists and clears up: a write has no use for it, and waits for every file that it loads. */
  const listing = async () => {
    const { createListing } = await import('./listing.ts')
    return createListing({
      open,
      history,
      pathOf,
      isBusy,
      isPidOnly,
      cleanUpAfterCrash: {
        disk,
        folder: openFolder,
        own: processes.own,
        isGone,
        isBusy,
        all: () => open.all(),
      },
    })
  }

  const reopen = createReopen({
    open,
    history,
    pathOf,
    isBusy,
    isPidOnly,
    busy,
    hasEnded,
    settle,
    endedOn: async (target) => (await listing()).endedOn(target),
    now,
    abandonedBy: () => `${options.user()} on ${processes.own().machine}`,
  })

  return {
    async begin(intent, beginOptions) {
      const id = options.newId()
      const facts = { id, user: options.user(), version: options.version, owner: processes.own() }
      await history.check(now())
      for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
        const record = newRecord(intent, beginOptions, { ...facts, now: now() })
        const claimed = await claimTarget({ open, isBusy, hasEnded, wait }, record)
        if (claimed.kind === 'again') continue
        if (claimed.kind === 'in-the-way') {
          const handled = await handleConflict(claimed.file, record)
          if (handled === 'again') continue
          return handled
        }
        try {
          // Only now: an equal one may have ended while this one was on its way here.
          await refuseRepeats(history, record, { now: now(), statesOf })
          return openIntent(claimed.file, await warningOf(record))
        } catch (error) {
          await open.discard(record).catch(() => undefined)
          throw error
        }
      }
      throw new Error(`the target's record changes all the time: ${id}`)
    },

    async preflight(intent, beginOptions) {
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

    reopen,
    list: async (which) => (await listing()).list(which),
    find: async (id) => (await listing()).find(id),
    setAside: (name) => setAside({ disk, folder: openFolder }, name),
  }
}
