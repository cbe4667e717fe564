import { createHash } from 'node:crypto'
import { EXIT, PayError } from '../errors.ts'
import type { BeginOptions, Intent, KeptIntent, OpenIntent, Settlement } from '../intent.ts'
import {
  blocked,
  damagedRecord,
  inProgress,
  noSuchOperation,
  overtaken,
  ticketUsed,
  writtenBefore,
} from './blocked.ts'
import type { Disk } from './disk.ts'
import { openHistory } from './history.ts'
import type { Found, ListOptions, Listing } from './listing.ts'
import { OpenFolder } from './open-folder.ts'
import type { OpenFile } from './open-folder.ts'
import { isAtWork } from './owner.ts'
import type { Owner, Processes } from './owner.ts'
import { ended, keptOf, newRecord } from './record.ts'
import type { Ending, StoredRecord } from './record.ts'

/** How long an equal write is taken for the same one, typed twice. */
const REPEAT_MS = 10 * 60 * 1000
/** Each time round another process has ended what stood in the way: it cannot go on for ever. */
const MOST_TURNS = 100

export interface LedgerOptions {
  readonly disk: Disk
  readonly folder: string
  readonly now: () => Date
  readonly newId: () => string
  readonly processes: Processes
  /** Who is at the keyboard, as the system knows them. */
  readonly user: () => string
  readonly version: string
}

/** An open intent in this process's hands. */
export interface Reopened extends Omit<OpenIntent, 'settle'> {
  readonly kept: KeptIntent
  readonly record: StoredRecord
  /** Why it was never sent: the same had been done. undefined where it may have been. */
  readonly stoppedBy: PayError | undefined
  /** Records how it ended, or that nobody knows yet. Answers the record as it is then. */
  readonly settle: (settlement: Settlement) => Promise<StoredRecord>
  /** Leaves it as it was. */
  readonly letGo: () => Promise<void>
  /** Ends it on a person's word, with their words. */
  readonly abandon: (words: string | undefined) => Promise<StoredRecord>
}

