import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PARTS = 256
const PART_BYTES = 8 * 1024

/** IDs and their rows in an unlinked file, which disappears with the process. Equal IDs are in the same part. */
export interface IdOverflowFile {
  readonly add: (id: string, row: number) => void
  /** Loads one part at a time: its IDs and their rows, in the order they were added. */
  readonly parts: () => Iterable<Iterable<readonly [id: string, row: number]>>
  readonly close: () => void
}

/** @throws if the file cannot be created */
export function openIdOverflowFile(folder = tmpdir()): IdOverflowFile {
  const own = mkdtempSync(join(folder, 'pay-import-'))
  const file = join(own, 'ids')
  const handle = openSync(file, 'wx+', 0o600)
  const removeFolder = () => {
    try {
      rmSync(own, { recursive: true, force: true })
    } catch {
      // Windows cannot remove an open file; `close` tries again.
    }
  }
  removeFolder()
  // Fixed buffers: growing strings would live long enough to cost the garbage collector more.
  const parts = Array.from({ length: PARTS }, () => ({
    pending: Buffer.alloc(PART_BYTES),
    used: 0,
    pieces: new Array<Piece>(),
  }))
  let length = 0
  const write = (part: (typeof parts)[number], bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at)
    part.pieces.push({ at: length, bytes: bytes.length })
    length += bytes.length
  }
  const flush = (part: (typeof parts)[number]) => {
    if (part.used > 0) write(part, part.pending.subarray(0, part.used))
    part.used = 0
  }
  return {
    add: (id, row) => {
      const part = parts[partOf(id)]
      if (part === undefined) return
      const line = `${row} ${JSON.stringify(id)}\n`
      const bytes = Buffer.byteLength(line)
      if (part.used + bytes > PART_BYTES) flush(part)
      if (bytes > PART_BYTES) write(part, Buffer.from(line))
      else part.used += part.pending.write(line, part.used)
    },
    *parts() {
      for (const part of parts) {
        flush(part)
        yield entriesOf(handle, part.pieces)
      }
    },
    close: () => {
      closeSync(handle)
      removeFolder()
    },
  }
}

interface Piece {
  readonly at: number
  readonly bytes: number
}

function* entriesOf(handle: number, pieces: readonly Piece[]): Generator<readonly [id: string, row: number]> {
  // One buffer for all pieces, instead of one each for the garbage collector.
  const room = Buffer.alloc(pieces.reduce((most, { bytes }) => Math.max(most, bytes), 0))
  for (const { at, bytes } of pieces) {
    for (let read = 0; read < bytes;) {
      const more = readSync(handle, room, read, bytes - read, at + read)
      if (more === 0) throw new Error('the temporary file of IDs is truncated')
      read += more
    }
    for (const line of room.toString('utf8', 0, bytes).split('\n')) {
      const end = line.indexOf(' ')
      const id: unknown = end === -1 ? undefined : JSON.parse(line.slice(end + 1))
      if (typeof id === 'string') yield [id, Number(line.slice(0, end))]
    }
  }
}

function partOf(id: string): number {
  let sum = 7
  for (let at = 0; at < id.length; at += 1) sum = (Math.imul(sum, 31) + id.charCodeAt(at)) | 0
  return (sum ^ (sum >>> 15)) & (PARTS - 1)
}
