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

/** A file that grows by whole lines and can be cut back to where a checkpoint was. */
export interface RowFile {
  readonly path: string
  readonly add: (line: string) => void
  /** On the disk for good; answers the length in bytes. */
  readonly sync: () => number
  readonly close: () => void
}

const FLUSH_BYTES = 64 * 1024

/** Goes on behind `keptBytes` of what is there, or begins with the header. */
export function openRowFile(path: string, header: string, keptBytes: number | undefined): RowFile {
  const { handle, isRegular } = openFile(path, keptBytes)
  let pending = keptBytes === undefined ? header : ''
  let bytes = keptBytes ?? 0
  let failure: PayError | undefined
  const flush = () => {
    // What is missing in the middle would be missed for ever.
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

/** Writing may stop halfway. Answers the length in bytes. */
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
    if (keptBytes === undefined) return { handle: openForGood(path), isRegular: true }
    if (isThere === undefined) throw changed(path, 'is gone')
    cutBack(path, keptBytes)
    return { handle: openSync(path, 'a'), isRegular: true }
  } catch (cause) {
    throw cause instanceof UsageError ? cause : unwritable(path, cause)
  }
}

/** A checkpoint that a power cut leaves must not lead to a file whose name it took. */
function openForGood(path: string): number {
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
    if (fstatSync(handle).size < bytes) throw changed(path, 'is shorter than this import left it')
    ftruncateSync(handle, bytes)
  } finally {
    closeSync(handle)
  }
}

const changed = (path: string, how: string): UsageError =>
  new UsageError(`${path} ${how}`, {
    code: 'results_changed',
    outcome: 'none',
    hint: 'Restore it to resume, or start over with --restart.',
  })

function unwritable(path: string, cause: unknown): PayError {
  const code = systemCode(cause) ?? String(cause)
  const why = code === 'ENOSPC' ? 'the disk is full' : code === 'ENOENT' ? 'there is no such folder' : code
  return new UsageError(`${path} cannot be written: ${why}`, { code: 'unwritable_file', cause })
}
