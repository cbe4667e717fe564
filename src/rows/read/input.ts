import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { IS_FOLDER, unusableBecause, unusableFile as unusablePath, usingFile } from '../file-errors.ts'
import { systemCode } from '../../files/system-code.ts'
import { DELIMITERS, MAX_RECORD_BYTES, firstRecords } from './csv.ts'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { unusableFile } from './unusable-file.ts'

/** The decompressed bytes of a file or of stdin, readable from any place. */
export interface Input {
  /** The first bytes: at least 64 KB and one complete record, or all of a short input. */
  readonly head: Buffer
  /** The size of the file on disk, in bytes; undefined for stdin. */
  readonly size: number | undefined
  /** The size of the text in bytes, an estimate if it is decoded; undefined if unknown. */
  readonly textSize: number | undefined
  readonly isCompressed: boolean
  /** Whether a stream was too slow for the usual head, which would depend on its speed. */
  readonly isSlow: boolean
  /** The bytes from `byte` on. Call it once. Gzip and stdin can't seek, so they are read and skipped up to there. */
  readonly from: (byte: number) => AsyncIterable<Uint8Array>
  /** For a look ahead: the bytes from `byte` on, as far as they can be read without waiting, or read again. */
  readonly ahead: (byte: number) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Bytes of the file read so far, before decompression. */
  readonly bytesRead: () => number
}

const HEAD_BYTES = MAX_RECORD_BYTES
/** How many bytes identify an input; resuming also verifies the rest. More would delay the start on a live stream. */
export const SAMPLE_BYTES = 64 * 1024
/** The size of chunks, which are small: additional reads cost less than rows that survive a garbage collection. */
const CHUNK_BYTES = 32 * 1024

export async function openFile(path: string, shown: string): Promise<Input> {
  const stats = statsOf(path, shown)
  const stream = () => createReadStream(path, { highWaterMark: CHUNK_BYTES })
  // A named pipe can be read only once, like stdin.
  if (!stats.isFile()) return openStream(stream(), shown)
  const { size } = stats
  const head = headOf(path, shown)
  if (isGzip(head)) return { ...(await openStream(stream(), shown)), size }
  let read = 0
  return {
    head,
    size,
    textSize: size,
    isCompressed: false,
    isSlow: false,
    from: async function* (byte) {
      read = byte
      const chunks = createReadStream(path, { start: byte, highWaterMark: CHUNK_BYTES })
      for await (const chunk of bytesOf(chunks, shown)) {
        read += chunk.length
        yield chunk
      }
    },
    ahead: (byte) => bytesOf(createReadStream(path, { start: byte, highWaterMark: CHUNK_BYTES }), shown),
    bytesRead: () => read,
  }
}

/** How long a stream is waited for before its first rows are judged. */
const PATIENCE_MS = 5_000
/** The most bytes of a stream that are kept to be judged. */
const AHEAD_BYTES = 4 * HEAD_BYTES

/** Opens a stream. `timeUp`: resolves when what has arrived has to be enough. */
export async function openStream(
  stream: AsyncIterable<unknown>,
  shown: string,
  timeUp?: Promise<void>,
): Promise<Input> {
  const timer = new AbortController()
  const late =
    timeUp ?? setTimeout(PATIENCE_MS, undefined, { ref: false, signal: timer.signal }).catch(() => undefined)
  try {
    return await opened(stream, shown, late)
  } finally {
    timer.abort()
  }
}

async function opened(stream: AsyncIterable<unknown>, shown: string, late: Promise<void>): Promise<Input> {
  let read = 0
  const counted = (async function* () {
    for await (const chunk of bytesOf(stream, shown)) {
      read += chunk.length
      yield chunk
    }
  })()
  const raw = await peek(counted, { isEnough: (seen) => seen.length >= MAGIC_BYTES })
  const isCompressed = isGzip(raw.head)
  const source = isCompressed ? gunzipped(raw.all(), shown) : raw.all()
  const plain = await peek(source, { isEnough: (seen) => seen.length >= AHEAD_BYTES, late })
  return {
    head: plain.head.subarray(0, HEAD_BYTES),
    size: undefined,
    textSize: undefined,
    isCompressed,
    isSlow: plain.isCut && !isHead(plain.head),
    from: (byte) => skipped(plain.all(), byte),
    ahead: (byte) => [plain.head.subarray(byte)],
    bytesRead: () => read,
  }
}

const MAGIC_BYTES = 2

/** Whether the header and the first row are complete, because a third record has begun. */
const isHead = (seen: Buffer): boolean =>
  seen.length >= HEAD_BYTES ||
  (seen.length >= SAMPLE_BYTES &&
    firstRecords(seen, {
      delimiter: [...DELIMITERS],
      relax_quotes: true,
      skip_records_with_error: true,
      to: 3,
    }).length === 3)

/** Whether a header and a row are complete, at least. */
function hasRow(seen: Buffer): boolean {
  const options = { delimiter: [...DELIMITERS], relax_quotes: true, skip_records_with_error: true, to: 3 }
  const { length } = firstRecords(seen, options)
  return length === 3 || (length === 2 && seen.at(-1) === LINE_FEED)
}

