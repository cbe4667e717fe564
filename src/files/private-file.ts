import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Stats } from 'node:fs'

/** Who runs the program: the user ID on POSIX, undefined on Windows, where files have no modes. */
export interface Owner {
  readonly uid: number | undefined
}

/** Who else can access a file. A file that root owns counts as the user's own, since root can change any file. */
type Exposure = 'none' | 'read-by-others' | 'written-by-others' | 'owned-by-another'

export function exposureOf(stats: Pick<Stats, 'mode' | 'uid'>, { uid }: Owner): Exposure {
  if (uid === undefined) return 'none'
  if (stats.uid !== uid && stats.uid !== 0) return 'owned-by-another'
  if ((stats.mode & 0o022) !== 0) return 'written-by-others'
  // Root gives a secret to a user by its group, as Kubernetes does.
  const readable = stats.uid === uid ? 0o044 : 0o004
  return (stats.mode & readable) === 0 ? 'none' : 'read-by-others'
}

interface FileContent {
  readonly stats: Stats
  /** Undefined if the content exceeds the limit. */
  readonly bytes: Uint8Array | undefined
}

/** Reads a file, or a pipe such as a shell's `<(…)`, up to `maxBytes`. */
export function readAtMost(path: string, maxBytes: number): FileContent {
  const file = openSync(path, 'r')
  try {
    const stats = fstatSync(file)
    if (stats.isDirectory()) return { stats, bytes: new Uint8Array() }
    const buffer = new Uint8Array(Math.min(maxBytes, stats.isFile() ? stats.size : maxBytes) + 1)
    let length = 0
    while (length < buffer.length) {
      const count = readSync(file, buffer, length, buffer.length - length, null)
      if (count === 0) return { stats, bytes: buffer.subarray(0, length) }
      length += count
    }
    return { stats, bytes: undefined }
  } finally {
    closeSync(file)
  }
}

/** Decodes UTF-8 without its byte order mark; undefined for other bytes. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
