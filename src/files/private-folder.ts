import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../errors.ts'
import { shellWord } from './shell.ts'
import { exposureOf } from './private-file.ts'
import { systemCode } from './system-code.ts'

/**
 * Creates a folder and its missing parents, private to the owner (0700). Returns whether it was created.
 * Syncs the new names to disk: without them, a power cut loses everything that is synced inside.
 * Creates one folder at a time: on Node 20, recursive mkdir never returns if a parent takes no folders (/proc).
 */
export function makePrivateFolder(path: string): boolean {
  if (existsSync(path) && statSync(path).isDirectory()) return false
  const parent = dirname(path)
  if (parent !== path && !existsSync(parent)) makePrivateFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
    // The umask may have removed the owner's permissions too.
    chmodSync(path, 0o700)
  } catch (error) {
    // Another process may have created it in the meantime.
    if (existsSync(path) && statSync(path).isDirectory()) return false
    throw error
  }
  syncPath(parent)
  return true
}

/**
 * Syncs a file's content, or the names in a folder, to disk. A new file needs both: without a sync of its folder, a power
 * cut removes its name.
 */
export function syncPath(path: string): void {
  const isFolder = statSync(path).isDirectory()
  // Windows syncs no file that is open for reading alone.
  const handle = openSync(path, isFolder ? 'r' : 'r+')
  try {
    fsyncSync(handle)
  } catch (error) {
    // Windows can't sync a folder and doesn't need to.
    if (!isFolder || systemCode(error) !== 'EPERM') throw error
  } finally {
    closeSync(handle)
  }
}

/**
 * Refuses a folder that other users can write to. Makes a folder private if others can only read it, unless `corrects` is
 * false. A missing folder is fine. `uid` is the user's ID; undefined on Windows, where files have no modes.
 * @throws {UsageError} `unsafe_folder`, with the command that fixes it
 */
export function checkPrivateFolder(
  path: string,
  uid: number | undefined,
  { corrects = true }: { readonly corrects?: boolean } = {},
): void {
  if (uid === undefined) return
  const stats = statsOf(path)
  if (stats === undefined || !stats.isDirectory()) return
  refuseOthers(path, stats, uid, { what: 'folder', mode: '700' })
  if (!corrects || (stats.mode & 0o055) === 0) return
  try {
    chmodSync(path, 0o700)
  } catch {
    // Only root may change the mode. Others can't write to the folder either way.
  }
}

/**
 * Refuses a file that other users can change, or replace in its folder. Changes no mode. A missing file is fine.
 * @throws {UsageError} `unsafe_folder`, as {@link checkPrivateFolder}
 */
export function checkUnsharedFile(path: string, uid: number | undefined): void {
  if (uid === undefined) return
  const stats = statsOf(path)
  if (stats === undefined) return
  refuseOthers(path, stats, uid, { what: 'file', mode: 'go-w' })
  // Anyone who can replace a link, or the file that it leads to, decides what is read.
  for (const folder of new Set([path, realpathSync(path)].map(dirname)))
    refuseOthers(folder, statSync(folder), uid, { what: 'folder', mode: 'go-w' })
}

/** `mode`: for chmod. */
function refuseOthers(
  path: string,
  stats: Stats,
  uid: number,
  { what, mode }: { readonly what: 'file' | 'folder'; readonly mode: string },
): void {
  const shown = shellWord(path)
  const exposure = exposureOf(stats, { uid })
  if (exposure === 'owned-by-another')
    throw unsafeFolderError(
      `The ${what} belongs to another user: ${path}`,
      `chown "$(id -u)" ${shown} && chmod ${mode} ${shown}`,
    )
  if (exposure === 'written-by-others')
    throw unsafeFolderError(`Other users can write to the ${what}: ${path}`, `chmod ${mode} ${shown}`)
}

/** The stats of a path; undefined if it can't be read: its first use reports that. */
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
    hint: `Anyone who can write there can change what pay sends. Check its content, then: ${command}`,
  })
