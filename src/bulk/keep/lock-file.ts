import { closeSync, openSync, rmSync } from 'node:fs'
import type { PayError } from '../../errors.ts'
import { identityOf } from '../../store/file-identity.ts'
import { isLocked, systemNameOf } from '../../store/result-codes.ts'
import { loadSqlite } from '../../store/sqlite.ts'
import { fallbackOn } from '../../system-code.ts'
import { unusableBecause, usingFile } from '../file-errors.ts'

/**
 * Locks a file for this process, by SQLite's lock: the system frees it when the process ends, however it ends. Returns a
 * function that releases it.
 * @throws what `conflict` returns if another process holds the lock
 */
export function lockFile(path: string, conflict: () => PayError): () => void {
  for (;;) {
    create(path)
    const identity = identityOf(path)
    const connection = loadSqlite()(path)
    try {
      connection.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      connection.close()
      if (isLocked(error)) throw conflict()
      throw unusableBecause(path, 'written', systemNameOf(error) ?? String(error), error)
    }
    // Its last holder may have removed the file in the meantime: then another process may lock a new one.
    if (identity !== undefined && identityOf(path) === identity)
      return () => {
        remove(path)
        connection.close()
      }
    connection.close()
  }
}

/** Windows removes no open file: then it stays, and locks nothing. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // See above.
  }
}

/** Opens no file that is there: closing it again would release a lock that this process has on it. */
const create = (path: string): void =>
  usingFile(path, 'written', () =>
    fallbackOn('EEXIST', undefined, () => closeSync(openSync(path, 'wx', 0o600))),
  )
