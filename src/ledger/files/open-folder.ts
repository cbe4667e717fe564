import { createHash } from 'node:crypto'
import type { Disk } from '../disk/disk.ts'
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
 * The unfinished writes: one file per record, with a name that is never reused. So removing or replacing a file is a single
 * step that can't affect another record. `claim.ts` prevents two writes on one target.
 *
 * A process takes over from a dead owner by creating the next generation's file next to the record. Because nothing is
 * removed, only one of two simultaneous takeovers succeeds.
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

  /** Shows other processes that a write is claiming its target. Its contents are durable; its name need not be. */
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

  /** Turns a claim into an open record, which may be sent. Durable when it resolves; undefined if the claim was removed. */
  async commit(record: StoredRecord): Promise<OwnFile | undefined> {
    const entry = entryOf(record)
    const path = this.#at(fileOf(entry, 'json'))
    try {
      await this.#disk.rename(this.#at(fileOf(entry, 'claim')), path)
    } catch (error) {
      // A network drive may have renamed it and lost the reply.
      if ((await this.#disk.size(path)) === undefined) {
        if ((await this.#disk.size(this.#at(fileOf(entry, 'claim')))) === undefined) return undefined
        throw error
      }
    }
    await this.#disk.sync(this.#folder)
    const { owner, updatedAt: since } = record
    return { ...entry, file: fileOf(entry, 'json'), isClaim: false, record, owner, since, generation: 0 }
  }

  /** Takes a claim back. Needs no sync: a claim that a power cut restores belongs to a dead process and was never sent. */
  withdraw(record: StoredRecord): Promise<void> {
    return this.#disk.remove(this.#at(fileOf(entryOf(record), 'claim')))
  }

  /** Removes a record that was not sent. Works even on a full disk. */
  async discard(record: StoredRecord): Promise<void> {
    await this.#disk.remove(this.#at(fileOf(entryOf(record), 'json')))
    // The history has no outcome for it: if a power cut restored it, it would count as possibly sent.
    const sync = () => this.#disk.sync(this.#folder)
    // Try again if the disk was full: removing the file has freed space.
    await sync()
      .catch(sync)
      .catch(() => undefined)
  }

  /** Who owns the record now: another process may have taken this one for dead. `gone`: the record is not open. */
  async ownership({ record, generation, ...entry }: OwnFile): Promise<'ours' | 'taken' | 'gone'> {
    const now = await this.read(entry)
    if (now?.record?.id !== record.id) return 'gone'
    return now.generation === generation && isSameOwner(now.owner, this.#own()) ? 'ours' : 'taken'
  }

  /** Takes the record over. Returns undefined if another process was faster or the record has ended: read it again. */
  async takeOver(expected: OpenFile): Promise<OwnFile | undefined> {
    const { record, generation } = expected
    if (record === undefined) return undefined
    const made = this.#freshPath('turn', `${record.id}.${generation + 1}`)
    const path = this.#at(takeoverFileOf(expected, generation + 1))
    try {
      await this.#writeOver(made, takeoverText(this.#own(), this.#now()))
      // Synced before it gets its name, so that no power cut leaves an empty takeover file.
      await this.#disk.sync(made)
      if (!(await this.#disk.link(made, path))) return undefined
      const taken = await this.#confirmed({ ...expected, record }).catch(async (error: unknown) => {
        await this.#disk.remove(path)
        throw error
      })
      if (taken === undefined) await this.#disk.remove(path)
      return taken
    } finally {
      await this.#disk.remove(made).catch(() => undefined)
    }
  }

  /** Confirms a takeover after creating its file: it is valid only if the previous owner is the one that was found dead. */
  async #confirmed(expected: OwnFile): Promise<OwnFile | undefined> {
    const { record, generation, owner, since } = expected
    // The record's creator may not have synced its name. Sync it before anything is sent, or the record could be lost.
    await this.#disk.sync(this.#folder)
    const now = await this.read(expected)
    if (now?.record?.id !== record.id || now.generation !== generation + 1) return undefined
    const before =
      generation === 0
        ? { owner: now.record.owner, since: now.record.updatedAt }
        : await this.#files.takeoverAt(expected, generation)
    const isUnchanged = before !== undefined && isSameOwner(before.owner, owner) && before.since === since
    return isUnchanged ? { ...now, record: now.record } : undefined
  }

  /** Writes the record's new state and keeps it; only its owner may. Durable when it resolves. */
  async rewrite(file: OpenFile, record: StoredRecord): Promise<void> {
    const made = this.#freshPath('next', record.id)
    try {
      await this.#writeOver(made, recordText({ ...record, owner: this.#own() }))
      await this.#disk.sync(made)
      // Another machine may have taken this process for dead and ended the record. Then don't recreate its file.
      if ((await this.#disk.size(this.#at(file.file))) !== undefined) {
        await this.#disk.rename(made, this.#at(file.file))
        await this.#disk.sync(this.#folder)
      }
    } finally {
      await this.#disk.remove(made).catch(() => undefined)
    }
  }

  /** {@link rewrite}, then releases it. */
  async replace(file: OpenFile, record: StoredRecord): Promise<void> {
    await this.rewrite(file, record)
    await this.#removeTakeovers(file)
  }

  /** Removes an ended record. Not synced: if a power cut restores it, the history shows that it has ended. */
  async remove(file: OpenFile): Promise<void> {
    await this.#disk.remove(this.#at(file.file))
    await this.#removeTakeovers(file)
  }

  /** Gives back a record that was taken over, unchanged. */
  async release(file: OwnFile): Promise<void> {
    if (file.generation > 0 && (await this.ownership(file)) === 'ours')
      await this.#disk.remove(this.#at(takeoverFileOf(file, file.generation)))
  }

  /** The file name contains this process's number, so an existing file is a leftover of an earlier process with the number. */
  async #writeOver(path: string, text: string): Promise<void> {
    await this.#disk.remove(path)
    await this.#disk.write(path, text)
  }

  async #removeTakeovers(file: OpenFile): Promise<void> {
    for (let one = 1; one <= file.generation; one += 1)
      await this.#disk.remove(this.#at(takeoverFileOf(file, one)))
  }

  readonly #at = (file: string): string => `${this.#folder}/${file}`
  /** Includes a hash of the owner, because processes in two containers may have the same number. */
  readonly #freshPath = (kind: 'new' | 'next' | 'turn', id: string): string => {
    const ownerHash = createHash('sha256').update(JSON.stringify(this.#own())).digest('hex').slice(0, 8)
    return this.#at(`${kind}-${this.#own().pid}-${id}.${ownerHash}`)
  }
}