const LINE_FEED = 0x0a

/**
 * Reads the first bytes, until they are enough, or the time is up and there is a row; `all` returns every byte again. An error after
 * the first line is thrown when `all` reaches it.
 */
async function peek(
  chunks: AsyncGenerator<Uint8Array>,
  { isEnough, late }: { readonly isEnough: (head: Buffer) => boolean; readonly late?: Promise<void> },
) {
  const seen: Uint8Array[] = []
  let [head, size] = [Buffer.alloc(0), 0]
  let failure: { readonly error: unknown } | undefined
  let pending: Promise<IteratorResult<Uint8Array, unknown>> | undefined
  let [isLate, isCut] = [false, false]
  const watch = async (): Promise<void> => {
    await late
    isLate = true
  }
  if (late !== undefined) void watch()
  try {
    while (!isEnough(head)) {
      pending ??= chunks.next()
      // Whoever reads all of it gets the error.
      pending.catch(() => {})
      const next = late === undefined || isLate ? await pending : await Promise.race([pending, late])
      if (next !== undefined) {
        pending = undefined
        if (next.done === true) break
        seen.push(next.value)
        size += next.value.length
        // Joined only when it has grown by half: joining for every chunk would copy the first one again and again.
        if (late === undefined || isLate || size >= head.length * 1.5) head = Buffer.concat(seen)
      }
      if (isLate || next === undefined) {
        head = Buffer.concat(seen)
        isCut = hasRow(head)
        if (isCut) break
      }
    }
  } catch (error) {
    pending = undefined
    failure = { error }
  }
  head = Buffer.concat(seen)
  if (failure !== undefined && !/[\r\n]/.test(head.toString('latin1'))) throw failure.error
  return {
    head,
    /** Whether the time was up before it was enough. */
    isCut,
    async *all(): AsyncGenerator<Uint8Array> {
      for (const chunk of seen.splice(0)) yield chunk
      if (failure !== undefined) throw failure.error
      const next = await pending
      if (next?.done === true) return
      if (next !== undefined) yield next.value
      yield* chunks
    },
  }
}

/** The chunks without their first `byte` bytes. */
export async function* skipped(chunks: AsyncIterable<Uint8Array>, byte: number): AsyncGenerator<Uint8Array> {
  let left = byte
  for await (const chunk of chunks) {
    if (left >= chunk.length) {
      left -= chunk.length
      continue
    }
    yield left === 0 ? chunk : chunk.subarray(left)
    left = 0
  }
  if (left > 0)
    throw new UsageError('The input is shorter than it was: it ends before the row to resume at', {
      code: 'input_changed',
      outcome: 'none',
      hint: 'Start over with --restart.',
    })
}

async function* bytesOf(chunks: AsyncIterable<unknown>, shown: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunks) yield chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk))
  } catch (error) {
    throw unusableBecause(shown, 'read', systemCode(error) ?? String(error), error)
  }
}

const headOf = (path: string, shown: string): Buffer =>
  usingFile(shown, 'read', () => {
    const handle = openSync(path, 'r')
    try {
      const head = Buffer.alloc(HEAD_BYTES)
      let length = 0
      for (let read = -1; read !== 0 && length < head.length; length += read)
        read = readSync(handle, head, length, head.length - length, null)
      // Copy, so that a small file does not hold the whole buffer.
      return Buffer.from(head.subarray(0, length))
    } finally {
      closeSync(handle)
    }
  })

/**
 * The facts of a file or a pipe.
 * @throws {UsageError} `unreadable_file` for a folder, and for what can't be reached
 */
export function statsOf(path: string, shown: string): Stats {
  const stats = usingFile(shown, 'read', () => statSync(path))
  if (stats.isDirectory()) throw unusablePath(shown, 'read', IS_FOLDER)
  return stats
}

const PIECE_BYTES = 128 * 1024

const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b

/** Decompresses gzip, including several members in one file, such as from `cat a.gz b.gz`. */
async function* gunzipped(chunks: AsyncIterable<Uint8Array>, shown: string): AsyncGenerator<Uint8Array> {
  const source = Readable.from(chunks, { objectMode: false })
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES })
  source.on('error', (error) => gunzip.destroy(error))
  try {
    for await (const chunk of source.pipe(gunzip)) yield toBytes(chunk)
  } catch (error) {
    // Hand out what was decompressed before the damage.
    for (let chunk: unknown = gunzip.read(); chunk !== null; chunk = gunzip.read()) yield toBytes(chunk)
    throw error instanceof UsageError ? error : damaged(shown, error)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

const toBytes = (chunk: unknown): Uint8Array =>
  chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk))

function damaged(shown: string, cause: unknown): UsageError {
  const code = systemCode(cause)
  return unusableFile(
    code === 'Z_BUF_ERROR'
      ? `${shown} is truncated: the compressed data is incomplete`
      : `${shown} is damaged: the rest cannot be decompressed`,
    'Compress or copy the file again. Rows before the damage are not affected.',
  )
}