export interface FileLedger {
  readonly begin: (intent: Intent, options: BeginOptions) => Promise<OpenIntent>
  /** Takes an open intent in hand, to clear it up. */
  readonly reopen: (id: string) => Promise<Reopened>
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

/**
 * The record of every write: durable before it is sent, ended before it is told.
 * `open/` holds what has not ended, a file for each target; `history-YYYY-MM.ndjson` what has.
 */
export function createLedger(options: LedgerOptions): FileLedger {
  const { disk, folder, now, processes } = options
  const open = new OpenFolder(disk, `${folder}/open`, processes.own)
  const history = openHistory(disk, folder)

  const isBusy = (file: OpenFile): boolean => {
    const { record, owner } = file
    if (record === undefined || owner === undefined) return false
    if (file.turn === 0 && record.state !== 'sending') return false
    return isAtWork(owner, new Date(record.updatedAt).getTime(), now().getTime(), processes)
  }

  /** Its end is recorded, and only its file was left: as by a process that was killed between the two. */
  async function hasEnded(file: OpenFile, id: string): Promise<boolean> {
    if (!(await history.holds(id))) return false
    await open.remove(file, id)
    return true
  }

  async function settle(file: OpenFile, record: StoredRecord, ending: Ending): Promise<StoredRecord> {
    const next = ended(record, ending, now())
    if (ending.state === 'in-doubt') {
      await open.replace(file, next)
      return next
    }
    await history.append(next)
    await open.remove(file, record.id)
    return next
  }

  const inHand = (file: OpenFile, record: StoredRecord): OpenIntent => ({
    id: record.id,
    isInDoubt: file.turn > 0,
    settle: async (settlement) => void (await settle(file, record, settlement)),
  })

  /** What stands in the way of a new write: an error, or an equal and harmless one that is taken up again. */
  async function meet(file: OpenFile, wanted: StoredRecord): Promise<OpenIntent | 'again'> {
    const { record, name } = file
    if (record === undefined) throw damagedRecord(name, pathOf(name))
    if (isBusy(file)) throw inProgress(record, file.owner?.pid, now())
    if (await hasEnded(file, record.id)) return 'again'
    if (!record.isRepeatable || record.operation !== wanted.operation || record.likeness !== wanted.likeness)
      throw blocked(record, now())
    const taken = await open.takeOver(file)
    return taken === undefined ? 'again' : inHand(taken, taken.record)
  }

  const pathOf = (name: string): string => `${folder}/open/${name}.json`

  async function refuseRepeats(
    record: StoredRecord,
    { mayRepeat, isTicket, seenAt }: BeginOptions,
  ): Promise<void> {
    if (seenAt !== undefined) {
      const faster = await history.latest(new Date(seenAt), (other) => hasChanged(record, other))
      if (faster !== undefined) throw overtaken(faster, now())
    }
    if (isTicket) {
      const key = record.idempotencyKey
      const used = await history.latest(
        new Date(0),
        (other) => other.idempotencyKey === key && other.state === 'confirmed',
        JSON.stringify(key),
      )
      if (used !== undefined) throw ticketUsed(used, now())
      // A ticket of its own says that it is another one.
      return
    }
    if (mayRepeat || record.target === null) return
    const since = new Date(Date.parse(record.createdAt) - REPEAT_MS)
    const earlier = await history.latest(since, (other) => isRepeat(record, other))
    if (earlier !== undefined) throw writtenBefore(earlier, now())
  }

  /** Killed before it was compared with what had been done, it would have been refused: it was never sent. */
  async function whatStopped(record: StoredRecord): Promise<PayError | undefined> {
    if (record.unasked === undefined) return undefined
    try {
      await refuseRepeats(record, record.unasked)
      return undefined
    } catch (error) {
      if (error instanceof PayError && error.exitCode === EXIT.conflict) return error
      throw error
    }
  }

  const lookBack = async (record: StoredRecord) => ({
    stoppedBy: await whatStopped(record),
    others: record.target === null ? [] : await endedOn(record.target),
  })

  const endedOn = async (target: string): Promise<readonly StoredRecord[]> =>
    (await listing()).endedOn(target)

  const isGone = (owner: Owner): boolean => !isAtWork(owner, now().getTime(), now().getTime(), processes)

  /** Loaded by what lists and clears up: a write has no use for it, and waits for every file that it loads. */
  const listing = async () => {
    const { createListing } = await import('./listing.ts')
    return createListing({ open, history, pathOf, isBusy, isGone })
  }

  async function openFile(id: string): Promise<OpenFile> {
    const files = (await open.all()).filter(({ name, record }) => (record?.id ?? name).startsWith(id))
    const exact = files.find(({ name, record }) => (record?.id ?? name) === id)
    const file = exact ?? (files.length === 1 ? files[0] : undefined)
    if (file === undefined) throw noSuchOperation(files.length > 1, 'open')
    return file
  }

  return {
    async begin(intent, beginOptions) {
      const id = options.newId()
      const facts = { id, now: now(), user: options.user(), version: options.version }
      const record = newRecord(intent, beginOptions, { ...facts, owner: processes.own() })
      const name = nameOf(intent, id)
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        if (await open.claim(name, record)) {
          const file: OpenFile = { name, record, owner: record.owner, turn: 0 }
          try {
            // Only now: an equal one may have ended while this one was on its way here.
            await refuseRepeats(record, beginOptions)
          } catch (error) {
            await open.remove(file, id)
            throw error
          }
          return inHand(file, record)
        }
        const file = await open.read(name)
        const met = file === undefined ? 'again' : await meet(file, record)
        if (met !== 'again') return met
      }
      throw new Error(`the target's record changes all the time: ${pathOf(name)}`)
    },

    async reopen(id) {
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        const file = await openFile(id)
        const { name } = file
        if (file.record === undefined) throw damagedRecord(name, pathOf(name))
        if (isBusy(file)) throw inProgress(file.record, file.owner?.pid, now())
        if (await hasEnded(file, file.record.id)) throw noSuchOperation(false, 'open')
        const taken = await open.takeOver(file)
        if (taken === undefined) continue
        const { record } = taken
        const { others, stoppedBy } = await lookBack(record).catch(async (error: unknown) => {
          await open.letGo(taken)
          throw error
        })
        return {
          id: record.id,
          isInDoubt: true,
          record,
          kept: keptOf(record, others, now()),
          stoppedBy,
          settle: (settlement) => settle(taken, record, settlement),
          letGo: () => open.letGo(taken),
          abandon: (words) => {
            const by = `Abandoned by ${options.user()} on ${processes.own().machine}`
            const note = words === undefined ? `${by}.` : `${by}: ${words}`
            const named = { ...record, reason: record.reason ?? words ?? null }
            return settle(taken, named, { state: 'abandoned', exitCode: undefined, note })
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

/** The file's name says nothing of the target, and is the same wherever it is made. One without a target stands alone. */
function nameOf({ baseUrl, account, target }: Intent, id: string): string {
  if (target === undefined) return id
  const scope = JSON.stringify([baseUrl, account, target.kind, target.name])
  return createHash('sha256').update(scope).digest('hex').slice(0, 32)
}

/** Whether the one may have changed what the other is about to act on. */
const hasChanged = (record: StoredRecord, other: StoredRecord): boolean =>
  other.state !== 'rejected' &&
  other.targetKind === record.targetKind &&
  other.target === record.target &&
  other.baseUrl === record.baseUrl

const isRepeat = (record: StoredRecord, other: StoredRecord): boolean =>
  other.state === 'confirmed' &&
  other.exitCode === 0 &&
  other.operation === record.operation &&
  other.likeness === record.likeness &&
  other.target === record.target &&
  other.baseUrl === record.baseUrl &&
  other.account === record.account
