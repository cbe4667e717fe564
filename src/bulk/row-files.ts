import { closeSync, fsyncSync, ftruncateSync, fstatSync, openSync, writeSync } from 'node:fs'
import { UsageError } from '../errors.ts'

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
  const handle = openFile(path, keptBytes)
  let pending = ''
  let bytes = keptBytes ?? 0
  const flush = () => {
    if (pending === '') return
    const buffer = Buffer.from(pending)
    pending = ''
    for (let at = 0; at < buffer.length;) at += writeSync(handle, buffer, at)
    bytes += buffer.length
  }
  if (keptBytes === undefined) pending = header
  return {
    path,
    add: (line) => {
      pending += line
      if (pending.length >= FLUSH_BYTES) flush()
    },
    sync: () => {
      flush()
      fsyncSync(handle)
      return bytes
    },
    close: () => {
      flush()
      closeSync(handle)
    },
  }
}

function openFile(path: string, keptBytes: number | undefined): number {
  try {
    if (keptBytes === undefined) return openSync(path, 'w', 0o600)
    const handle = openSync(path, 'r+')
    if (fstatSync(handle).size < keptBytes) {
      closeSync(handle)
      throw new UsageError(`${path} is shorter than this run has left it`, {
        code: 'results_changed',
        outcome: 'none',
        hint: 'Start over with --restart',
      })
    }
    ftruncateSync(handle, keptBytes)
    // Reading and writing begin at the start: what is added has to go behind.
    closeSync(handle)
    return openSync(path, 'a')
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new UsageError(`${path} cannot be written (${code})`, {
      code: 'unwritable_file',
      outcome: 'none',
      cause,
    })
  }
}
