import { UsageError } from '../../errors.ts'
import type { HttpRequest } from '../http/transport-port.ts'

/** The account that a request is for, and the program that sends it. */
export interface RequestTarget {
  /** May include a path and a trailing slash, and a fragment, which is not sent. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly apiVersion: string
  readonly userAgent: string
}

export interface RequestParts extends RequestTarget {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** The exact text to send. */
  readonly body: string | undefined
  readonly idempotencyKey?: string | undefined
}

/**
 * Builds the request for an operation and its values. Everything goes through here, so a dry run shows exactly what is sent.
 * @throws {UsageError} when a value can't be used; the message does not repeat the value
 */
export function buildRequest(
  operation: { readonly method: string; readonly path: string },
  parts: RequestParts,
): HttpRequest {
  const { baseUrl, params, query, body, idempotencyKey } = parts
  const path = fillPath(checkedPath(operation.path), params)
  return {
    method: operation.method,
    url: `${(baseUrl.split('#', 1)[0] ?? '').replace(/(?<!\/)\/+$/, '')}${path}${queryText(path, query)}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': headerValue('The user agent', parts.userAgent),
      // A dry run without a key shows an empty one; the service would refuse it.
      'x-api-key': parts.apiKey === '' ? '' : headerValue('The API key', parts.apiKey),
      'x-api-version': headerValue('The API version', parts.apiVersion),
      ...(idempotencyKey === undefined
        ? {}
        : { 'x-idempotency-key': headerValue('The idempotency key', idempotencyKey) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body,
  }
}

const CONTROL = /\p{Cc}/u

/** The path, which the user types with `pay api`. Refuses characters that URL parsers rewrite: they would request another path. */
function checkedPath(path: string): string {
  const isOdd = CONTROL.test(path) || /[\s\\#]/.test(path) || !path.startsWith('/') || path.startsWith('//')
  if (isOdd || path.split(/[/?]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    throw new UsageError(
      'The path must start with one / and contain no spaces, control characters, \\ or #, and no . or .. segments',
      {
        hint: 'Percent-encode these characters, for example %20 for a space',
      },
    )
  }
  return path
}

const fillPath = (path: string, params: RequestParts['params']): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    pathValue(name, Object.hasOwn(params, name) ? (params[name] ?? '') : ''),
  )

/**
 * A value as a segment of a path, encoded.
 * @throws {UsageError} if servers might read it as several segments
 */
export function pathValue(name: string, value: string): string {
  const what = name === 'id' ? 'The ID' : name
  if (value.trim() === '') throw new UsageError(`${what} is empty`)
  // Even encoded, servers and proxies may treat these as path segments.
  if (/[/\\]|\.\./.test(value) || value === '.') throw new UsageError(`${what} cannot contain /, \\ or ..`)
  if (CONTROL.test(value)) throw new UsageError(`${what} contains a control character`)
  return encoded(what, value)
}

function queryText(path: string, query: RequestParts['query']): string {
  const pairs: string[] = []
  for (const [name, value] of Object.entries(query)) {
    const values = typeof value === 'string' ? [value] : value
    if (values.length === 0) continue
    pairs.push(`${encodeURIComponent(name)}=${values.map((one) => encoded(name, one)).join(',')}`)
  }
  return pairs.length === 0 ? '' : `${path.includes('?') ? '&' : '?'}${pairs.join('&')}`
}

function encoded(name: string, value: string): string {
  if (!value.isWellFormed()) throw new UsageError(`${name} is not valid text: it contains half a character`)
  return encodeURIComponent(value)
}

/** Allows what every server reads alike (RFC 9110, 5.5): visible ASCII, with spaces only inside. */
function headerValue(what: string, value: string): string {
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(value)) return value
  throw new UsageError(`${what} ${headerFault(value)}`, {
    hint: 'Check that it was copied completely, with nothing added.',
  })
}

function headerFault(value: string): string {
  if (value === '') return 'is empty'
  if (CONTROL.test(value)) return 'contains a line break or another control character'
  return value.trim() === value ? 'may contain only ASCII characters' : 'starts or ends with a space'
}
