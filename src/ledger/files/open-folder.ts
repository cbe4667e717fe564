import { createHash } from 'node:crypto'
import { PayError } from '../../errors.ts'
import { noSuchOperation } from './blocked.ts'
import type { Disk } from './disk.ts'
import { lockName } from './lock.ts'
import { moveBeside } from './move-beside.ts'
import { fileOf, openEntryOf, turnFileOf, turnsAt } from './open-entry.ts'
import type { OpenEntry } from './open-entry.ts'
import { isSameOwner } from './owner.ts'
import type { Owner } from './owner.ts'
import { parseRecord, recordText } from './record.ts'
import type { StoredRecord } from './record.ts'
import { parseTurn, turnText } from './turn.ts'
import type { Turn } from './turn.ts'

export interface OpenFile extends OpenEntry {
  /** undefined where it cannot be read, or is not what was written. */
  readonly record: StoredRecord | undefined
  /** Who works on it: who made it, or the last to take it over. */
  readonly owner: Owner | undefined
  /** When they took it in hand, ISO 8601. */
  readonly since: string | undefined
  /** How often it was taken over. */
  readonly turn: number
}

export interface OwnFile extends OpenFile {
  readonly record: StoredRecord
}

/** Each time round another process has let go of it between two looks. */
const MOST_LOOKS = 10

/**
 * What has not ended: a file for each record, under a name that no other record ever has. Removing it, or writing its
 * next version over it, is one step that can only affect that record, and needs no look before it.
 * What keeps two writes on one target apart is in `claim.ts`.
 * An owner that died is followed by the one that makes the next turn's file, beside it: nothing is removed to take
 * something over, so two that try at once cannot both succeed.
 */
export class OpenFolder {
  readonly #disk: Disk
  readonly #folder: string
  readonly #own: () => Owner
  readonly #now: () => Date

  constructor(parts: {
    readonly disk: Disk
    readonly folder: string
    readonly own: () => Owner
    readonly now: () => Date
  }) {
    this.#disk = parts.disk
    this.#folder = parts.folder
    this.#own = parts.own
    this.#now = parts.now
  }

