import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { messageOf, UsageError } from '../../errors.ts'

const PREFIX = 'pay-sandbox-'

/** Creates a folder that only its owner can read. */
export function makeEphemeralFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), PREFIX))
  } catch (cause) {
    const why = messageOf(cause)
    throw new UsageError(`Cannot create a sandbox folder in ${tmpdir()}: ${why}`, {
      code: 'sandbox_not_writable',
      hint: 'Set TMPDIR (TEMP on Windows) to a writable folder.',
      cause,
    })
  }
}

/**
 * Removes the folder, if it can: Windows removes no file that is open, and on Node 20 SQLite keeps a closed database open.
 * Then the folder stays, among the system's temporary files.
 */
export function removeEphemeralFolder(path: string, remove: typeof rmSync = rmSync): void {
  try {
    remove(path, { recursive: true, force: true })
  } catch {
    // See above.
  }
}

/** Checks a path from a file before the folder is removed. */
export const isEphemeralFolder = (path: string): boolean =>
  dirname(path) === tmpdir() && basename(path).startsWith(PREFIX)
