import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from './errors.ts'
import { shellWord } from './shell-word.ts'
import { systemCode } from './system-code.ts'

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
  } catch (error) {
    // Another process may have made it just now.
    if (existsSync(path) && statSync(path).isDirectory()) return false
    throw error
  }
  syncPath(parent)
  return true
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
    if (systemCode(error) !== 'EPERM') throw error
  } finally {
    closeSync(handle)
  }
}

/**
 * Refuses a folder in which others can put files of their own, and closes one that they can only look into. A folder
 * that is not there is fine. `uid` is who runs the program; undefined where files have no such modes (Windows).
 * @throws {UsageError} naming the folder and the command that mends it
 */
export function checkPrivateFolder(
  path: string,
  uid: number | undefined,
  { corrects = true }: { readonly corrects?: boolean } = {},
): void {
  if (uid === undefined) return
  const stats = statsOf(path)
  if (stats === undefined || !stats.isDirectory()) return
  const shown = shellWord(path)
  // What root owns is as good as one's own: root can do anything anyway.
  if (stats.uid !== uid && stats.uid !== 0)
    throw unsafeFolderError(
      `The folder belongs to another user: ${path}`,
      `chown "$(id -u)" ${shown} && chmod 700 ${shown}`,
    )
  if ((stats.mode & 0o022) !== 0)
    throw unsafeFolderError(`Other users can write to the folder: ${path}`, `chmod 700 ${shown}`)
  if (!corrects || (stats.mode & 0o055) === 0) return
  try {
    chmodSync(path, 0o700)
  } catch {
    // On a disk that only root may change, or of root's own: others can't write to it either way.
  }
}

/** Undefined where there is nothing to look at. What a folder can't be used for, its first use reports. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

const unsafeFolderError = (message: string, command: string): UsageError =>
  new UsageError(message, {
    code: 'unsafe_folder',
    outcome: 'none',
    hint: `Anyone who can write there can change what pay sends. Check what is in it, then: ${command}`,
  })
