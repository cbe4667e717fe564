import { createHash } from 'node:crypto'
import type { Disk } from './disk.ts'
import { fileOf, takeoverFileOf } from './open-entry.ts'
import type { OpenEntry } from './open-entry.ts'
import { OpenFiles, entryOf } from './open-files.ts'
import type { OpenFile, OwnFile } from './open-files.ts'
import { isSameOwner } from './owner.ts'
import type { Owner } from './owner.ts'
import { recordText } from './record-text.ts'
import type { StoredRecord } from './record.ts'
import { takeoverText } from './takeover.ts'

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
  readonly #files: OpenFiles

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
    this.#files = new OpenFiles(parts.disk, parts.folder)
  }

  read(entry: OpenEntry): Promise<OpenFile | undefined> {
    return this.#files.read(entry)
  }

  /** See {@link OpenFiles.others}. */
  others(record: StoredRecord): Promise<readonly OpenFile[]> {
    return this.#files.others(record)
  }

  /** See {@link OpenFiles.all}. */
  all(fits?: (entry: OpenEntry) => boolean): Promise<readonly OpenFile[]> {
    return this.#files.all(fits)
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
  async commit(record: StoredRecord): Promise<OwnFile | undefined> {
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
    return { ...entry, file: fileOf(entry, 'json'), isClaim: false, record, owner, since, generation: 0 }
  }

  /**
   * Takes back what was announced. Not synced: back after a power cut, it is the claim of a process that is gone, which
   * never sent anything.
   */
  withdraw(record: StoredRecord): Promise<void> {
    return this.#disk.remove(this.#at(fileOf(entryOf(record), 'claim')))
  }

  /** Leaves nothing of what was not sent: no space is needed for it. */
  async discard(record: StoredRecord): Promise<void> {
    await this.#disk.remove(this.#at(fileOf(entryOf(record), 'json')))
    // No history has its end: back after a power cut, it would be taken for one that may have been sent.
    const sync = () => this.#disk.sync(this.#folder)
    // Try again if the disk was full: removing the file has freed its space.
    await sync()
      .catch(sync)
      .catch(() => undefined)
  }

  /** Whether it is still in the hands of whoever has this: another process may have taken them for dead. */
  async ownership({ record, generation, ...entry }: OwnFile): Promise<'ours' | 'taken' | 'gone'> {
    const now = await this.read(entry)
    if (now?.record?.id !== record.id) return 'gone'
    return now.generation === generation && isSameOwner(now.owner, this.#own()) ? 'ours' : 'taken'
  }

  /** The file as it is now ours; undefined when another was faster, or it has ended meanwhile: look again. */
  async takeOver(judged: OpenFile): Promise<OwnFile | undefined> {
    const { record, generation } = judged
    if (record === undefined) return undefined
    const made = this.#freshPath('turn', `${record.id}.${generation + 1}`)
    const path = this.#at(takeoverFileOf(judged, generation + 1))
    try {
      await this.#writeOver(made, takeoverText(this.#own(), this.#now()))
      // A generation without its words is damaged, whatever power cuts there are.
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
    const { record, generation, owner, since } = judged
    // Its maker may not have come so far, and what follows is sent: the record is not to be lost with its name.
    await this.#disk.sync(this.#folder)
    const now = await this.read(judged)
    if (now?.record?.id !== record.id || now.generation !== generation + 1) return undefined
    const before =
      generation === 0
        ? { owner: now.record.owner, since: now.record.updatedAt }
        : await this.#files.takeoverAt(judged, generation)
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
    await this.#removeTakeovers(file)
  }

  /** Ends it. Not synced where its end is recorded: back after a power cut, it is known by that to be over. */
  async remove(file: OpenFile): Promise<void> {
    await this.#disk.remove(this.#at(file.file))
    await this.#removeTakeovers(file)
  }

  /** Lets go of what was taken over and is to stay as it was. */
  async release(file: OwnFile): Promise<void> {
    if (file.generation > 0 && (await this.ownership(file)) === 'ours')
      await this.#disk.remove(this.#at(takeoverFileOf(file, file.generation)))
  }

  /** What has that name bears our number, so it was left by a process that had it before. */
  async #writeOver(path: string, text: string): Promise<void> {
    await this.#disk.remove(path)
    await this.#disk.write(path, text)
  }

  async #removeTakeovers(file: OpenFile): Promise<void> {
    for (let one = 1; one <= file.generation; one += 1)
      await this.#disk.remove(this.#at(takeoverFileOf(file, one)))
  }

  readonly #at = (file: string): string => `${this.#folder}/${file}`
  /** Two containers may each have a process of our number. */
  readonly #freshPath = (kind: 'new' | 'next' | 'turn', id: string): string => {
    const mark = createHash('sha256').update(JSON.stringify(this.#own())).digest('hex').slice(0, 8)
    return this.#at(`${kind}-${this.#own().pid}-${id}.${mark}`)
  }
}
