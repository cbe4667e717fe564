import { codeOf } from './failure.ts'
import { CONNECT_TIMEOUT_MS } from './limits.ts'
import { readProxy } from './proxy.ts'
import { TransportFailure } from './transport-port.ts'

/** The proxy that the environment names. A proxy that fails has sent nothing on to the service. */
export interface NamedProxy {
  /** Without credentials, because an error may show it. */
  readonly uri: string
  /** The value of the `proxy-authorization` header. */
  readonly token?: string
}

/**
 * Reads a proxy as written in the environment: a URL, or only host and port.
 * @throws {TransportFailure} when it can't be used
 */
export function readNamedProxy(proxy: string): NamedProxy {
  const url = readProxy(proxy)
  if (url === undefined) throw proxyFailure('is not a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw proxyFailure(`has the scheme ${url.protocol.slice(0, -1)}: only http and https are supported`)
  const { username, password, origin } = url
  if (username === '' && password === '') return { uri: origin }
  const pair = `${unescape(username)}:${unescape(password)}`
  return { uri: origin, token: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** Decodes a password, unless it has a `%` that encodes nothing. */
function unescape(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The status of the proxy's response to CONNECT. */
export function refusedByProxy(status: number, { token }: NamedProxy): TransportFailure {
  if (status !== 407) return proxyFailure(`refused the connection (${status})`)
  return token === undefined
    ? proxyFailure('asks for a user name and password (407)')
    : proxyFailure('refused the user name and password in its URL (407)')
}

const TIMEOUTS = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT']

/** Leaves out the other side's text and the proxy's address: both may contain secrets. */
export function failedAtProxy(cause: unknown): TransportFailure {
  const code = codeOf(cause)
  return TIMEOUTS.includes(code)
    ? proxyFailure(`does not respond within ${CONNECT_TIMEOUT_MS / 1000} s`, cause)
    : proxyFailure(`could not be used (${code})`, cause)
}

const proxyFailure = (words: string, cause?: unknown): TransportFailure =>
  new TransportFailure('proxy', false, `the proxy that the environment names ${words}`, { cause })
