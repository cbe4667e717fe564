import { join } from 'node:path'
import type { PayError } from '../../errors.ts'
import { lockFile as lock } from '../../store/file-lock.ts'
import { faultOf } from '../../store/fault.ts'
import { unusableBecause, usingFile } from '../file-errors.ts'
import { destinationAt } from './output-files.ts'
import { oneNameOf } from './real-path.ts'
import { sha256 } from '../../files/sha256.ts'

/**
 * Locks a file for this process. Returns a function that releases it.
 * @throws what `conflict` returns if another process holds the lock
 */
export function lockFile(path: string, conflict: () => PayError): () => void {
  const release = locking(path)
  if (release === undefined) throw conflict()
  return release
}

/**
 * Keeps other processes of this machine from writing the same files, which would mix their lines. Returns what ends that.
 * Anyone may write to a device or a pipe. `folder`: that of the state.
 * @throws what `conflict` returns if another process writes one of them
 */
export function lockOutputs(
  folder: string,
  paths: readonly (string | undefined)[],
  conflict: (path: string) => PayError,
): () => void {
  const locks: (() => void)[] = []
  const release = () => {
    for (const unlock of locks) unlock()
  }
  try {
    for (const path of paths) {
      if (path === undefined || usingFile(path, 'written', () => destinationAt(path)) === 'stream') continue
      const hash = sha256(oneNameOf(path)).slice(0, 32)
      locks.push(lockFile(join(folder, `output-${hash}.lock`), () => conflict(path)))
    }
    return release
  } catch (error) {
    release()
    throw error
  }
}

function locking(path: string): ReturnType<typeof lock> {
  try {
    return lock(path)
  } catch (error) {
    throw unusableBecause(path, 'written', faultOf(error) ?? String(error), error)
  }
}