  /** Shows the others that a write is about to claim its target. Its contents are durable, its name need not be. */
  async announce(record: StoredRecord): Promise<void> {
    const made = this.#freshPath('new', record.id)
    try {
      if ((await this.#disk.write(made, recordText(record))) === 'no-folder') {
        await this.#disk.makeFolder(this.#folder)
        await this.#disk.write(made, recordText(record))
      }
      await this.#disk.sync(made)
      await this.#disk.rename(made, this.#at(fileOf(entryOf(record), 'claim')))
    } catch (error) {
      await this.#disk.remove(made).catch(() => undefined)
      throw error
    }
  }

  /** Makes an announced write one that may be sent: durable when it resolves. undefined when it was cleared away. */
  async keep(record: StoredRecord): Promise<OwnFile | undefined> {
    const entry = entryOf(record)
    const path = this.#at(fileOf(entry, 'json'))
    try {
      await this.#disk.rename(this.#at(fileOf(entry, 'claim')), path)
    } catch (error) {
      // A network drive may have done it and lost the answer.
      if ((await this.#disk.size(path)) === undefined) {
        if ((await this.#disk.size(this.#at(fileOf(entry, 'claim')))) === undefined) return undefined
        throw error
      }
    }
    await this.#disk.sync(this.#folder)
    const { owner, updatedAt: since } = record
    return { ...entry, file: fileOf(entry, 'json'), isClaim: false, record, owner, since, turn: 0 }
  }

  /**
   * Takes back what was announced. Not synced: back after a power cut, it is the claim of a process that is gone, which
   * never sent anything.
   */
  withdraw(record: StoredRecord): Promise<void> {
    return this.#disk.remove(this.#at(fileOf(entryOf(record), 'claim')))
  }

  /** Leaves nothing of what was not sent: no space is needed for it. */
  async drop(record: StoredRecord): Promise<void> {
    await this.#disk.remove(this.#at(fileOf(entryOf(record), 'json')))
    // No history has its end: back after a power cut, it would be taken for one that may have been sent.
    const sync = () => this.#disk.sync(this.#folder)
    // Try again if the disk was full: removing the file has freed its space.
    await sync()
      .catch(sync)
      .catch(() => undefined)
  }

  async read(entry: OpenEntry): Promise<OpenFile | undefined> {
    for (let look = 1; ; look += 1) {
      const file = await this.#readAmong(entry, await this.#disk.names(this.#folder))
      // Let go of since its name was seen: somebody else may have taken that turn by now.
      if (file !== 'changed' || look === MOST_LOOKS) return file === 'changed' ? damaged(entry) : file
    }
  }

  /** The other files of a record's target. Only those are read, however many others there are. */
  others(record: StoredRecord): Promise<readonly OpenFile[]> {
    const own = entryOf(record)
    return this.#files(
      (entry) => entry.target === own.target && entry.name !== own.name,
      (_, error) => {
        throw error
      },
    )
  }

  /** Those that fit. One that cannot even be opened is as good as damaged: it hides none of the others. */
  all(fits: (entry: OpenEntry) => boolean = () => true): Promise<readonly OpenFile[]> {
    return this.#files(fits, (entry, error) => {
      if (error instanceof PayError) return damaged(entry)
      throw error
    })
  }

  /** Whether it is still in the hands of whoever has this: another process may have taken them for dead. */
  async standing({ record, turn, ...entry }: OwnFile): Promise<'ours' | 'taken' | 'gone'> {
    const now = await this.read(entry)
    if (now?.record?.id !== record.id) return 'gone'
    return now.turn === turn && isSameOwner(now.owner, this.#own()) ? 'ours' : 'taken'
  }

  /** The file as it is now ours; undefined when another was faster, or it has ended meanwhile: look again. */
  async takeOver(judged: OpenFile): Promise<OwnFile | undefined> {
    const { record, turn } = judged
    if (record === undefined) return undefined
    const made = this.#freshPath('turn', `${record.id}.${turn + 1}`)
    const path = this.#at(turnFileOf(judged, turn + 1))
    try {
      await this.#writeOver(made, turnText(this.#own(), this.#now()))
      // A turn without its words is damaged, whatever power cuts there are.
      await this.#disk.sync(made)
      if (!(await this.#disk.link(made, path))) return undefined
      const taken = await this.#confirmed({ ...judged, record }).catch(async (error: unknown) => {
        await this.#disk.remove(path)
        throw error
      })
      if (taken === undefined) await this.#disk.remove(path)
      return taken
    } finally {
      await this.#disk.remove(made).catch(() => undefined)
    }
  }

  /** With the next turn's file in place: it counts only after the very owner that was taken for dead. */
  async #confirmed(judged: OwnFile): Promise<OwnFile | undefined> {
    const { record, turn, owner, since } = judged
    // Its maker may not have come so far, and what follows is sent: the record is not to be lost with its name.
    await this.#disk.sync(this.#folder)
    const now = await this.read(judged)
    if (now?.record?.id !== record.id || now.turn !== turn + 1) return undefined
    const before =
      turn === 0 ? { owner: now.record.owner, since: now.record.updatedAt } : await this.#turnOf(judged, turn)
    const isAsJudged = before !== undefined && isSameOwner(before.owner, owner) && before.since === since
    return isAsJudged ? { ...now, record: now.record } : undefined
  }

  /** Writes what has become of it, and lets go of it; only its owner may. Durable when it resolves. */
  async replace(file: OpenFile, record: StoredRecord): Promise<void> {
    const made = this.#freshPath('next', record.id)
    try {
      await this.#writeOver(made, recordText({ ...record, owner: this.#own() }))
      await this.#disk.sync(made)
      // Another machine may have taken it for dead and ended it. Were it put back, the history would tell that it is over.
      if ((await this.#disk.size(this.#at(file.file))) !== undefined) {
        await this.#disk.rename(made, this.#at(file.file))
        await this.#disk.sync(this.#folder)
      }
    } finally {
      await this.#disk.remove(made).catch(() => undefined)
    }
    await this.#removeTurns(file)
  }

  /** Ends it. Not synced where its end is recorded: back after a power cut, it is known by that to be over. */
  async remove(file: OpenFile): Promise<void> {
    await this.#disk.remove(this.#at(file.file))
    await this.#removeTurns(file)
  }

  /** Lets go of what was taken over and is to stay as it was. */
  async letGo(file: OwnFile): Promise<void> {
    if (file.turn > 0 && (await this.standing(file)) === 'ours')
      await this.#disk.remove(this.#at(turnFileOf(file, file.turn)))
  }

  /**
   * A damaged file blocks nothing any longer, and can still be read. Answers where it is.
   * @throws {PayError} when there is none of that name, as when its owner has just rewritten it
   */
  async setAside(name: string): Promise<string> {
    const named = await this.all((entry) => entry.name === name)
    const file = named.find(({ record }) => record === undefined)
    if (file === undefined) throw noSuchOperation(false, 'open')
    const path = this.#at(file.file)
    const aside = this.#at(`${file.file.replace(/\.(?:json|claim|aside)$/, '')}.aside`)
    const whole = aside.replace(/\.aside$/, '.json')
    if (path !== aside) await this.#disk.rename(path, aside)
    // No process rewrites it under this name, and it still blocks others.
    const now = await this.read({ ...file, file: aside.slice(this.#folder.length + 1) })
    if (now?.record !== undefined) {
      if (await this.#disk.link(aside, whole)) await this.#disk.remove(aside)
      throw noSuchOperation(false, 'open')
    }
    const to = await moveBeside(this.#disk, aside, (suffix) => `${whole}.damaged${suffix}`)
    await this.#disk.sync(this.#folder)
    return to
  }

  async #files(
    fits: (entry: OpenEntry) => boolean,
    onError: (entry: OpenEntry, error: unknown) => OpenFile,
  ): Promise<readonly OpenFile[]> {
    const files: OpenFile[] = []
    const names = await this.#disk.names(this.#folder)
    const withTurns = names.filter((name) => /\.\d+$/.test(name))
    for (const name of names) {
      const entry = openEntryOf(name)
      if (entry === undefined || !fits(entry)) continue
      const file = await this.#readAmong(entry, withTurns)
        .then((seen) => (seen === 'changed' ? this.read(entry) : seen))
        .catch((error: unknown) => onError(entry, error))
      if (file !== undefined) files.push(file)
    }
    return files
  }

  /** As it is by these names. */
  async #readAmong(entry: OpenEntry, names: readonly string[]): Promise<OpenFile | 'changed' | undefined> {
    const text = await this.#disk.read(this.#at(entry.file))
    if (text === undefined) return undefined
    const record = parseRecord(text)
    // Under another's name it would keep the wrong ones out.
    if (record === undefined || record.id !== entry.name || lockName(record) !== entry.target)
      return damaged(entry)
    const turn = turnsAt(entry, names).reduce((a, b) => Math.max(a, b), 0)
    const whole = { ...entry, record, turn }
    if (turn === 0) return { ...whole, owner: record.owner, since: record.updatedAt }
    const words = await this.#disk.read(this.#at(turnFileOf(entry, turn)))
    if (words === undefined) return 'changed'
    const holder = parseTurn(words)
    return holder === undefined ? damaged(entry) : { ...whole, ...holder }
  }

  async #turnOf(entry: OpenEntry, turn: number): Promise<Turn | undefined> {
    return parseTurn((await this.#disk.read(this.#at(turnFileOf(entry, turn)))) ?? '')
  }

  /** What has that name bears our number, so it was left by a process that had it before. */
  async #writeOver(path: string, text: string): Promise<void> {
    await this.#disk.remove(path)
    await this.#disk.write(path, text)
  }

  async #removeTurns(file: OpenFile): Promise<void> {
    for (let one = 1; one <= file.turn; one += 1) await this.#disk.remove(this.#at(turnFileOf(file, one)))
  }

  readonly #at = (file: string): string => `${this.#folder}/${file}`
  /** Two containers may each have a process of our number. */
  readonly #freshPath = (kind: 'new' | 'next' | 'turn', id: string): string => {
    const mark = createHash('sha256').update(JSON.stringify(this.#own())).digest('hex').slice(0, 8)
    return this.#at(`${kind}-${this.#own().pid}-${id}.${mark}`)
  }
}

const entryOf = (record: StoredRecord) => ({ target: lockName(record), name: record.id })

const damaged = (entry: OpenEntry): OpenFile => ({
  ...entry,
  record: undefined,
  owner: undefined,
  since: undefined,
  turn: 0,
})
