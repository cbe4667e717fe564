import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and what is missing above it, for its owner alone (0700). Returns whether it was made.
 * The new names survive a power cut: without them, whatever is synced inside is lost too.
 * One at a time: where a parent takes no folders (/proc), mkdir's own recursion never ends on Node 20.
 */
export function makePrivateFolder(path: string): boolean {
  if (existsSync(path) && statSync(path).isDirectory()) return false
  const parent = dirname(path)
  if (parent !== path && !existsSync(parent)) makePrivateFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
    // A umask may have taken the rights of the owner too.
    chmodSync(path, 0o700)
    syncPath(parent)
    return true
  } catch (error) {
    // Another process may have made it just now.
    if (existsSync(path) && statSync(path).isDirectory()) return false
    throw error
  }
}

/**
 * Puts a file's contents, or the names in a folder, on the disk for good. A new file needs both: without its folder's
 * sync, a power cut takes its name.
 */
export function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } catch (error) {
    // Windows cannot sync a folder, and does not need it.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
  } finally {
    closeSync(handle)
  }
}
