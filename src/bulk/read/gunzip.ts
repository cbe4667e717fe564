import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { UsageError } from '../../errors.ts'
import { systemCode } from '../../system-code.ts'
import { unusableFile } from './unusable-file.ts'

const CHUNK_BYTES = 128 * 1024

export const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b

/** Decompresses gzip, including several members in one file, such as from `cat a.gz b.gz`. */
export async function* gunzipped(
  chunks: AsyncIterable<Uint8Array>,
  shown: string,
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(chunks, { objectMode: false })
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
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
