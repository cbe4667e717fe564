import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { fallbackOn } from '../files/system-code.ts'
import { faultOf } from './fault.ts'
import { loadSqlite } from './sqlite.ts'
import type { OpenConnection } from './sqlite.ts'

/**
 * Locks a file for this process, by SQLite's lock: the system frees it when the process ends, however it ends. Returns a
 * function that releases it; undefined if another process holds the lock.
 */
export function lockFile(path: string, open: OpenConnection = loadSqlite()): (() => void) | undefined {
  for (;;) {
    // Opens no file that is there: closing it again would release a lock that this process has on it.
    fallbackOn('EEXIST', undefined, () => closeSync(openSync(path, 'wx', 0o600)))
    const file = lockedFileAt(path)
    const connection = open(path)
    try {
      // A journal file could not be created once the last holder has removed this file, and the lock would fail.
      connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    } catch (error) {
      connection.close()
      if (faultOf(error) === 'locked') return undefined
      throw error
    }
    // Its last holder may have removed the file in the meantime: then another process may lock a new one.
    if (file !== undefined && lockedFileAt(path) === file)
      return () => {
        remove(path)
        connection.close()
      }
    connection.close()
  }
}

/** Which file is there. A new one may have the number of one that was removed, but not its time: nothing changes these files. */
function lockedFileAt(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}:${stats.ctimeNs}`
}

/** Removes the file if the system allows it. Windows removes no open file: then it stays, and locks nothing. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // See above.
  }
}
