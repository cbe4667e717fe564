import { PayError } from '../errors.ts'
import { noSuchOperation } from './blocked.ts'
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

export interface OwnFile extends OpenFile {
  readonly record: StoredRecord
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

  /** Durable when it resolves. False when the name is taken. Where it fails, nothing is claimed. */
  async claim(name: string, record: StoredRecord): Promise<boolean> {
    const made = this.#freshPath('new', record.id)
    let isOurs = false
    try {
      if ((await this.#disk.write(made, recordText(record))) === 'no-folder') {
        await this.#disk.makeFolder(this.#folder)
        await this.#disk.write(made, recordText(record))
      }
      await this.#disk.sync(made)
      isOurs = await this.#disk.link(made, this.#path(name))
      if (isOurs) await this.#disk.sync(this.#folder)
      return isOurs
    } catch (error) {
      if (isOurs) await this.#disk.remove(this.#path(name)).catch(() => undefined)
      throw error
    } finally {
      // What is left of it stands in nobody's way.
      await this.#disk.remove(made).catch(() => undefined)
    }
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

  /** One that cannot even be opened is as good as damaged: it hides none of the others. */
  async all(): Promise<readonly OpenFile[]> {
    const files: OpenFile[] = []
    for (const entry of await this.#disk.names(this.#folder)) {
      if (!entry.endsWith('.json')) continue
      const name = entry.slice(0, -'.json'.length)
      const file = await this.read(name).catch((error: unknown) => {
        if (!(error instanceof PayError)) throw error
        return { name, record: undefined, owner: undefined, turn: 0 }
      })
      if (file !== undefined) files.push(file)
    }
    return files
  }

  /** The file as it is now ours; undefined when another was faster, or it has ended meanwhile. */
  async takeOver({ name, record, turn }: OpenFile): Promise<OwnFile | undefined> {
    if (record === undefined) return undefined
    const next = turn + 1
    const made = this.#freshPath('turn', `${record.id}.${next}`)
    try {
      await this.#writeOver(made, JSON.stringify(this.#own()))
      if (!(await this.#disk.link(made, this.#turnPath(name, record.id, next)))) return undefined
      // Its maker may not have come so far, and what follows is sent: the record is not to be lost with its name.
      await this.#disk.sync(this.#folder)
    } finally {
      await this.#disk.remove(made).catch(() => undefined)
    }
    const now = await this.read(name)
    if (now?.record?.id === record.id && now.turn === next) return { ...now, record: now.record }
    await this.#disk.remove(this.#turnPath(name, record.id, next))
    return undefined
  }

  /** Writes what has become of it, and lets go of it; only its owner may. Durable when it resolves. */
  async replace({ name, turn }: OpenFile, record: StoredRecord): Promise<void> {
    const made = this.#freshPath('next', record.id)
    try {
      await this.#writeOver(made, recordText({ ...record, owner: this.#own() }))
      await this.#disk.sync(made)
      // Another machine may have taken it for dead, and ended it: what is there by now is not to be written over.
      if ((await this.#idOf(name)) === record.id) {
        await this.#disk.rename(made, this.#path(name))
        await this.#disk.sync(this.#folder)
      }
    } finally {
      await this.#disk.remove(made).catch(() => undefined)
    }
    await this.#removeTurns(name, record.id, turn)
  }

  /** Ends it, when its end is recorded. What has another's record in it by now stays. */
  async remove({ name, turn }: OpenFile, id: string): Promise<void> {
    if ((await this.#idOf(name)) === id) await this.#disk.remove(this.#path(name))
    await this.#removeTurns(name, id, turn)
  }

  /** Lets go of what was taken over and is to stay as it was. */
  async letGo({ name, record, turn }: OpenFile): Promise<void> {
    if (record !== undefined && turn > 0) await this.#disk.remove(this.#turnPath(name, record.id, turn))
  }

  /**
   * A damaged file blocks nothing any longer, and can still be read. Answers where it is.
   * @throws {PayError} when it is whole, as when another process was faster and the name is in use again
   */
  async setAside(name: string): Promise<string> {
    if ((await this.#idOf(name)) !== undefined) throw noSuchOperation(false, 'open')
    for (let number = 1; ; number += 1) {
      const to = `${this.#path(name)}.damaged${number === 1 ? '' : `-${number}`}`
      // One that was set aside before stays.
      if (!(await this.#disk.link(this.#path(name), to))) continue
      await this.#disk.remove(this.#path(name))
      await this.#disk.sync(this.#folder)
      return to
    }
  }

  /** Removes what crashes have left. Returns how many records were not complete: nothing was sent for those. */
  async sweep(isGone: (owner: Owner) => boolean): Promise<number> {
    const left: string[] = []
    for (const entry of await this.#disk.names(this.#folder)) {
      const [, kind, pid, id] = /^(new|next|turn)-(\d+)-([^.]+)/.exec(entry) ?? []
      if (pid === undefined || id === undefined) {
        await this.#sweepTurn(entry, isGone)
        continue
      }
      const text = (await this.#disk.read(this.#at(entry))) ?? ''
      const owner = parseRecord(text)?.owner ?? parseOwner(text) ?? this.#unknownOwner(Number(pid))
      if (!isGone(owner)) continue
      await this.#disk.remove(this.#at(entry))
      if (kind === 'new') left.push(id)
    }
    if (left.length === 0) return 0
    // One that had got its name was complete: only its first name was left.
    const open = new Set((await this.all()).map(({ record }) => record?.id))
    return left.filter((id) => !open.has(id)).length
  }

  /** A turn at a record that has ended, by a process that could not clear it away. */
  async #sweepTurn(entry: string, isGone: (owner: Owner) => boolean): Promise<void> {
    const [, name, id] = /^([^.]+)\.([^.]+)\.\d+$/.exec(entry) ?? []
    if (name === undefined || id === undefined) return
    const text = await this.#disk.read(this.#path(name))
    if (text !== undefined && [undefined, id].includes(parseRecord(text)?.id)) return
    const owner = parseOwner((await this.#disk.read(this.#at(entry))) ?? '')
    // Its maker had written it before it got its name: without words in it, a power cut has taken them.
    if (owner === undefined || isGone(owner)) await this.#disk.remove(this.#at(entry))
  }

  /** Cut short, so that only the number is known. One of this process is whole whenever it can be seen. */
  #unknownOwner(pid: number): Owner {
    const own = this.#own()
    return { ...own, pid, startedAt: pid === own.pid ? 'before' : undefined }
  }

  async #idOf(name: string): Promise<string | undefined> {
    return parseRecord((await this.#disk.read(this.#path(name))) ?? '')?.id
  }

  /** What has that name bears our number, so it was left by a process that had it before. */
  async #writeOver(path: string, text: string): Promise<void> {
    await this.#disk.remove(path)
    await this.#disk.write(path, text)
  }

  async #removeTurns(name: string, id: string, turn: number): Promise<void> {
    for (let one = 1; one <= turn; one += 1) await this.#disk.remove(this.#turnPath(name, id, one))
  }

  readonly #at = (entry: string): string => `${this.#folder}/${entry}`
  readonly #path = (name: string): string => this.#at(`${name}.json`)
  readonly #freshPath = (kind: 'new' | 'next' | 'turn', id: string): string =>
    this.#at(`${kind}-${this.#own().pid}-${id}`)
  readonly #turnPath = (name: string, id: string, turn: number): string => this.#at(`${name}.${id}.${turn}`)
}

const turnsOf = (name: string, id: string, entries: readonly string[]): readonly number[] =>
  entries.flatMap((entry) => {
    const prefix = `${name}.${id}.`
    const turn = entry.startsWith(prefix) ? Number(entry.slice(prefix.length)) : Number.NaN
    return Number.isSafeInteger(turn) ? [turn] : []
  })
