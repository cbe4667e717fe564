import { PayError } from '../../errors.ts'
import type { Disk } from '../disk/disk.ts'
import { lockName } from './lock.ts'
import { openEntryOf, takeoverFileOf, takeoversOf } from './open-entry.ts'
import type { OpenEntry } from './open-entry.ts'
import type { Owner } from './owner.ts'
import { parseRecord } from './record-text.ts'
import type { StoredRecord } from './record.ts'
import { parseTakeover } from './takeover.ts'
import type { Takeover } from './takeover.ts'

export interface OpenFile extends OpenEntry {
  /** undefined when it can't be read or is damaged. */
  readonly record: StoredRecord | undefined
  /** The process that owns it: its creator, or the last to take it over. */
  readonly owner: Owner | undefined
  /** Since when that process owns it, ISO 8601. */
  readonly since: string | undefined
  /** How often it was taken over; 0 for its creator. */
  readonly generation: number
}

export interface OwnFile extends OpenFile {
  readonly record: StoredRecord
}

/** How often to read again if another process releases the record between listing and reading. */
const MAX_READS = 10

/** Reads the files of `open/`; `open-folder.ts` writes them. */
export class OpenFiles {
  readonly #disk: Disk
  readonly #folder: string

  constructor(disk: Disk, folder: string) {
    this.#disk = disk
    this.#folder = folder
  }

  async read(entry: OpenEntry): Promise<OpenFile | undefined> {
    for (let look = 1; ; look += 1) {
      const file = await this.#readAmong(entry, await this.#disk.names(this.#folder))
      // The record was released after the listing, and another process may own the same generation by now.
      if (file !== 'changed' || look === MAX_READS) return file === 'changed' ? damaged(entry) : file
    }
  }

  /** The other files on a record's target. Reads only those. */
  others(record: StoredRecord): Promise<readonly OpenFile[]> {
    const own = entryOf(record)
    return this.#files(
      (entry) => entry.target === own.target && entry.name !== own.name,
      (_, error) => {
        throw error
      },
    )
  }

  /** The files that fit. Reports a file that can't be opened as damaged instead of failing for all. */
  all(fits: (entry: OpenEntry) => boolean = () => true): Promise<readonly OpenFile[]> {
    return this.#files(fits, (entry, error) => {
      if (error instanceof PayError) return damaged(entry)
      throw error
    })
  }

  async takeoverAt(entry: OpenEntry, generation: number): Promise<Takeover | undefined> {
    return parseTakeover((await this.#disk.read(this.#at(takeoverFileOf(entry, generation)))) ?? '')
  }

  async #files(
    fits: (entry: OpenEntry) => boolean,
    onError: (entry: OpenEntry, error: unknown) => OpenFile,
  ): Promise<readonly OpenFile[]> {
    const files: OpenFile[] = []
    const names = await this.#disk.names(this.#folder)
    const withTakeovers = names.filter((name) => /\.\d+$/.test(name))
    for (const name of names) {
      const entry = openEntryOf(name)
      if (entry === undefined || !fits(entry)) continue
      const file = await this.#readAmong(entry, withTakeovers)
        .then((seen) => (seen === 'changed' ? this.read(entry) : seen))
        .catch((error: unknown) => onError(entry, error))
      if (file !== undefined) files.push(file)
    }
    return files
  }

  /** Reads one file, with its takeovers among these names. */
  async #readAmong(entry: OpenEntry, names: readonly string[]): Promise<OpenFile | 'changed' | undefined> {
    const text = await this.#disk.read(this.#at(entry.file))
    if (text === undefined) return undefined
    const record = parseRecord(text)
    // Under the wrong name, a valid record would block the wrong writes.
    if (record === undefined || record.id !== entry.name || lockName(record) !== entry.target)
      return damaged(entry)
    const generation = takeoversOf(entry, names).reduce((a, b) => Math.max(a, b), 0)
    const whole = { ...entry, record, generation }
    if (generation === 0) return { ...whole, owner: record.owner, since: record.updatedAt }
    const takeover = await this.#disk.read(this.#at(takeoverFileOf(entry, generation)))
    if (takeover === undefined) return 'changed'
    const holder = parseTakeover(takeover)
    return holder === undefined ? damaged(entry) : { ...whole, ...holder }
  }

  readonly #at = (file: string): string => `${this.#folder}/${file}`
}

export const entryOf = (record: StoredRecord) => ({ target: lockName(record), name: record.id })

const damaged = (entry: OpenEntry): OpenFile => ({
  ...entry,
  record: undefined,
  owner: undefined,
  since: undefined,
  generation: 0,
})
