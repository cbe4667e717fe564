import type { Disk } from './disk.ts'
import type { Owner } from './owner.ts'
import { parseOwner, parseRecord, recordText } from './record.ts'
import type { StoredRecord } from './record.ts'

export interface OpenFile {
  /** Stands for the target; the file's name without its ending. */
  readonly name: string
  /** undefined where it cannot be read: something else has written into it. */
  readonly record: StoredRecord | undefined
  /** Who works on it: who made it, or the last to take it over. */
  readonly owner: Owner | undefined
  /** How often it was taken over. */
  readonly turn: number
}

/**
 * What has not ended: one file for each target, which is also what keeps a second write out. A file is complete before
 * it gets its name, and getting it is the one step that only one process can win.
 * An owner that died is followed by the one that makes the next turn's file, beside it: nothing is removed to take
 * something over, so two that try at once cannot both succeed.
 */
export class OpenFolder {
  readonly #disk: Disk
  readonly #folder: string
  readonly #own: () => Owner

  constructor(disk: Disk, folder: string, own: () => Owner) {
    this.#disk = disk
    this.#folder = folder
    this.#own = own
  }

  /** Durable when it resolves. False when the name is taken. */
  async claim(name: string, record: StoredRecord): Promise<boolean> {
    const made = this.#newPath(record.id)
    if ((await this.#disk.write(made, recordText(record))) === 'no-folder') {
      await this.#disk.makeFolder(this.#folder)
      await this.#disk.write(made, recordText(record))
    }
    await this.#disk.sync(made)
    const isOurs = await this.#disk.link(made, this.#path(name))
    if (isOurs) await this.#disk.sync(this.#folder)
    await this.#disk.remove(made)
    return isOurs
  }

  async read(name: string): Promise<OpenFile | undefined> {
    const text = await this.#disk.read(this.#path(name))
    if (text === undefined) return undefined
    const record = parseRecord(text)
    if (record === undefined) return { name, record, owner: undefined, turn: 0 }
    const turn = turnsOf(name, record.id, await this.#disk.names(this.#folder)).reduce(
      (a, b) => Math.max(a, b),
      0,
    )
    if (turn === 0) return { name, record, owner: record.owner, turn }
    const claim = await this.#disk.read(this.#turnPath(name, record.id, turn))
    return { name, record, owner: parseOwner(claim ?? ''), turn }
  }

  async all(): Promise<readonly OpenFile[]> {
    const files: OpenFile[] = []
    for (const entry of await this.#disk.names(this.#folder)) {
      const file = entry.endsWith('.json') ? await this.read(entry.slice(0, -'.json'.length)) : undefined
      if (file !== undefined) files.push(file)
    }
    return files
  }

  /** The file as it is now ours; undefined when another was faster, or it has ended meanwhile. */
  async takeOver({ name, record, turn }: OpenFile): Promise<OpenFile | undefined> {
    if (record === undefined) return undefined
    const next = turn + 1
    const made = this.#newPath(`${record.id}.${next}`)
    await this.#disk.write(made, JSON.stringify(this.#own()))
    const isOurs = await this.#disk.link(made, this.#turnPath(name, record.id, next))
    await this.#disk.remove(made)
    if (!isOurs) return undefined
    const now = await this.read(name)
    if (now?.record?.id === record.id && now.turn === next) return now
    await this.#disk.remove(this.#turnPath(name, record.id, next))
    return undefined
  }

  /** Writes what has become of it, and lets go of it; only its owner may. Durable when it resolves. */
  async replace({ name, turn }: OpenFile, record: StoredRecord): Promise<void> {
    const made = this.#newPath(record.id)
    await this.#disk.write(made, recordText({ ...record, owner: this.#own() }))
    await this.#disk.sync(made)
    await this.#disk.rename(made, this.#path(name))
    await this.#disk.sync(this.#folder)
    await this.#removeTurns(name, record.id, turn)
  }

  /** Ends it, when its end is recorded. What has another's record in it by now stays. */
  async remove({ name, turn }: OpenFile, id: string): Promise<void> {
    const text = await this.#disk.read(this.#path(name))
    if (text !== undefined && parseRecord(text)?.id === id) await this.#disk.remove(this.#path(name))
    await this.#removeTurns(name, id, turn)
  }

  /** Lets go of what was taken over and is to stay as it was. */
  async letGo({ name, record, turn }: OpenFile): Promise<void> {
    if (record !== undefined && turn > 0) await this.#disk.remove(this.#turnPath(name, record.id, turn))
  }

  /** A damaged file blocks nothing any longer, and can still be read. */
  async setAside(name: string): Promise<string> {
    const to = `${this.#path(name)}.damaged`
    await this.#disk.rename(this.#path(name), to)
    await this.#disk.sync(this.#folder)
    return to
  }

  /** Removes what a crash left before it was complete: nothing was sent for it. Returns how many there were. */
  async sweep(isGone: (owner: Owner) => boolean): Promise<number> {
    let swept = 0
    for (const entry of await this.#disk.names(this.#folder)) {
      const pid = /^new-(\d+)-/.exec(entry)?.[1]
      if (pid === undefined) continue
      const path = `${this.#folder}/${entry}`
      const text = (await this.#disk.read(path)) ?? ''
      const owner = parseRecord(text)?.owner ??
        parseOwner(text) ?? { ...this.#own(), pid: Number(pid), startedAt: undefined }
      if (!isGone(owner)) continue
      await this.#disk.remove(path)
      swept += 1
    }
    return swept
  }

  async #removeTurns(name: string, id: string, turn: number): Promise<void> {
    for (let one = 1; one <= turn; one += 1) await this.#disk.remove(this.#turnPath(name, id, one))
  }

  readonly #path = (name: string): string => `${this.#folder}/${name}.json`
  readonly #newPath = (id: string): string => `${this.#folder}/new-${this.#own().pid}-${id}`
  readonly #turnPath = (name: string, id: string, turn: number): string =>
    `${this.#folder}/${name}.${id}.${turn}`
}

const turnsOf = (name: string, id: string, entries: readonly string[]): readonly number[] =>
  entries.flatMap((entry) => {
    const prefix = `${name}.${id}.`
    const turn = entry.startsWith(prefix) ? Number(entry.slice(prefix.length)) : Number.NaN
    return Number.isSafeInteger(turn) ? [turn] : []
  })
