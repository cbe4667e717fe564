import { createHash } from 'node:crypto'
import { PayError } from '../errors.ts'
import { noSuchOperation } from './blocked.ts'
import type { Disk } from './disk.ts'
import { moveBeside } from './move-beside.ts'
import { isSameOwner } from './owner.ts'
import type { Owner } from './owner.ts'
import { parseRecord, recordText } from './record.ts'
import type { StoredRecord } from './record.ts'
import { parseTurn, turnText } from './turn.ts'
import type { Turn } from './turn.ts'

export interface OpenFile {
  /** Stands for the target; the file's name without its ending. */
  readonly name: string
  /** undefined where it cannot be read: something else has written into it. */
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
 * What has not ended: one file for each target, which is also what keeps a second write out. A file is complete before
 * it gets its name, and getting it is the one step that only one process can win.
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
      // A network drive may have made the link and lost the answer.
      if (!isOurs) isOurs = (await this.#idOf(name)) === record.id
      if (isOurs) await this.#disk.sync(this.#folder)
      return isOurs
    } catch (error) {
      await this.drop(name, record.id).catch(() => undefined)
      throw error
    } finally {
      // What is left of it stands in nobody's way.
      await this.#disk.remove(made).catch(() => undefined)
    }
  }

  /** Leaves nothing of what was not sent: no space is needed for it. */
  async drop(name: string, id: string): Promise<void> {
    if ((await this.#idOf(name)) !== id) return
    await this.#disk.remove(this.#path(name))
    // Back after a power cut it would be taken for one that may have been sent.
    await this.#disk.sync(this.#folder).catch(() => undefined)
  }

  async read(name: string): Promise<OpenFile | undefined> {
    for (let look = 1; ; look += 1) {
      const text = await this.#disk.read(this.#path(name))
      if (text === undefined) return undefined
      const record = parseRecord(text)
      if (record === undefined) return unreadable(name)
      const turn = turnsOf(name, record.id, await this.#disk.names(this.#folder)).reduce(
        (a, b) => Math.max(a, b),
        0,
      )
      if (turn === 0) return { name, record, owner: record.owner, since: record.updatedAt, turn }
      const words = await this.#disk.read(this.#turnPath(name, record.id, turn))
      // Let go of since its name was seen: somebody else may have taken that turn by now.
      if (words === undefined && look < MOST_LOOKS) continue
      return { name, record, ...parseTurn(words ?? ''), turn }
    }
  }

  /** Whether it is still in the hands of whoever has this: another process may have taken them for dead. */
  async standing({ name, record, turn }: OwnFile): Promise<'ours' | 'taken' | 'gone'> {
    const now = await this.read(name)
    if (now?.record?.id !== record.id) return 'gone'
    return now.turn === turn && isSameOwner(now.owner, this.#own()) ? 'ours' : 'taken'
  }

  /** One that cannot even be opened is as good as damaged: it hides none of the others. */
  async all(): Promise<readonly OpenFile[]> {
    const files: OpenFile[] = []
    for (const entry of await this.#disk.names(this.#folder)) {
      if (!entry.endsWith('.json')) continue
      const name = entry.slice(0, -'.json'.length)
      const file = await this.read(name).catch((error: unknown) => {
        if (!(error instanceof PayError)) throw error
        return unreadable(name)
      })
      if (file !== undefined) files.push(file)
    }
    return files
  }

  /** The file as it is now ours; undefined when another was faster, or it has ended meanwhile: look again. */
  async takeOver(judged: OpenFile): Promise<OwnFile | undefined> {
    const { name, record, turn } = judged
    if (record === undefined) return undefined
    const made = this.#freshPath('turn', `${record.id}.${turn + 1}`)
    const path = this.#turnPath(name, record.id, turn + 1)
    try {
      await this.#writeOver(made, turnText(this.#own(), this.#now()))
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
  async #confirmed({ name, record, turn, owner, since }: OwnFile): Promise<OwnFile | undefined> {
    // Its maker may not have come so far, and what follows is sent: the record is not to be lost with its name.
    await this.#disk.sync(this.#folder)
    const now = await this.read(name)
    if (now?.record?.id !== record.id || now.turn !== turn + 1) return undefined
    const before =
      turn === 0
        ? { owner: now.record.owner, since: now.record.updatedAt }
        : await this.#turnOf(name, record.id, turn)
    const isAsJudged = before !== undefined && isSameOwner(before.owner, owner) && before.since === since
    return isAsJudged ? { ...now, record: now.record } : undefined
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
  async letGo(file: OwnFile): Promise<void> {
    const { name, record, turn } = file
    if (turn > 0 && (await this.standing(file)) === 'ours')
      await this.#disk.remove(this.#turnPath(name, record.id, turn))
  }

  /**
   * A damaged file blocks nothing any longer, and can still be read. Answers where it is.
   * @throws {PayError} when it is whole, as when another process was faster and the name is in use again
   */
  async setAside(name: string): Promise<string> {
    if ((await this.#idOf(name)) !== undefined) throw noSuchOperation(false, 'open')
    const made = this.#freshPath('aside', name)
    await this.#disk.rename(this.#path(name), made)
    // Only what has no name any more cannot become another one's between the look and the step.
    if (parseRecord((await this.#disk.read(made)) ?? '') !== undefined) {
      await moveBeside(this.#disk, made, (suffix) => this.#path(`${name}${suffix}`))
      throw noSuchOperation(false, 'open')
    }
    const to = await moveBeside(this.#disk, made, (suffix) => `${this.#path(name)}.damaged${suffix}`)
    await this.#disk.sync(this.#folder)
    return to
  }

  async #turnOf(name: string, id: string, turn: number): Promise<Turn | undefined> {
    const words = await this.#disk.read(this.#turnPath(name, id, turn))
    return words === undefined ? undefined : parseTurn(words)
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
  /** Two containers may each have a process of our number. */
  readonly #freshPath = (kind: 'new' | 'next' | 'turn' | 'aside', id: string): string => {
    const mark = createHash('sha256').update(JSON.stringify(this.#own())).digest('hex').slice(0, 8)
    return this.#at(`${kind}-${this.#own().pid}-${id}.${mark}`)
  }
  readonly #turnPath = (name: string, id: string, turn: number): string => this.#at(`${name}.${id}.${turn}`)
}

const unreadable = (name: string): OpenFile => ({
  name,
  record: undefined,
  owner: undefined,
  since: undefined,
  turn: 0,
})

const turnsOf = (name: string, id: string, entries: readonly string[]): readonly number[] =>
  entries.flatMap((entry) => {
    const prefix = `${name}.${id}.`
    const turn = entry.startsWith(prefix) ? Number(entry.slice(prefix.length)) : Number.NaN
    return Number.isSafeInteger(turn) ? [turn] : []
  })
