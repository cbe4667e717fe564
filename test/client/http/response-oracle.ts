import { gunzipSync } from 'node:zlib'

/**
 * Reads a response from its bytes with the simplest possible code, and says whether it proves that a write was done. It
 * shares no code with the program, so a mistake would have to be made twice.
 */

export interface Wanted {
  /** The response field that must be the id, if the response has it. */
  readonly idField?: string
  readonly id?: string
  /** Without the id, one of these fields must be there; undefined if none is required. */
  readonly anyOf?: readonly string[]
  /** A 202 counts only with an errorId. */
  readonly isResume?: boolean
}

export function provesDone(bytes: Buffer, wanted: Wanted): boolean {
  const message = plainMessage(bytes)
  if (message === undefined || message.status < 200 || message.status > 299) return false
  let body: unknown
  try {
    body = JSON.parse(message.body.toString().replace(/^\uFEFF/, ''))
  } catch {
    return false
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  const fields = new Map<string, unknown>(Object.entries(body))
  const id = wanted.idField === undefined ? undefined : fields.get(wanted.idField)
  if (typeof id === 'string' || typeof id === 'number')
    return wanted.id === undefined || String(id) === wanted.id
  if (wanted.isResume === true && message.status === 202) return JSON.stringify(body).includes('"errorId":')
  return (
    wanted.anyOf === undefined || wanted.anyOf.some((name) => (fields.get(name) ?? undefined) !== undefined)
  )
}

function plainMessage(bytes: Buffer): { readonly status: number; readonly body: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})( |$)/.exec(first)?.[1])
  if (Number.isNaN(status)) return undefined
  const rest = bytes.subarray(end + 4)
  if (status >= 100 && status < 200) return plainMessage(rest)
  const headers = lines.map((line) => line.split(/:(.*)/s).map((part) => part.trim().toLowerCase()))
  const all = (name: string) => headers.flatMap(([found, value = '']) => (found === name ? [value] : []))
  const raw = plainBody(rest, all('content-length'), all('transfer-encoding'))
  const codings = all('content-encoding').flatMap((value) => value.split(',').map((coding) => coding.trim()))
  const isZipped = (coding: string) => coding === 'gzip' || coding === 'x-gzip'
  try {
    if (raw === undefined) return undefined
    return { status, body: codings.filter(isZipped).reduce((body) => gunzipSync(body), raw) }
  } catch {
    return undefined
  }
}

function plainBody(rest: Buffer, lengths: readonly string[], codings: readonly string[]): Buffer | undefined {
  if (codings.length > 0)
    return lengths.length === 0 && codings.join() === 'chunked' ? unchunked(rest) : undefined
  const [length] = lengths
  if (length === undefined) return rest
  const whole = Number(length)
  return lengths.length === 1 && /^\d+$/.test(length) && whole <= rest.length
    ? rest.subarray(0, whole)
    : undefined
}

function unchunked(bytes: Buffer): Buffer | undefined {
  const pieces: Buffer[] = []
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at)
    const size = end === -1 ? undefined : /^([\da-f]+)(;|$)/i.exec(bytes.toString('latin1', at, end))?.[1]
    if (size === undefined) return undefined
    const length = Number.parseInt(size, 16)
    // The trailers must be complete too.
    if (length === 0) return bytes.indexOf('\r\n\r\n', end) === -1 ? undefined : Buffer.concat(pieces)
    const next = end + 2 + length
    if (bytes.toString('latin1', next, next + 2) !== '\r\n') return undefined
    pieces.push(bytes.subarray(end + 2, next))
    at = next + 2
  }
}
