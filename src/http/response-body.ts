import { MAX_BODY_BYTES } from './limits.ts'
import type { HttpResponse } from './transport-port.ts'

/**
 * The text of a complete body, decompressed if necessary.
 * @throws {TransportFailure} when it can't be decoded
 */
export async function readBody(body: Buffer, headers: HttpResponse['headers']): Promise<string> {
  const coding = headers['content-encoding']
  if (coding === undefined || body.length === 0) return body.toString()
  // Loaded only when needed: we ask for no compression.
  const { decodeContent } = await import('./content-coding.ts')
  const decoded = await decodeContent(body, coding, MAX_BODY_BYTES)
  return decoded.toString()
}
