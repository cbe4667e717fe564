import { Problem } from '../problem.ts'
import { truncate } from '../truncate.ts'

const LONGEST = 100

/**
 * Who may send a request. A web page can make a browser send one to this machine, under a name of its own that leads here
 * (DNS rebinding) or as a request to another origin; the browser then tells the truth in `Host` and `Origin`.
 */
export interface AllowedHosts {
  /** Throws a problem where a request comes by another name, or from the page of another origin. */
  check(headers: { readonly host?: string | undefined; readonly origin?: string | undefined }): void
}

/** `host` is the address that the server listens on, `allowed` further names, without a port. */
export function allowHosts(host: string, allowed: readonly string[]): AllowedHosts {
  const names = new Set([host, ...allowed].map((name) => name.toLowerCase()))
  const isAllowed = (authority: string) => {
    const name = nameIn(authority)
    return name !== undefined && (isLoopbackName(name) || names.has(name))
  }
  // Nearly every request has the one of the request before it.
  let lastGood: string | undefined
  return {
    check: (headers) => {
      if (headers.host === undefined) throw new Problem('BadRequest', 'There is no Host header.')
      if (headers.host !== lastGood) {
        if (!isAllowed(headers.host)) throw wrongHost(headers.host)
        lastGood = headers.host
      }
      if (headers.origin === undefined) return
      const authority = /^https?:\/\/([^/]+)$/i.exec(headers.origin)?.[1]
      if (authority === undefined || !isAllowed(authority)) throw wrongOrigin(headers.origin)
    },
  }
}

const AUTHORITY = /^(?:\[([\da-f:.]+)\]|([a-z\d_.-]+?)\.?)(?::\d*)?$/

/** The name or address in `name:port`, without its brackets. */
function nameIn(authority: string): string | undefined {
  const [, address, name] = AUTHORITY.exec(authority.toLowerCase()) ?? []
  return address ?? name
}

const LOOPBACK = /^(?:(?:[a-z\d_.-]+\.)?localhost|127(?:\.\d{1,3}){3}|(?:0{1,4}:){7}0{0,3}1|::1)$/

/** Names that lead to this machine whatever a DNS server says (RFC 6761). */
const isLoopbackName = (name: string): boolean => LOOPBACK.test(name)

function wrongHost(host: string): Problem {
  const name = nameIn(host)
  const words =
    name === undefined
      ? 'The Host header names no host'
      : `The host name ${truncate(name, LONGEST)} is not one`
  return new Problem('Forbidden', `${words} that this sandbox answers to: it may be a web page that asks.`, {
    recoverySuggestion: `Use localhost or 127.0.0.1, or start the server with \`pay sandbox start --allow-host ${name === undefined ? 'NAME' : truncate(name, LONGEST)}\`.`,
  })
}

const wrongOrigin = (origin: string): Problem =>
  new Problem('Forbidden', `Pages of ${truncate(origin, LONGEST)} may not use this sandbox.`, {
    recoverySuggestion:
      'Call it from your server, from a page on localhost, or from a host that `pay sandbox start --allow-host NAME` names.',
  })
