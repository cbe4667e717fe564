import { TransportFailure } from './transport-port.ts'
import type { WireAnswer, WireRequest } from './transport-port.ts'

/** Far beyond any answer of the service, and well within what a machine can hold. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024

/**
 * The text of a body that has come.
 * @throws where it is cut short, or cannot be decoded
 */
export async function readBody(
  body: Buffer,
  { status, headers }: Omit<WireAnswer, 'body'>,
  { method }: WireRequest,
): Promise<string> {
  const coding = headers['content-encoding']
  const text = coding === undefined || body.length === 0 ? body.toString() : await decodedText(body, coding)
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  const isJsonPromised = /\bjson\b/i.test(headers['content-type'] ?? '')
  // It begins as JSON does: then it ends so too, whatever its type is said to be.
  const isJsonBegun = /^\s*[[{]/.test(text)
  if (hasBody && isUnframed(headers) && (isJsonPromised || isJsonBegun) && !isJson(text))
    throw new TransportFailure('cut', true, 'the answer stops in the middle of its JSON')
  return text
}

async function decodedText(body: Buffer, coding: string): Promise<string> {
  // Loaded when needed: we ask for no coding.
  const { decodeContent } = await import('./content-coding.ts')
  const decoded = await decodeContent(body, coding, MAX_BODY_BYTES)
  return decoded.toString()
}

/** An answer that tells no length ends with its connection (RFC 9112, 6.3): whether all of it came, only its content can tell. */
const isUnframed = (headers: WireAnswer['headers']): boolean =>
  headers['content-length'] === undefined && headers['transfer-encoding'] === undefined

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
