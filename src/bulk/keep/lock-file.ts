import type { PayError } from '../../errors.ts'
import { lockFile as lock } from '../../store/file-lock.ts'
import { resultCodeOf, systemNameOf } from '../../store/result-codes.ts'
import { systemCode } from '../../system-code.ts'
import { unusableBecause } from './file-errors.ts'

/**
 * Locks a file for this process. Returns a function that releases it.
 * @throws what `conflict` returns if another process holds the lock
 */
export function lockFile(path: string, conflict: () => PayError): () => void {
  const release = locking(path)
  if (release === undefined) throw conflict()
  return release
}

function locking(path: string): ReturnType<typeof lock> {
  try {
    return lock(path)
  } catch (error) {
    const code = resultCodeOf(error) === undefined ? systemCode(error) : systemNameOf(error)
    throw unusableBecause(path, 'written', code ?? String(error), error)
  }
}
