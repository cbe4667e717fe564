import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { syncPath } from '../../files/private-folder.ts'
import { fallbackOn } from '../../files/system-code.ts'
import { NOT_REGULAR, unusableFile, usingFile } from '../file-errors.ts'

/** Never follows a symbolic link or waits for a pipe. Windows has neither flag; undefined acts as 0. */
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const READ = O_RDONLY | O_NOFOLLOW | O_NONBLOCK

/**
 * Replaces a file in one step: after a crash or power cut, either the old or the new one is there. Replaces a link or a pipe
 * itself. `next`: the path of the new one until then, in the same folder; its own for each process that may replace the file.
 * @throws {UsageError} `unwritable_file`
 */
export function replaceFile(
  path: string,
  text: string,
  { mode = 0o600, next = `${path}.next`, sync = syncPath } = {},
): void {
  usingFile(path, 'written', () => {
    rmSync(next, { force: true })
    try {
      writeFileSync(next, text, { mode, flag: 'wx' })
      sync(next)
      renameSync(next, path)
    } catch (error) {
      rmSync(next, { force: true })
      throw error
    }
    syncPath(dirname(path))
  })
}

/**
 * The text of a file; empty if there is none.
 * @throws {UsageError} `unreadable_file`, also if it is no regular file
 */
export const textAt = (path: string): string =>
  usingFile(path, 'read', () => {
    const handle = fallbackOn('ENOENT', undefined, () => openRegular(path, READ))
    if (handle === undefined) return ''
    try {
      return readFileSync(handle, 'utf8')
    } finally {
      closeSync(handle)
    }
  })

/** Writes all of the text, which may take several writes. Returns its length in bytes. */
export function writeWhole(handle: number, content: string | Buffer): number {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at)
  return bytes.length
}

/** Opens a regular file without following a symbolic link. */
export function openRegular(path: string, flags: number): number {
  const handle = openSync(path, flags, 0o600)
  if (fstatSync(handle).isFile()) return handle
  closeSync(handle)
  throw unusableFile(path, flags === READ ? 'read' : 'written', NOT_REGULAR)
}
