import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../../errors.ts'
import { syncPath } from '../../private-folder.ts'
import { usingFile } from './file-errors.ts'
import { destinationAt } from './output-files.ts'
import { openRegular, writeWhole } from './state-file.ts'

/** An output file that grows by whole records. On resuming, it is cut back to those that the checkpoint counts. */
export interface RowFile {
  readonly path: string
  readonly add: (line: string) => void
  /** Makes every line durable. */
  readonly sync: () => void
  readonly close: () => void
}

const FLUSH_BYTES = 64 * 1024

/** Continues a file after the header and its first `kept` records, or starts a new one with the header. */
export function openRowFile(path: string, header: string, kept: number | undefined): RowFile {
  const { handle, isRegular } = openFile(path, header, kept)
  let pending = kept === undefined ? header : ''
  let failure: unknown
  const flush = () => {
    // Continuing after a failed write would leave a gap in the file.
    if (failure !== undefined) throw failure
    if (pending === '') return
    const text = pending
    pending = ''
    try {
      usingFile(path, 'written', () => void writeWhole(handle, text))
    } catch (error) {
      failure = error
      throw error
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

function openFile(path: string, header: string, kept: number | undefined) {
  return usingFile(path, 'written', () => {
    const destination = destinationAt(path)
    if (destination === 'stream') return { handle: openSync(path, 'w'), isRegular: false }
    if (kept === undefined) return { handle: openDurably(path), isRegular: true }
    if (destination === 'free') throw changed(path, 'is gone')
    cutBack(path, header, kept)
    return { handle: openRegular(path, APPEND), isRegular: true }
  })
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR, O_TRUNC, O_WRONLY } = constants
/** As for files that pay alone writes: in a folder of others, a link could lead anywhere. */
const SAFELY = O_NOFOLLOW | O_NONBLOCK
const APPEND = O_WRONLY | O_APPEND | O_CREAT | SAFELY

/** Finds out before anything is sent whether a file can be written. Changes no file. */
export function refuseUnwritable(path: string): void {
  usingFile(path, 'written', () => {
    if (destinationAt(path) !== 'stream') closeSync(openRegular(path, APPEND))
  })
}

/** Makes the file's name durable: a checkpoint must not refer to a file that a power cut removed. */
function openDurably(path: string): number {
  const handle = openRegular(path, O_WRONLY | O_CREAT | O_TRUNC | SAFELY)
  try {
    syncPath(dirname(realpathSync(path)))
    return handle
  } catch (error) {
    closeSync(handle)
    throw error
  }
}

function cutBack(path: string, header: string, kept: number): void {
  const handle = openRegular(path, O_RDWR | SAFELY)
  try {
    const head = Buffer.alloc(Buffer.byteLength(header))
    readSync(handle, head, 0, head.length, 0)
    if (head.toString() !== header) throw changed(path, 'is not the file that this run has begun')
    // Without a header, every line is a record.
    const isQuoted = header !== ''
    const end = endOfRecords(handle, isQuoted ? kept + 1 : kept, isQuoted)
    if (end === undefined) throw changed(path, 'is shorter than this run left it')
    ftruncateSync(handle, end)
  } finally {
    closeSync(handle)
  }
}

const LINE_FEED = 0x0a
const QUOTE = 0x22

/** Where the first `count` records end; undefined if there are fewer. A line feed in quotes doesn't end a record. */
function endOfRecords(handle: number, count: number, isQuoted: boolean): number | undefined {
  const chunk = Buffer.alloc(FLUSH_BYTES)
  let [left, isInQuotes, at] = [count, false, 0]
  while (left > 0) {
    const read = readSync(handle, chunk, 0, chunk.length, at)
    if (read === 0) return undefined
    for (let index = 0; index < read; index += 1) {
      if (isQuoted && chunk[index] === QUOTE) isInQuotes = !isInQuotes
      if (chunk[index] !== LINE_FEED || isInQuotes) continue
      left -= 1
      if (left === 0) return at + index + 1
    }
    at += read
  }
  return at
}

const changed = (path: string, how: string): UsageError =>
  new UsageError(`${path} ${how}`, {
    code: 'results_changed',
    outcome: 'none',
    hint: 'Restore the file to resume, or start over with --restart.',
  })
