import type { Chance } from './random.ts'

/** A file, whatever its names. */
interface File {
  /** As every process sees it. */
  text: string
  /** As much of it as was synced. */
  synced: string
  modifiedAtMs: number
}

type Named = File | undefined

/**
 * A disk that loses what was not synced: contents by syncing the file, names by syncing the folder. All calls end at
 * once; `process-disk.ts` puts the points between them where another process may go on, or one may be killed.
 */
export class SimulatedDisk {
  #seen = new Map<string, File>()
  #durable = new Map<string, File>()
  /** What a name has stood for since its folder was synced, one after the other. */
  readonly #unsynced = new Map<string, Named[]>()
  readonly #folders = new Set<string>()

  /** With those above it. */
  makeFolder(path: string): void {
    for (let folder = path; folder !== ''; folder = folderOf(folder)) this.#folders.add(folder)
  }

  hasFolder(path: string): boolean {
    return this.#folders.has(path)
  }

  names(folder: string): string[] {
    const names: string[] = []
    for (const path of this.#seen.keys()) if (folderOf(path) === folder) names.push(nameIn(path))
    return names
  }

  text(path: string): string | undefined {
    return this.#seen.get(path)?.text
  }

  has(path: string): boolean {
    return this.#seen.has(path)
  }

  modifiedAtMs(path: string): number | undefined {
    return this.#seen.get(path)?.modifiedAtMs
  }

  append(path: string, text: string, nowMs = 0): void {
    const file = this.#seen.get(path)
    if (file === undefined) return this.#name(path, { text, synced: '', modifiedAtMs: nowMs })
    file.text += text
    file.modifiedAtMs = nowMs
  }

  sync(path: string): void {
    if (this.#folders.has(path)) return this.#syncNames(path)
    const file = this.#seen.get(path)
    if (file === undefined) throw new Error(`nothing to sync at ${path}`)
    file.synced = file.text
  }

  link(from: string, to: string): boolean {
    if (this.#seen.has(to)) return false
    this.#name(to, this.#there(from))
    return true
  }

  rename(from: string, to: string): void {
    this.#name(to, this.#there(from))
    this.#name(from, undefined)
  }

  remove(path: string): void {
    if (this.#seen.has(path)) this.#name(path, undefined)
  }

  /** What would be left of a folder by a power cut now, whatever it takes: name and text. */
  *certain(folder: string): Generator<readonly [name: string, text: string]> {
    for (const [path, file] of this.#durable)
      if (folderOf(path) === folder && !this.#unsynced.has(path)) yield [nameIn(path), file.synced]
  }

  /** Any part of what was not synced is lost. */
  cutPower(chance: Chance): void {
    const left = new Map(this.#durable)
    for (const [path, states] of this.#unsynced) {
      const state = chance.pick([this.#durable.get(path), ...states])
      if (state === undefined) left.delete(path)
      else left.set(path, state)
    }
    for (const file of new Set(left.values())) {
      file.text = survivor(file, chance)
      file.synced = file.text
    }
    this.#seen = left
    this.#durable = new Map(left)
    this.#unsynced.clear()
  }

  #name(path: string, file: Named): void {
    if (file === undefined) this.#seen.delete(path)
    else this.#seen.set(path, file)
    const states = this.#unsynced.get(path)
    if (states === undefined) this.#unsynced.set(path, [file])
    else states.push(file)
  }

  #syncNames(folder: string): void {
    for (const path of this.#unsynced.keys()) {
      if (folderOf(path) !== folder) continue
      const file = this.#seen.get(path)
      if (file === undefined) this.#durable.delete(path)
      else this.#durable.set(path, file)
      this.#unsynced.delete(path)
    }
  }

  #there(path: string): File {
    const file = this.#seen.get(path)
    if (file === undefined) throw new Error(`there is no file ${path}`)
    return file
  }
}

/** Files only ever grow: what was synced stays, and any part of the rest; some file systems leave zeros in its place. */
function survivor({ text, synced }: File, chance: Chance): string {
  if (text === synced) return text
  const rest = text.slice(synced.length, synced.length + chance.below(text.length - synced.length + 1))
  return synced + (chance.happens(0.1) ? '\0'.repeat(rest.length) : rest)
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
