import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { PayError, UsageError } from '../../errors.ts'
import { makePrivateFolder } from '../../private-folder.ts'
import type { Disk } from './disk.ts'
import { fallbackOn, systemCode } from '../../system-code.ts'
import { isAscii } from 'node:buffer'

/**
 * Node's file system, with synchronous calls: for records of a few hundred bytes, passing a call to a thread takes longer
 * than the call. `canSyncFolders` is false on Windows, which can't sync folders and doesn't need to. With `syncsInThread`, a
 * sync doesn't keep other writes of this process waiting.
 * Every call throws {@link UsageError} `ledger_unusable` on a file system error.
 */
export function realDisk({
  canSyncFolders,
  syncsInThread = false,
}: {
  readonly canSyncFolders: boolean
  readonly syncsInThread?: boolean
}): Disk {
  return {
    makeFolder: async (path) =>
      guarded(path, () => {
        makePrivateFolder(path)
      }),
    names: async (folder) => guarded(folder, () => whereThere(() => readdirSync(folder)) ?? []),
    read: async (path, fromByte = 0) => guarded(path, () => whereThere(() => readFrom(path, fromByte))),
    readBackwards: async function* (path) {
      const handle = guarded(path, () => whereThere(() => openSync(path, READ)))
      if (handle === undefined) return
      try {
        const size = guarded(path, () => fstatSync(handle).size)
        yield* partsBackwards(size, (bytes, at) =>
          guarded(path, () => readSync(handle, bytes, 0, bytes.length, at)),
        )
      } finally {
        closeSync(handle)
      }
    },
    size: async (path) => guarded(path, () => whereThere(() => statsOf(path).size)),
    modifiedAt: async (path) => guarded(path, () => whereThere(() => statsOf(path).mtime)),
    write: async (path, text) =>
      guarded(path, () => {
        const handle = whereThere(() => openSync(path, 'wx', 0o600))
        if (handle === undefined) return 'no-folder'
        writeAndClose(handle, text)
        return 'written'
      }),
    append: async (path, text) => guarded(path, () => writeAndClose(openSync(path, APPEND, 0o600), text)),
    sync: async (path) => {
      if (!syncsInThread) return guarded(path, () => sync(path, canSyncFolders))
      return syncInThread(path, canSyncFolders).catch((cause: unknown) => throwUnusable(path, cause))
    },
    link: async (from, to) =>
      guarded(to, () =>
        fallbackOn('EEXIST', false, () => {
          linkSync(from, to)
          return true
        }),
      ),
    rename: async (from, to) => guarded(to, () => renameSync(from, to)),
    remove: async (path) =>
      guarded(path, () => {
        whereThere(() => unlinkSync(path))
      }),
  }
}

/** Never follows a symbolic link, which would lead records out of the folder. Windows has no O_NOFOLLOW; undefined acts as 0. */
const { O_NOFOLLOW, O_RDONLY, O_WRONLY, O_APPEND, O_CREAT } = constants
const READ = O_RDONLY | O_NOFOLLOW
const APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW

function statsOf(path: string): Stats {
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) throw Object.assign(new Error(`a symbolic link: ${path}`), { code: 'ELOOP' })
  return stats
}

function writeAndClose(handle: number, text: string): void {
  try {
    // A umask may have removed even the owner's permissions.
    if ((fstatSync(handle).mode & 0o600) !== 0o600) fchmodSync(handle, 0o600)
    const bytes = Buffer.from(text)
    // One call, so that lines of several processes never mix. A short write means a full disk.
    const written = writeSync(handle, bytes)
    if (written < bytes.length) writeSync(handle, bytes, written)
  } finally {
    closeSync(handle)
  }
}

function readFrom(path: string, fromByte: number): string {
  const handle = openSync(path, READ)
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(handle).size - fromByte))
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, fromByte))
  } finally {
    closeSync(handle)
  }
}

function sync(path: string, canSyncFolders: boolean): void {
  // Windows can sync only files that are open for writing, and no folders.
  if (!canSyncFolders && statSync(path).isDirectory()) return
  const handle = openSync(path, canSyncFolders ? 'r' : 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

async function syncInThread(path: string, canSyncFolders: boolean): Promise<void> {
  if (!canSyncFolders && statSync(path).isDirectory()) return
  const handle = openSync(path, canSyncFolders ? 'r' : 'r+')
  try {
    await new Promise<void>((resolve, reject) => {
      fsync(handle, (error) => (error === null ? resolve() : reject(error)))
    })
  } finally {
    closeSync(handle)
  }
}

/** undefined if the file or folder doesn't exist. */
const whereThere = <T>(work: () => T): T | undefined => fallbackOn('ENOENT', undefined, work)

function guarded<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    return throwUnusable(path, cause)
  }
}

function throwUnusable(path: string, cause: unknown): never {
  const code = systemCode(cause)
  if (cause instanceof PayError || code === undefined) throw cause
  throw new UsageError(`The ledger cannot be used: ${path} (${code})`, {
    code: 'ledger_unusable',
    outcome: 'none',
    hint: HINTS[code] ?? 'Set PAY_STATE_DIR to another folder, on a local disk.',
    cause,
  })
}

const HINTS: Readonly<Record<string, string>> = {
  // Don't suggest another folder here: the open operations in this one would be missing there.
  EIO: 'The disk may be failing. Check it, and copy the folder, before you send anything else.',
  ENOSPC: 'The disk is full: free some space, or set PAY_STATE_DIR to another folder.',
  EDQUOT: 'Your disk quota is used up: free some space, or set PAY_STATE_DIR to another folder.',
  EACCES: 'Make the folder writable, or set PAY_STATE_DIR to another one.',
  ELOOP: 'It is a symbolic link: replace it with the file itself.',
  EROFS: 'The disk is read-only: set PAY_STATE_DIR to another folder.',
}

/** The length of the first part; enough for most searches. Each further part is four times as long as the one before. */
const FIRST_BYTES = 16 * 1024
/** Limits the memory that reading a long file takes. Node keeps texts above about 1 MB outside the heap, and frees them late. */
const MAX_BYTES = 256 * 1024

const LINE_FEED = 0x0a

/** Reads a file of this size from its end, in parts of whole lines. `read` fills the bytes from a position on. */
export function* partsBackwards(
  size: number,
  read: (bytes: Uint8Array, at: number) => void,
): Generator<string, void, undefined> {
  let buffer = Buffer.alloc(0)
  /** The first bytes of the buffer end a line whose beginning is still to be read. */
  let rest = 0
  let length = FIRST_BYTES
  for (let end = size; end > 0; length = Math.min(length * 4, MAX_BYTES)) {
    const start = Math.max(0, end - length)
    const bytes = end - start
    const isTooShort = buffer.length < bytes + rest
    const target = isTooShort ? Buffer.alloc(bytes + rest) : buffer
    buffer.copy(target, bytes, 0, rest)
    buffer = target
    read(buffer.subarray(0, bytes), start)
    end = start
    const joined = buffer.subarray(0, bytes + rest)
    // The first line is incomplete, unless it is the file's first.
    const whole = start === 0 ? 0 : joined.indexOf(LINE_FEED) + 1
    const isWhole = start === 0 || whole > 0
    rest = isWhole ? whole : joined.length
    if (isWhole) yield textOf(joined.subarray(whole))
  }
}

/** Nearly every history is ASCII. As latin1, it decodes in half the time and takes one byte per character to search. */
const textOf = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')
