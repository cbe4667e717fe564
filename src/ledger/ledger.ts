import { createHash } from 'node:crypto'
import type { BeginOptions, Intent, KeptIntent, OpenIntent } from '../intent.ts'
import { damagedRecord, blocked, inProgress, noSuchOperation, ticketUsed, writtenBefore } from './blocked.ts'
import type { Disk } from './disk.ts'
import { openHistory } from './history.ts'
import { OpenFolder } from './open-folder.ts'
import type { OpenFile } from './open-folder.ts'
import { isAtWork } from './owner.ts'
import type { Processes } from './owner.ts'
import { ended, keptOf, newRecord } from './record.ts'
import type { StoredRecord } from './record.ts'

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

/** What the ledger holds, latest first. */
export interface Listing {
  readonly records: readonly StoredRecord[]
  /** What cannot be read, for a person to look at. */
  readonly damaged: { readonly files: readonly string[]; readonly lines: number }
  /** Records that a crash cut short before anything was sent for them; they are gone now. */
  readonly cutShort: number
}

/** An open intent in this process's hands. */
export interface Reopened extends OpenIntent {
  readonly kept: KeptIntent
  readonly record: StoredRecord
  /** Leaves it as it was. */
  readonly letGo: () => Promise<void>
  readonly abandon: (note: string | undefined) => Promise<void>
}

export interface FileLedger {
  readonly begin: (intent: Intent, options: BeginOptions) => Promise<OpenIntent>
  /** Takes an open intent in hand, to clear it up. */
  readonly reopen: (id: string) => Promise<Reopened>
  /** Those that are open, and those that have ended unless told not to. */
  readonly list: (which: { readonly onlyOpen?: boolean; readonly target?: string }) => Promise<Listing>
  /** By its id, or a beginning of it that only one has. */
  readonly find: (id: string) => Promise<StoredRecord>
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
    if ((await history.find(id)) === undefined) return false
    await open.remove(file, id)
    return true
  }

  function inHand(file: OpenFile, record: StoredRecord): OpenIntent {
    return {
      id: record.id,
      isInDoubt: file.turn > 0,
      settle: async (settlement) => {
        const next = ended(record, settlement, now())
        if (settlement.state === 'in-doubt') return open.replace(file, next)
        await history.append(next)
        await open.remove(file, record.id)
      },
    }
  }

  /** What stands in the way of a new write: an error, or an equal and harmless one that is taken up again. */
  async function meet(file: OpenFile, wanted: StoredRecord): Promise<OpenIntent | 'again'> {
    const { record, name } = file
    if (record === undefined) throw damagedRecord(name, `${folder}/open/${name}.json`)
    if (isBusy(file)) throw inProgress(record, file.owner?.pid, now())
    if (await hasEnded(file, record.id)) return 'again'
    if (!record.isRepeatable || record.operation !== wanted.operation || record.likeness !== wanted.likeness)
      throw blocked(record, now())
    const taken = await open.takeOver(file)
    return taken === undefined ? 'again' : inHand(taken, record)
  }

  async function refuseRepeats(record: StoredRecord, { mayRepeat, isTicket }: BeginOptions): Promise<void> {
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
    const since = new Date(now().getTime() - REPEAT_MS)
    const earlier = await history.latest(since, (other) => isRepeat(record, other))
    if (earlier !== undefined) throw writtenBefore(earlier, now())
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
      const record = newRecord(intent, { ...facts, owner: processes.own() })
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
      throw new Error(`the target's record changes all the time: ${folder}/open/${name}.json`)
    },

    async reopen(id) {
      for (let turn = 0; turn < MOST_TURNS; turn += 1) {
        const file = await openFile(id)
        const { record, name } = file
        if (record === undefined) throw damagedRecord(name, `${folder}/open/${name}.json`)
        if (isBusy(file)) throw inProgress(record, file.owner?.pid, now())
        if (await hasEnded(file, record.id)) throw noSuchOperation(false, 'open')
        const taken = await open.takeOver(file)
        if (taken === undefined) continue
        return {
          ...inHand(taken, record),
          record,
          kept: keptOf(record),
          letGo: () => open.letGo(taken),
          abandon: async (note) => {
            const ending = { state: 'abandoned', exitCode: undefined, note } as const
            await history.append(ended(record, ending, now()))
            await open.remove(taken, record.id)
          },
        }
      }
      throw new Error(`the record changes all the time: ${id}`)
    },

    async list({ onlyOpen = false, target }) {
      const cutShort = await open.sweep(
        (owner) => !isAtWork(owner, now().getTime(), now().getTime(), processes),
      )
      const files = await open.all()
      const past = onlyOpen
        ? { records: [], damagedLines: 0 }
        : await history.all(target === undefined ? undefined : JSON.stringify(target))
      const isPast = new Set(past.records.map(({ id }) => id))
      const current: StoredRecord[] = []
      for (const file of files) {
        const { record } = file
        if (record === undefined || isPast.has(record.id)) continue
        if (target !== undefined && record.target !== target) continue
        if (onlyOpen && (await history.find(record.id)) !== undefined) continue
        current.push({ ...record, state: isBusy(file) ? 'sending' : 'in-doubt' })
      }
      const damaged = files.filter(({ record }) => record === undefined).map(({ name }) => name)
      return {
        records: [...current.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)), ...past.records],
        damaged: { files: damaged, lines: past.damagedLines },
        cutShort,
      }
    },

    async find(id) {
      const { records } = await this.list({})
      const exact = records.find((record) => record.id === id)
      if (exact !== undefined) return exact
      const alike = records.filter((record) => id !== '' && record.id.startsWith(id))
      const [first] = alike
      if (first === undefined || alike.length > 1) throw noSuchOperation(alike.length > 1, 'any')
      return first
    },

    setAside: (name) => open.setAside(name),
  }
}

/** The file's name says nothing of the target, and is the same wherever it is made. One without a target stands alone. */
function nameOf({ baseUrl, account, target }: Intent, id: string): string {
  if (target === undefined) return id
  const scope = JSON.stringify([baseUrl, account, target.kind, target.name])
  return createHash('sha256').update(scope).digest('hex').slice(0, 32)
}

const isRepeat = (record: StoredRecord, other: StoredRecord): boolean =>
  other.state === 'confirmed' &&
  other.exitCode === 0 &&
  other.operation === record.operation &&
  other.likeness === record.likeness &&
  other.target === record.target &&
  other.baseUrl === record.baseUrl &&
  other.account === record.account
