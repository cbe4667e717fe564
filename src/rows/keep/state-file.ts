import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { fallbackOn } from '../../files/system-code.ts'
import { NOT_REGULAR, unusableFile, usingFile } from '../file-errors.ts'

/** Flags that never follow a symbolic link or wait for a pipe. Windows has neither; undefined acts as 0. */
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const READ = O_RDONLY | O_NOFOLLOW | O_NONBLOCK

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
