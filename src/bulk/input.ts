import { createReadStream, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { UsageError } from '../errors.ts'
import { unusableFile } from './unusable-file.ts'

/** The bytes of a file or of stdin, decompressed, readable from any place. */
export interface Input {
  /** The first bytes, at least 64 kB where there are as many. */
  readonly head: Buffer
  /** Of the file as it lies there; undefined for stdin. */
  readonly size: number | undefined
  readonly isCompressed: boolean
  /** Called once. What cannot be sought (gzip, stdin) is read and skipped. */
  readonly from: (byte: number) => AsyncIterable<Uint8Array>
  /** Bytes of the file that have been read, compressed where it is. */
  readonly bytesRead: () => number
}

const HEAD_BYTES = 64 * 1024
const CHUNK_BYTES = 128 * 1024

export async function openFile(path: string, shown: string): Promise<Input> {
  const size = sizeOf(path, shown)
  const input = await openStream(createReadStream(path, { highWaterMark: CHUNK_BYTES }), shown)
  if (input.isCompressed) return { ...input, size }
  let read = 0
  return {
    ...input,
    size,
    from: (byte) => countedFrom(byte),
    bytesRead: () => read,
  }

  async function* countedFrom(byte: number): AsyncGenerator<Uint8Array> {
    read = byte
    for await (const chunk of createReadStream(path, { start: byte, highWaterMark: CHUNK_BYTES })) {
      const bytes = bytesOf(chunk)
      read += bytes.length
      yield bytes
    }
  }
}

export async function openStream(stream: AsyncIterable<unknown>, shown: string): Promise<Input> {
  let read = 0
  const counted = (async function* () {
    for await (const chunk of stream) {
      const bytes = bytesOf(chunk)
      read += bytes.length
      yield bytes
    }
  })()
  const raw = await peek(counted, 2)
  const isCompressed = raw.head[0] === 0x1f && raw.head[1] === 0x8b
  const plain = isCompressed
    ? await peek(gunzipped(raw.all(), shown), HEAD_BYTES)
    : await peek(raw.all(), HEAD_BYTES)
  return {
    head: plain.head,
    size: undefined,
    isCompressed,
    from: (byte) => skipped(plain.all(), byte),
    bytesRead: () => read,
  }
}

/** The first bytes, and all of them again. */
async function peek(chunks: AsyncGenerator<Uint8Array>, bytes: number) {
  const seen: Uint8Array[] = []
  let length = 0
  while (length < bytes) {
    const next = await chunks.next()
    if (next.done === true) break
    seen.push(next.value)
    length += next.value.length
  }
  return {
    head: Buffer.concat(seen),
    async *all(): AsyncGenerator<Uint8Array> {
      for (const chunk of seen.splice(0)) yield chunk
      yield* chunks
    },
  }
}

async function* gunzipped(chunks: AsyncIterable<Uint8Array>, shown: string): AsyncGenerator<Uint8Array> {
  const { Readable } = await import('node:stream')
  const source = Readable.from(chunks, { objectMode: false })
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  source.on('error', (error) => gunzip.destroy(error))
  try {
    for await (const chunk of source.pipe(gunzip)) yield bytesOf(chunk)
  } catch (cause) {
    throw unusableFile(
      `${shown} is damaged: its compression breaks off (${cause instanceof Error ? cause.message : ''})`,
    )
  }
}

async function* skipped(chunks: AsyncIterable<Uint8Array>, byte: number): AsyncGenerator<Uint8Array> {
  let left = byte
  for await (const chunk of chunks) {
    if (left >= chunk.length) {
      left -= chunk.length
      continue
    }
    yield left === 0 ? chunk : chunk.subarray(left)
    left = 0
  }
}

const bytesOf = (chunk: unknown): Uint8Array =>
  chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk))

function sizeOf(path: string, shown: string): number {
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) throw unreadable(shown, 'it is a folder')
    return stats.size
  } catch (error) {
    if (error instanceof UsageError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw unreadable(shown, code === 'ENOENT' ? 'there is no such file' : code)
  }
}

const unreadable = (shown: string, why: string): UsageError =>
  new UsageError(`${shown} cannot be read: ${why}`, { code: 'unreadable_file', outcome: 'none' })
