import { UsageError } from '../../src/errors.ts'
import type { Disk } from '../../src/ledger/files/disk.ts'
import type { Chance } from './random.ts'
import type { SimulatedDisk } from './simulated-disk.ts'
import type { Process, Scheduler } from './scheduler.ts'

interface ProcessDiskOptions {
  readonly disk: SimulatedDisk
  readonly scheduler: Scheduler
  readonly process: Process
  readonly chance: Chance
  /** How often there is no space left. */
  readonly fullness: () => number
  readonly onFull: () => void
}

/** The disk as one process has it: at every call another one may go on, or this one may be killed. */
export function processDisk({
  disk,
  scheduler,
  process,
  chance,
  fullness,
  onFull,
}: ProcessDiskOptions): Disk {
  const at = <T>(words: () => string, perform: () => T): Promise<T> =>
    scheduler.at(process, { words }, perform)
  const isFull = (): boolean => {
    if (!chance.happens(fullness())) return false
    onFull()
    return true
  }
  const unsynced = new Set<string>()
  const refuseWhenFull = (path: string): void => {
    if (isFull()) throw noSpace(path)
  }
  /** A full disk takes the beginning. */
  const append = (path: string, text: string): void => {
    if (!isFull()) return disk.append(path, text, scheduler.nowMs)
    disk.append(path, text.slice(0, chance.below(text.length)), scheduler.nowMs)
    throw noSpace(path)
  }
  return {
    makeFolder: (path) =>
      at(
        () => `makes the folder ${path}`,
        () => disk.makeFolder(path),
      ),
    names: (folder) =>
      at(
        () => `looks into ${folder}`,
        () => shuffled(disk.names(folder), chance),
      ),
    read: (path, fromByte = 0) =>
      at(
        () => `reads ${path}${fromByte === 0 ? '' : ` from ${fromByte}`}`,
        () => disk.text(path)?.slice(fromByte),
      ),
    size: (path) =>
      at(
        () => `asks for the size of ${path}`,
        () => disk.text(path)?.length,
      ),
    modifiedAt: (path) =>
      at(
        () => `asks when ${path} was written`,
        () => {
          const ms = disk.modifiedAtMs(path)
          return ms === undefined ? undefined : new Date(ms)
        },
      ),
    write: (path, text) =>
      at(
        () => `writes ${path}`,
        () => {
          if (!disk.hasFolder(path.slice(0, path.lastIndexOf('/')))) return 'no-folder'
          if (disk.has(path)) throw unusable(path, 'EEXIST')
          append(path, text)
          return 'written'
        },
      ),
    append: (path, text) =>
      at(
        () => `adds to ${path}: ${text}`,
        () => append(path, text),
      ),
    sync: (path) =>
      at(
        () => `syncs ${path}`,
        () => {
          // What was to take space is taken back by then: were that refused too, nobody could ever say what is on the disk.
          if (!unsynced.delete(path) && isFull()) {
            unsynced.add(path)
            throw noSpace(path)
          }
          disk.sync(path)
        },
      ),
    link: (from, to) =>
      at(
        () => `links ${from} as ${to}`,
        () => {
          refuseWhenFull(to)
          return disk.link(from, to)
        },
      ),
    rename: (from, to) =>
      at(
        () => `renames ${from} to ${to}`,
        () => {
          refuseWhenFull(to)
          disk.rename(from, to)
        },
      ),
    remove: (path) =>
      at(
        () => `removes ${path}`,
        () => disk.remove(path),
      ),
  }
}

/** As the real one words it. */
const unusable = (path: string, code: string): UsageError =>
  new UsageError(`The ledger could not be used: ${path} (${code})`, {
    code: 'ledger_unusable',
    outcome: 'none',
  })

const noSpace = (path: string): UsageError => unusable(path, 'ENOSPC')

function shuffled(names: string[], chance: Chance): string[] {
  for (let left = names.length - 1; left > 0; left -= 1) {
    const other = chance.below(left + 1)
    const [a = '', b = ''] = [names[left], names[other]]
    names[left] = b
    names[other] = a
  }
  return names
}
