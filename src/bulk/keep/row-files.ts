import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  realpathSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../../errors.ts'
import type { PayError } from '../../errors.ts'
import { syncPath } from '../../private-folder.ts'
import { systemCode } from '../../system-code.ts'

/** An output file that grows by whole lines. On resuming, it is cut back to the length in the checkpoint. */
export interface RowFile {
  readonly path: string
  readonly add: (line: string) => void
  /** Makes every line durable and returns the length of the file in bytes. */
  readonly sync: () => number
  readonly close: () => void
}

const FLUSH_BYTES = 64 * 1024

/** Continues a file after its first `keptBytes`, or starts a new one with the header. */
export function openRowFile(path: string, header: string, keptBytes: number | undefined): RowFile {
  const { handle, isRegular } = openFile(path, keptBytes)
  let pending = keptBytes === undefined ? header : ''
  let bytes = keptBytes ?? 0
  let failure: PayError | undefined
  const flush = () => {
    // Continuing after a failed write would leave a gap in the file.
    if (failure !== undefined) throw failure
    if (pending === '') return
    const text = pending
    pending = ''
    try {
      bytes += writeWhole(handle, text)
    } catch (error) {
      failure = unwritable(path, error)
      throw failure
    }
  }
  return {
    path,
    add: (line) => {
      pending += line
      if (pending.length >= FLUSH_BYTES) flush()
    },
    sync: () => {
      flush()
      if (isRegular) fsyncSync(handle)
      return bytes
    },
    close: () => {
      try {
        if (failure === undefined) flush()
      } finally {
        closeSync(handle)
      }
    },
  }
}

/** Writes all of the text, which may take several writes. Returns its length in bytes. */
export function writeWhole(handle: number, text: string): number {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at)
  return bytes.length
}

function openFile(path: string, keptBytes: number | undefined) {
  try {
    const isThere = statSync(path, { throwIfNoEntry: false })
    if (isThere !== undefined && !isThere.isFile() && !isThere.isDirectory())
      return { handle: openSync(path, 'w'), isRegular: false }
    if (keptBytes === undefined) return { handle: openDurably(path), isRegular: true }
    if (isThere === undefined) throw changed(path, 'is gone')
    cutBack(path, keptBytes)
    return { handle: openSync(path, 'a'), isRegular: true }
  } catch (cause) {
    throw cause instanceof UsageError ? cause : unwritable(path, cause)
  }
}

/** Makes the file's name durable: a checkpoint must not refer to a file that a power cut removed. */
function openDurably(path: string): number {
  const handle = openSync(path, 'w', 0o600)
  try {
    syncPath(dirname(realpathSync(path)))
    return handle
  } catch (error) {
    closeSync(handle)
    throw error
  }
}

function cutBack(path: string, bytes: number): void {
  const handle = openSync(path, 'r+')
  try {
    if (fstatSync(handle).size < bytes) throw changed(path, 'is shorter than this run left it')
    ftruncateSync(handle, bytes)
  } finally {
    closeSync(handle)
  }
}

const changed = (path: string, how: string): UsageError =>
  new UsageError(`${path} ${how}`, {
    code: 'results_changed',
    outcome: 'none',
    hint: 'Restore the file to resume, or start over with --restart.',
  })

function unwritable(path: string, cause: unknown): PayError {
  const code = systemCode(cause) ?? String(cause)
  const why = code === 'ENOSPC' ? 'the disk is full' : code === 'ENOENT' ? 'there is no such folder' : code
  return new UsageError(`${path} cannot be written: ${why}`, { code: 'unwritable_file', cause })
}
