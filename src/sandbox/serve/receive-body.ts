import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { MAX_BODY_BYTES } from '../request/body-limits.ts'
import { Problem } from '../problem.ts'

/** Whether a request announces a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether it announces a body above the size limit. */
export const isDeclaredTooLarge = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES

/** Reads a body as text. Passes on a problem as soon as there is one, which can be before the end of the body. */
export function receiveBody(request: IncomingMessage, done: (body: string | Problem) => void): void {
  let first: Buffer | undefined
  let rest: Buffer[] | undefined
  let length = 0
  if (isDeclaredTooLarge(request)) {
    request.resume()
    return done(tooLarge())
  }
  request.on('data', (chunk: Buffer) => {
    const before = length
    length += chunk.length
    if (length <= MAX_BODY_BYTES) {
      if (first === undefined) first = chunk
      else (rest ??= [first]).push(chunk)
    } else if (before <= MAX_BODY_BYTES) {
      first = rest = undefined
      done(tooLarge())
    }
  })
  request.on('end', () => {
    if (length > MAX_BODY_BYTES) return
    const bytes = rest === undefined ? first : Buffer.concat(rest, length)
    done(bytes === undefined ? '' : (unreadable(request) ?? textOf(bytes)))
  })
}

const tooLarge = () => new Problem('PayloadTooLarge', 'The body is larger than 1 MB.')

function unreadable({ headers }: IncomingMessage): Problem | undefined {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && !/^(?:identity)?$/i.test(encoding))
    return new Problem('UnsupportedMediaType', `Content-Encoding ${encoding} is not supported.`, {
      recoverySuggestion: 'Send the body unencoded.',
    })
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    return new Problem('UnsupportedMediaType', `The body's charset is ${charset}, not UTF-8.`)
  return undefined
}

const textOf = (bytes: Buffer): string | Problem =>
  isUtf8(bytes) ? bytes.toString('utf8') : new Problem('MalformedJson', 'The body is not UTF-8.')
