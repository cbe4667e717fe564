import type { BeginOptions, Intent, OpenIntent } from './port.ts'
import { blocked, settledElsewhere, sameNameWarning } from './files/ledger-errors.ts'
import { claimTarget } from './files/claim.ts'
import { damagedRecord } from './damage-errors.ts'
import { idsIn, isTorn } from './files/damaged-line.ts'
import type { DamagedLine } from './files/damaged-line.ts'
import type { Disk } from './disk/disk.ts'
import { openHistory } from './files/history.ts'
import type { FoundEntry, ListOptions, Listing } from './listing.ts'
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

/** Each try fails only if another process changes the target's files at that moment; a hundred times means a bug. */
const MAX_TRIES = 100

export interface LedgerOptions {
  readonly disk: Disk
  readonly folder: string
  readonly now: () => Date
  readonly newId: () => string
  readonly processes: Processes
  readonly wait: (ms: number) => Promise<void>
  /** The system's name of the current user. */
  readonly user: () => string
  readonly version: string
}

export interface FileLedger {
  /** As `Ledger.begin` in `port.ts`. */
  readonly begin: (intent: Intent, options: BeginOptions) => Promise<OpenIntent>
  /**
   * Refuses what {@link FileLedger.begin} would refuse, but writes nothing, so that a user is refused before being prompted.
   * Guarantees nothing: only `begin` is atomic.
   * @throws {PayError} exit 6
   */
  readonly preflight: (intent: Intent, options: BeginOptions) => Promise<void>
  /**
   * Takes over an open intent, to resolve or abandon it. `id` may be a unique prefix.
   * @throws {PayError} exit 5 when there is none, 6 when its owner is still working
   */
  readonly reopen: (id: string, options?: ReopenOptions) => Promise<Reopened>
  /** The open records, and unless `onlyOpen` the ended ones. */
  readonly list: (which: ListOptions) => Promise<Listing>
  /**
   * By id, or by a unique prefix of it.
   * @throws {PayError} exit 5 when there is none, 2 when there are several
   */
  readonly find: (id: string) => Promise<FoundEntry>
  /** Visits every ended record, last ended first, and keeps none of them in memory. They are durable when it resolves. */
  readonly visitEnded: (visit: (record: StoredRecord) => void) => Promise<void>
  /** Sets a damaged record aside, on a user's decision. Returns its new path. */
  readonly setAside: (name: string) => Promise<string>
}

/** Whether a new write continues an open one: the same repeatable write, run again. */
const isContinuedBy = (record: StoredRecord, wanted: StoredRecord): boolean =>
  record.isRepeatable && record.operation === wanted.operation && record.likeness === wanted.likeness

/**
 * Records every write: durable before it is sent, its outcome recorded before it is reported.
 * `open/` holds one file per unfinished write; `history-YYYY-MM.ndjson` holds the finished ones.
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

  /** Warns about an open write on a target of the same name under another API key: both keys may belong to one account. */
  async function findSameNameWarning(record: StoredRecord): Promise<string | undefined> {
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

  /** Handles a file that blocks a new write: continues an equal repeatable write, and throws for any other. */
  async function handleConflict(file: OpenFile, wanted: StoredRecord): Promise<OpenIntent | 'retry'> {
    const { record } = file
    if (record === undefined) throw damagedRecord(file.name, pathOf(file))
    if (isBusy(file)) throw busy(file, record)
    // Its process may have ended since the file was found.
    if (file.isClaim || (await hasEnded(file, record.id))) return 'retry'
    if (!isContinuedBy(record, wanted)) throw blocked(record, now())
    const taken = await open.takeOver(file)
    return taken === undefined ? 'retry' : openIntent(taken)
  }

  /** The states of the records in a damaged line: each may still be open, or have its outcome on another line. */
  async function statesOf({ line }: DamagedLine): Promise<readonly (StoredRecord['state'] | undefined)[]> {
    // A changed line may name any record; a torn one is intact as far as it goes.
    if (!isTorn(line)) return [undefined]
    return Promise.all(
      idsIn(line).map(async (id) => {
        if (id === undefined) return undefined
        const [file] = await open.all(({ name, isClaim }) => name === id && !isClaim)
        return file === undefined ? (await history.find(id))?.state : 'in-doubt'
      }),
    )
  }

  /** Loaded on demand: a write doesn't need it, and every loaded file delays it. */
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
      for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
        const record = newRecord(intent, beginOptions, { ...facts, now: now() })
        const claimed = await claimTarget({ open, isBusy, hasEnded, wait }, record)
        if (claimed.kind === 'retry') continue
        if (claimed.kind === 'blocked') {
          const handled = await handleConflict(claimed.file, record)
          if (handled === 'retry') continue
          return handled
        }
        try {
          // Checked only after the claim: an equal write may have ended just before.
          await refuseRepeats(history, record, { now: now(), statesOf })
          return openIntent(claimed.file, await findSameNameWarning(record))
        } catch (error) {
          await open.discard(record).catch(() => undefined)
          throw error
        }
      }
      throw new Error(`the target's record keeps changing: ${id}`)
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
        if (!isOver && !isContinuedBy(record, wanted)) throw blocked(record, now())
      }
      await refuseRepeats(history, wanted, { now: now() })
    },

    reopen,
    list: async (which) => (await listing()).list(which),
    find: async (id) => (await listing()).find(id),
    visitEnded: async (visit) => {
      await history.all((record) => {
        visit(record)
        return false
      })
      await history.sync()
    },
    setAside: (name) => setAside({ disk, folder: openFolder }, name),
  }
}
