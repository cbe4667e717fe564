import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { UsageError } from '../../errors.ts'
import { IS_FOLDER, unusableBecause, unusableFile as unusablePath, usingFile } from '../file-errors.ts'
import { systemCode } from '../../files/system-code.ts'
import { DELIMITERS, MAX_RECORD_BYTES, firstRecords } from './csv.ts'
import { Readable } from 'node:stream'
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

export async function openStream(stream: AsyncIterable<unknown>, shown: string): Promise<Input> {
  let read = 0
  const counted = (async function* () {
    for await (const chunk of bytesOf(stream, shown)) {
      read += chunk.length
      yield chunk
    }
  })()
  const raw = await peek(counted, (seen) => seen.length >= MAGIC_BYTES)
  const isCompressed = isGzip(raw.head)
  const plain = await peek(isCompressed ? gunzipped(raw.all(), shown) : raw.all(), isHead)
  return {
    head: plain.head.subarray(0, HEAD_BYTES),
    size: undefined,
    textSize: undefined,
    isCompressed,
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

/** Reads the first bytes; `all` returns every byte again. An error after the first line is thrown when `all` reaches it. */
async function peek(chunks: AsyncGenerator<Uint8Array>, isEnough: (head: Buffer) => boolean) {
  const seen: Uint8Array[] = []
  let head: Buffer = Buffer.alloc(0)
  let failure: { readonly error: unknown } | undefined
  try {
    while (!isEnough(head)) {
      const next = await chunks.next()
      if (next.done === true) break
      seen.push(next.value)
      head = Buffer.concat([head, next.value])
    }
  } catch (error) {
    failure = { error }
  }
  if (failure !== undefined && !/[\r\n]/.test(head.toString('latin1'))) throw failure.error
  return {
    head,
    async *all(): AsyncGenerator<Uint8Array> {
      for (const chunk of seen.splice(0)) yield chunk
      if (failure !== undefined) throw failure.error
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

function statsOf(path: string, shown: string): Stats {
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
