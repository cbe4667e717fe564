import { PayError } from '../../errors.ts'
import type { Disk } from './disk.ts'
import { lockName } from './lock.ts'
import { openEntryOf, takeoverFileOf, takeoversOf } from './open-entry.ts'
import type { OpenEntry } from './open-entry.ts'
import type { Owner } from './owner.ts'
import { parseRecord } from './record-text.ts'
import type { StoredRecord } from './record.ts'
import { parseTakeover } from './takeover.ts'
import type { Takeover } from './takeover.ts'

export interface OpenFile extends OpenEntry {
  /** undefined where it cannot be read, or is not what was written. */
  readonly record: StoredRecord | undefined
  /** Who works on it: who made it, or the last to take it over. */
  readonly owner: Owner | undefined
  /** When they took it in hand, ISO 8601. */
  readonly since: string | undefined
  /** How often it was taken over. */
  readonly generation: number
}

export interface OwnFile extends OpenFile {
  readonly record: StoredRecord
}

/** Each time round another process has let go of it between two looks. */
const MOST_LOOKS = 10

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
      // Let go of since its name was seen: somebody else may have taken that generation by now.
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

  /** As it is by these names. */
  async #readAmong(entry: OpenEntry, names: readonly string[]): Promise<OpenFile | 'changed' | undefined> {
    const text = await this.#disk.read(this.#at(entry.file))
    if (text === undefined) return undefined
    const record = parseRecord(text)
    // Under another's name it would keep the wrong ones out.
    if (record === undefined || record.id !== entry.name || lockName(record) !== entry.target)
      return damaged(entry)
    const generation = takeoversOf(entry, names).reduce((a, b) => Math.max(a, b), 0)
    const whole = { ...entry, record, generation }
    if (generation === 0) return { ...whole, owner: record.owner, since: record.updatedAt }
    const words = await this.#disk.read(this.#at(takeoverFileOf(entry, generation)))
    if (words === undefined) return 'changed'
    const holder = parseTakeover(words)
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
