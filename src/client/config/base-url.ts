import { UsageError } from '../../errors.ts'
import { isLoopback } from '../../text/loopback.ts'

export type Mode = 'test' | 'live'

/** A URL, or what is wrong with it: `problem` completes a sentence that begins with its source. */
type ParsedBaseUrl = { readonly url: string } | { readonly problem: string }

/**
 * Accepts https, or http on loopback. Returns the normal form for comparing and joining, because keys and targets contain it: a host
 * in lower case without a final dot, no doubled or trailing slash, and nothing escaped that needs no escape.
 */
export function parseBaseUrl(text: string): ParsedBaseUrl {
  const url = parseUrl(text)
  if (url === undefined || url.hostname === '') {
    return { problem: 'is not a URL; write it as https://HOST' }
  }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'must not contain a user name or password' }
  }
  if (url.search !== '' || url.hash !== '') return { problem: 'must not have a query or a fragment' }
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!isAllowed) return { problem: 'must be https, or http on this machine (localhost, 127.0.0.1, [::1])' }
  const origin = url.origin.replace(/\.(?=:\d+$|$)/, '')
  return { url: `${origin}${normalPath(url.pathname)}` }
}

const normalPath = (pathname: string): string =>
  pathname
    .replaceAll(/%[\da-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
    })
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/$/, '')

/**
 * The normal form of a base URL. The error never repeats the text, which may contain credentials.
 * @throws {UsageError} `bad_base_url`
 */
export function checkBaseUrl(text: string, where: string): string {
  const parsed = parseBaseUrl(text)
  if ('url' in parsed) return parsed.url
  throw new UsageError(`${where} ${parsed.problem}`, { code: 'bad_base_url' })
}

/** Live unless the host is this machine or has a label `sandbox`: a wrong guess costs one extra confirmation. */
export function guessMode(baseUrl: string): Mode {
  const host = parseUrl(baseUrl)?.hostname ?? ''
  return isLoopback(host) || host.split('.').includes('sandbox') ? 'test' : 'live'
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
