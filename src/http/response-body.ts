import type { HttpResponse } from './transport-port.ts'

/** Far beyond any answer of the service, and well within what a machine can hold. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024

/**
 * The text of a body that has come.
 * @throws where it cannot be decoded
 */
export async function readBody(body: Buffer, headers: HttpResponse['headers']): Promise<string> {
  const coding = headers['content-encoding']
  if (coding === undefined || body.length === 0) return body.toString()
  // Loaded when needed: we ask for no coding.
  const { decodeContent } = await import('./content-coding.ts')
  const decoded = await decodeContent(body, coding, MAX_BODY_BYTES)
  return decoded.toString()
}
