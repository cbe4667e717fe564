import { codeOf } from './failure.ts'
import { CONNECT_TIMEOUT_MS } from './limits.ts'
import { readProxy } from './proxy.ts'
import { TransportFailure } from './transport-port.ts'

/** The proxy that the environment names. What fails there has sent nothing to the service. */
interface NamedProxy {
  /** Without the credentials: an error may show it. */
  readonly uri: string
  /** For the header `proxy-authorization`. */
  readonly token?: string
}

/**
 * `proxy`: as it is written, a URL, or host and port alone.
 * @throws {TransportFailure} where it can't be used
 */
export function readNamedProxy(proxy: string): NamedProxy {
  const url = readProxy(proxy)
  if (url === undefined) throw proxyFailure('is not a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw proxyFailure(`has the scheme ${url.protocol.slice(0, -1)}: only http and https are possible`)
  const { username, password, origin } = url
  if (username === '' && password === '') return { uri: origin }
  const pair = `${unescape(username)}:${unescape(password)}`
  return { uri: origin, token: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** A password with a bare % in it is taken as it is. */
function unescape(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The proxy answered CONNECT with this status. */
export function refusedByProxy(status: number, { token }: NamedProxy): TransportFailure {
  if (status !== 407) return proxyFailure(`refused the connection (${status})`)
  return token === undefined
    ? proxyFailure('asks for a user name and password (407)')
    : proxyFailure('refused the user name and password in its URL (407)')
}

const TIMEOUTS = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT']

/** The other side's words and the proxy's address stay out: both may hold what should not be shown. */
export function failedAtProxy(cause: unknown): TransportFailure {
  const code = codeOf(cause)
  return TIMEOUTS.includes(code)
    ? proxyFailure(`does not answer in ${CONNECT_TIMEOUT_MS / 1000} s`, cause)
    : proxyFailure(`could not be used (${code})`, cause)
}

const proxyFailure = (words: string, cause?: unknown): TransportFailure =>
  new TransportFailure('proxy', false, `the proxy that the environment names ${words}`, { cause })
