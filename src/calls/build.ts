import { UsageError } from '../errors.ts'
import type { HttpRequest } from '../http/transport-port.ts'

export interface RequestParts {
  /** With or without a path of its own and a slash at the end. */
  readonly baseUrl: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** The exact text to send. */
  readonly body: string | undefined
  readonly apiKey: string
  readonly apiVersion: string
  readonly idempotencyKey?: string | undefined
  readonly userAgent: string
}

/**
 * One row of the table and its values as a request. Nothing else builds one: what is shown by a dry run is what is sent.
 * @throws {UsageError} when a value cannot go where it belongs; the value itself is not repeated in the words
 */
export function buildRequest(
  operation: { readonly method: string; readonly path: string },
  parts: RequestParts,
): HttpRequest {
  const { baseUrl, params, query, body, idempotencyKey } = parts
  const path = fillPath(checkedPath(operation.path), params)
  return {
    method: operation.method,
    url: `${baseUrl.replace(/\/+$/, '')}${path}${queryText(path, query)}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': headerValue('The user agent', parts.userAgent),
      // An empty key is shown by dry runs without one; the service refuses it.
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

/** A path may be typed by a person (`pay api`). URL parsers rewrite these signs, so that another path would be asked for. */
function checkedPath(path: string): string {
  const isOdd = CONTROL.test(path) || /[\s\\#]/.test(path) || !path.startsWith('/') || path.startsWith('//')
  if (isOdd || path.split(/[/?]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    throw new UsageError(
      'The path has to start with one /, without spaces, control characters, \\, #, . or .. segments',
      {
        hint: 'Write such signs percent-encoded in a value, for example %20 for a space',
      },
    )
  }
  return path
}

const fillPath = (path: string, params: RequestParts['params']): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    pathValue(name, Object.hasOwn(params, name) ? (params[name] ?? '') : ''),
  )

function pathValue(name: string, value: string): string {
  if (value === '') throw new UsageError(`${name} is empty`)
  // Encoded or not, servers and proxies on the way may take these for steps between folders.
  if (/[/\\]|\.\./.test(value) || value === '.') throw new UsageError(`${name} cannot hold /, \\ or ..`)
  if (CONTROL.test(value)) throw new UsageError(`${name} holds a control character`)
  return encoded(name, value)
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
  if (!value.isWellFormed()) throw new UsageError(`${name} is not valid text: it holds half of a character`)
  return encodeURIComponent(value)
}

/** What every server reads alike (RFC 9110, 5.5): visible ASCII, with spaces only inside. */
function headerValue(what: string, value: string): string {
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(value)) return value
  throw new UsageError(`${what} ${headerFault(value)}`, {
    hint: 'Was it copied whole, and nothing else with it?',
  })
}

function headerFault(value: string): string {
  if (value === '') return 'is empty'
  if (CONTROL.test(value)) return 'holds a line break or another control character'
  return value.trim() === value ? 'may only hold ASCII characters' : 'has a space at its start or end'
}
