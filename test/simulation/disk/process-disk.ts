import { UsageError } from '../../../src/errors.ts'
import type { Disk } from '../../../src/ledger/disk/disk.ts'
import type { Random } from '../random.ts'
import type { Process, Scheduler } from '../scheduler.ts'
import type { SimulatedDisk } from './simulated-disk.ts'

interface ProcessDiskOptions {
  readonly disk: SimulatedDisk
  readonly scheduler: Scheduler
  readonly process: Process
  readonly random: Random
  /** The probability that a write finds no space left. */
  readonly diskFullRate: () => number
  readonly onDiskFull: () => void
}

/** The disk as one process uses it: every call is a step, before which another process may run or this one be killed. */
export function processDisk({
  disk,
  scheduler,
  process,
  random,
  diskFullRate,
  onDiskFull,
}: ProcessDiskOptions): Disk {
  const step = <T>(words: () => string, perform: () => T): Promise<T> =>
    scheduler.step(process, { words }, perform)
  const isFull = (): boolean => {
    if (!random.chance(diskFullRate())) return false
    onDiskFull()
    return true
  }
  const failedSyncs = new Set<string>()
  const refuseIfFull = (path: string): void => {
    if (isFull()) throw noSpace(path)
  }
  /** A full disk still takes the beginning of a write. */
  const append = (path: string, text: string): void => {
    if (!isFull()) return disk.append(path, text, scheduler.nowMs)
    disk.append(path, text.slice(0, random.below(text.length)), scheduler.nowMs)
    throw noSpace(path)
  }
  return {
    makeFolder: (path) =>
      step(
        () => `makes folder ${path}`,
        () => disk.makeFolder(path),
      ),
    names: (folder) =>
      step(
        () => `lists ${folder}`,
        () => shuffled(disk.names(folder), random),
      ),
    read: (path, fromByte = 0) =>
      step(
        () => `reads ${path}${fromByte === 0 ? '' : ` from ${fromByte}`}`,
        () => disk.text(path)?.slice(fromByte),
      ),
    readBackwards: async function* (path) {
      const text = await step(
        () => `reads ${path} backwards`,
        () => disk.text(path),
      )
      if (text !== undefined) yield text
    },
    size: (path) =>
      step(
        () => `reads the size of ${path}`,
        () => disk.text(path)?.length,
      ),
    modifiedAt: (path) =>
      step(
        () => `reads the time of ${path}`,
        () => {
          const ms = disk.modifiedAtMs(path)
          return ms === undefined ? undefined : new Date(ms)
        },
      ),
    write: (path, text) =>
      step(
        () => `writes ${path}`,
        () => {
          if (!disk.hasFolder(path.slice(0, path.lastIndexOf('/')))) return 'no-folder'
          if (disk.has(path)) throw unusable(path, 'EEXIST')
          append(path, text)
          return 'written'
        },
      ),
    append: (path, text) =>
      step(
        () => `appends to ${path}: ${text}`,
        () => append(path, text),
      ),
    sync: (path) =>
      step(
        () => `syncs ${path}`,
        () => {
          // A second sync of the same file succeeds. If it failed too, no program could find out what is on the disk.
          if (!failedSyncs.delete(path) && isFull()) {
            failedSyncs.add(path)
            throw noSpace(path)
          }
          disk.sync(path)
        },
      ),
    link: (from, to) =>
      step(
        () => `links ${from} to ${to}`,
        () => {
          refuseIfFull(to)
          return disk.link(from, to)
        },
      ),
    rename: (from, to) =>
      step(
        () => `renames ${from} to ${to}`,
        () => {
          refuseIfFull(to)
          disk.rename(from, to)
        },
      ),
    remove: (path) =>
      step(
        () => `removes ${path}`,
        () => disk.remove(path),
      ),
  }
}

/** The error of the real disk. */
const unusable = (path: string, code: string): UsageError =>
  new UsageError(`The ledger cannot be used: ${path} (${code})`, {
    code: 'ledger_unusable',
    outcome: 'none',
  })

const noSpace = (path: string): UsageError => unusable(path, 'ENOSPC')

function shuffled(names: string[], random: Random): string[] {
  for (let left = names.length - 1; left > 0; left -= 1) {
    const other = random.below(left + 1)
    const [a = '', b = ''] = [names[left], names[other]]
    names[left] = b
    names[other] = a
  }
  return names
}
