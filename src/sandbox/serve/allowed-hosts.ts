import type { IncomingMessage } from 'node:http'
import { Problem, truncate } from '../problem.ts'
import { isLoopback } from '../../text/loopback.ts'
import { flagWord } from '../../files/shell.ts'

const MAX_LENGTH = 100

/**
 * The hosts that may send requests. A web page can make a browser send them to this machine, through a name that resolves here
 * (DNS rebinding) or as a cross-origin request. Browsers then report the page's own name in `Host` and `Origin`, and in
 * `Sec-Fetch-Site` that it isn't ours.
 */
export interface AllowedHosts {
  /** Throws a problem if the request has another host name or comes from a page of another origin. */
  check(request: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'method' | 'url'>): void
}

/** Allows the hosts of a server. `host` is the address that it listens on; `allowed` lists more names, without ports. */
export function allowHosts(host: string, allowed: readonly string[]): AllowedHosts {
  const names = new Set([host, ...allowed].map((name) => name.toLowerCase()))
  const isAllowed = (authority: string) => {
    const name = hostIn(authority)
    return name !== undefined && (isLoopbackName(name) || names.has(name))
  }
  // Nearly every request has the same Host as the one before.
  let lastAllowed: string | undefined
  return {
    check: (request) => {
      const { headers } = request
      if (headers.host === undefined) throw new Problem('BadRequest', 'The Host header is missing.')
      if (countHosts(request.rawHeaders) > 1)
        throw new Problem('BadRequest', 'There is more than one Host header.')
      if (headers.host !== lastAllowed) {
        if (!isAllowed(headers.host)) throw wrongHost(headers.host)
        lastAllowed = headers.host
      }
      refuseCrossSite(request)
      if (headers.origin === undefined) return
      const authority = /^https?:\/\/([^/]+)$/i.exec(headers.origin)?.[1]
      if (authority === undefined || !isAllowed(authority)) throw wrongOrigin(headers.origin)
    },
  }
}

/** Counts Host headers. `headers` has only the first; a proxy may go by another. `rawHeaders` alternates names and values. */
const countHosts = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host')
    .length

const AUTHORITY = /^(?:\[([\da-f:.]+)\]|([a-z\d_.-]+?)\.?)(?::\d*)?$/

/** The name or address in `name:port`, without brackets. */
function hostIn(authority: string): string | undefined {
  const [, address, name] = AUTHORITY.exec(authority.toLowerCase()) ?? []
  return address ?? name
}

/** Whether a Host header names this machine. Browsers trust its pages even without TLS. */
export function isLoopbackHost(authority: string): boolean {
  const name = hostIn(authority)
  return name !== undefined && isLoopbackName(name)
}

/** Further names that always resolve to this machine (RFC 6761), and its address in full. */
const LOOPBACK = /^(?:[a-z\d_.-]+\.localhost|(?:0{1,4}:){7}0{0,3}1)$/

const isLoopbackName = (name: string): boolean => isLoopback(name) || LOOPBACK.test(name)

function wrongHost(host: string): Problem {
  const name = hostIn(host)
  const reason =
    name === undefined
      ? 'The Host header has no valid host name'
      : `The host name ${truncate(name, MAX_LENGTH)} is not allowed`
  return new Problem('Forbidden', `${reason}. The request may come from a web page.`, {
    recoverySuggestion: `Use localhost or 127.0.0.1, or start the server with \`pay sandbox start ${flagWord('allow-host', name === undefined ? 'NAME' : truncate(name, MAX_LENGTH))}\`.`,
  })
}

const wrongOrigin = (origin: string): Problem =>
  new Problem('Forbidden', `Pages from ${truncate(origin, MAX_LENGTH)} may not use this sandbox.`, {
    recoverySuggestion:
      'Call it from your server, from a page on localhost, or from a host that `pay sandbox start --allow-host NAME` names.',
  })

/** The paths that a page of another site may make a browser request, always with GET and without a key. */
const ALLOWED: readonly { readonly path: RegExp; readonly mode: string; readonly into: readonly string[] }[] =
  [
    { path: /^\/checkout\.js$/, mode: 'no-cors', into: ['script'] },
    // Its Content-Security-Policy says which sites may frame it.
    { path: /^\/checkout$/, mode: 'navigate', into: ['iframe', 'document'] },
    // A link in a chat or a document: it opens one of our pages in its own tab.
    { path: /^\/dashboard(?:\/|$)/, mode: 'navigate', into: ['document'] },
  ]

/** Refuses requests from pages of other sites, by headers that only browsers send. */
function refuseCrossSite({
  headers,
  method,
  url = '',
}: Pick<IncomingMessage, 'headers' | 'method' | 'url'>): void {
  if (headers['sec-fetch-site']?.includes('cross-site') !== true) return
  const path = url.replace(/[?#].*$/s, '')
  const { 'sec-fetch-mode': mode = '', 'sec-fetch-dest': into = '' } = headers
  const isAllowed = ALLOWED.some(
    (row) => method === 'GET' && row.path.test(path) && row.mode === mode && row.into.includes(into),
  )
  if (!isAllowed)
    throw new Problem('Forbidden', 'Pages of other sites may not use this sandbox.', {
      recoverySuggestion: 'Open the page in its own tab, or call the sandbox from your server.',
    })
}
