import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { tooLarge } from './failure.ts'
import { TransportFailure } from './transport-port.ts'

interface Limit {
  readonly maxOutputLength: number
}

/** The codings that can be undone. We ask for no compression (`accept-encoding: identity`), but some proxies compress anyway. */
const DECODERS: ReadonlyMap<string, (body: Buffer, limit: Limit) => Promise<Buffer>> = new Map([
  ['gzip', promisify<Buffer, Limit, Buffer>(gunzip)],
  ['x-gzip', promisify<Buffer, Limit, Buffer>(gunzip)],
  ['br', promisify<Buffer, Limit, Buffer>(brotliDecompress)],
  ['deflate', decodeDeflate],
])

/**
 * Undoes the codings of a `content-encoding` header, last one first (RFC 9110, 8.4).
 * @throws {TransportFailure} `too-large` when a step exceeds the limit, `cut` when the body can't be decoded
 */
export async function decodeContent(body: Buffer, header: string, maxOutputLength: number): Promise<Buffer> {
  const codings = header
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  // Real responses use one or two codings. A thousand would each cost a pass over up to the whole limit.
  if (codings.length > 3) throw notDecoded()
  let decoded = body
  for (const coding of codings.toReversed()) {
    const decode = DECODERS.get(coding)
    if (decode === undefined) throw notDecoded()
    try {
      decoded = await decode(decoded, { maxOutputLength })
    } catch (cause) {
      throw isTooLarge(cause) ? tooLarge(maxOutputLength) : notDecoded(cause)
    }
  }
  return decoded
}

/** Decodes `deflate`, which means the zlib format, but some servers send raw deflate. */
function decodeDeflate(body: Buffer, options: Limit): Promise<Buffer> {
  const isZlib = ((body[0] ?? 0) & 0x0f) === 8
  return promisify<Buffer, Limit, Buffer>(isZlib ? inflate : inflateRaw)(body, options)
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

const notDecoded = (cause?: unknown): TransportFailure =>
  new TransportFailure('cut', true, 'the response is compressed and cannot be decoded (content-encoding)', {
    cause,
  })
