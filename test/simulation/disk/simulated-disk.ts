import type { Random } from '../random.ts'

/** A file, under any number of names. */
interface File {
  /** What every process reads. */
  text: string
  /** The part that was synced. */
  synced: string
  modifiedAtMs: number
}

/** What a name refers to: a file, or nothing. */
type Entry = File | undefined

/**
 * A disk that a power cut can take data from: `sync` of a file makes its contents durable, `sync` of its folder makes its
 * name durable. Anything else may be lost. All calls complete at once; process-disk.ts makes each one a step, before which
 * another process may run or this one may be killed.
 */
export class SimulatedDisk {
  #visible = new Map<string, File>()
  #durable = new Map<string, File>()
  /** What each name has referred to since its folder was synced, in order. */
  readonly #unsynced = new Map<string, Entry[]>()
  readonly #folders = new Set<string>()

  /** Makes its parents too. */
  makeFolder(path: string): void {
    for (let folder = path; folder !== ''; folder = folderOf(folder)) this.#folders.add(folder)
  }

  hasFolder(path: string): boolean {
    return this.#folders.has(path)
  }

  names(folder: string): string[] {
    const names: string[] = []
    for (const path of this.#visible.keys()) if (folderOf(path) === folder) names.push(nameIn(path))
    return names
  }

  text(path: string): string | undefined {
    return this.#visible.get(path)?.text
  }

  has(path: string): boolean {
    return this.#visible.has(path)
  }

  modifiedAtMs(path: string): number | undefined {
    return this.#visible.get(path)?.modifiedAtMs
  }

  append(path: string, text: string, nowMs = 0): void {
    const file = this.#visible.get(path)
    if (file === undefined) return this.#setEntry(path, { text, synced: '', modifiedAtMs: nowMs })
    file.text += text
    file.modifiedAtMs = nowMs
  }

  /** A file or a folder. */
  sync(path: string): void {
    if (this.#folders.has(path)) return this.#syncNames(path)
    this.#existing(path).synced = this.#existing(path).text
  }

  /** False if the new name is taken: of several processes only one gets it. */
  link(from: string, to: string): boolean {
    if (this.#visible.has(to)) return false
    this.#setEntry(to, this.#existing(from))
    return true
  }

  rename(from: string, to: string): void {
    this.#setEntry(to, this.#existing(from))
    this.#setEntry(from, undefined)
  }

  remove(path: string): void {
    if (this.#visible.has(path)) this.#setEntry(path, undefined)
  }

  /** What a power cut at this moment would certainly leave in a folder. */
  *certain(folder: string): Generator<readonly [name: string, text: string]> {
    for (const [path, file] of this.#durable)
      if (folderOf(path) === folder && !this.#unsynced.has(path)) yield [nameIn(path), file.synced]
  }

  /** Loses a random part of what was not synced. */
  cutPower(random: Random): void {
    const left = new Map(this.#durable)
    for (const [path, entries] of this.#unsynced) {
      const entry = random.pick([this.#durable.get(path), ...entries])
      if (entry === undefined) left.delete(path)
      else left.set(path, entry)
    }
    for (const file of new Set(left.values())) {
      file.text = textAfterPowerCut(file, random)
      file.synced = file.text
    }
    this.#visible = left
    this.#durable = new Map(left)
    this.#unsynced.clear()
  }

  #setEntry(path: string, entry: Entry): void {
    if (entry === undefined) this.#visible.delete(path)
    else this.#visible.set(path, entry)
    const entries = this.#unsynced.get(path)
    if (entries === undefined) this.#unsynced.set(path, [entry])
    else entries.push(entry)
  }

  #syncNames(folder: string): void {
    for (const path of this.#unsynced.keys()) {
      if (folderOf(path) !== folder) continue
      const file = this.#visible.get(path)
      if (file === undefined) this.#durable.delete(path)
      else this.#durable.set(path, file)
      this.#unsynced.delete(path)
    }
  }

  #existing(path: string): File {
    const file = this.#visible.get(path)
    if (file === undefined) throw new Error(`no such file: ${path}`)
    return file
  }
}

/**
 * Keeps the synced part and a random beginning of the rest: the ledger only ever appends. Some file systems have grown
 * the file but not written it, which leaves zeros.
 */
function textAfterPowerCut({ text, synced }: File, random: Random): string {
  if (text === synced) return text
  const rest = text.slice(synced.length, synced.length + random.below(text.length - synced.length + 1))
  return synced + (random.chance(0.1) ? '\0'.repeat(rest.length) : rest)
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
