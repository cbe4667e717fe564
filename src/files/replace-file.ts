import { existsSync, linkSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncPath } from './private-folder.ts'
import { fallbackOn, systemCode } from './system-code.ts'

/**
 * Replaces a file in one step: after a crash or power cut, either the old or the new one is there. Replaces a link or a pipe
 * itself. `next`: the path of the new one until then, in the same folder; its own for each process that may replace the file.
 */
export function replaceFile(
  path: string,
  text: string,
  { mode = 0o600, next = `${path}.next`, sync = syncPath } = {},
): void {
  removeFile(next)
  try {
    writeFileSync(next, text, { mode, flag: 'wx' })
    sync(next)
    putInPlace(next, path)
  } catch (error) {
    removeFile(next)
    throw error
  }
}

/**
 * Gives a synced file the name of another one in its folder, and replaces that one. Windows replaces no file that is open:
 * waits for a reader, such as a virus scanner, which takes a moment.
 */
export function putInPlace(
  next: string,
  path: string,
  rename: (from: string, to: string) => void = renameSync,
): void {
  onceClosed(() => rename(next, path))
  syncName(path)
}

/** Removes a file, or what `remove` removes, if it is there. Waits for a reader as {@link putInPlace} does. */
export function removeFile(path: string, remove: (path: string) => void = unlinkSync): void {
  onceClosed(() => fallbackOn('ENOENT', undefined, () => remove(path)))
}

/** Waits until no other program has the file open, for a moment at most. */
function onceClosed(work: () => void): void {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    try {
      return work()
    } catch (error) {
      if (!isInUse(error) || waitedMs >= PATIENCE_MS) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
  }
}

const POLL_MS = 20
const PATIENCE_MS = 400

/** Whether Windows refuses to replace or remove a file because a program has it open. */
export const isInUse = (error: unknown): boolean =>
  ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '')

/** Gives a synced file a name in its folder, unless another file has it by then. Returns whether it has got it. */
export function putIfFree(next: string, path: string): boolean {
  try {
    linkSync(next, path)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EEXIST') return false
    // Some file systems have no hard links, such as FAT.
    if (code === 'ENOSPC' || existsSync(path)) throw error
    putInPlace(next, path)
    return true
  }
  removeFile(next)
  syncName(path)
  return true
}

const syncName = (path: string): void => syncPath(dirname(path))
