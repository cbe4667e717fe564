/**
 * Addresses that lead once to a checkout. They bring a client token into a browser without showing it on a command line,
 * which other users of the machine can read.
 */
export interface OneTimeLinks {
  /** Returns a path that works once, for a minute. */
  create(clientToken: string): string
  /** The path and fragment of the checkout; undefined if the link is unknown, used or too old. */
  follow(path: string): string | undefined
}

const LIFETIME_MS = 60_000
const MAX_LINKS = 100

export function oneTimeLinks(now: () => Date, newId: () => string): OneTimeLinks {
  const links = new Map<string, { readonly clientToken: string; readonly expiresAtMs: number }>()
  return {
    create: (clientToken) => {
      const [oldest] = links.keys()
      if (links.size >= MAX_LINKS && oldest !== undefined) links.delete(oldest)
      const path = `/open/${newId()}`
      links.set(path, { clientToken, expiresAtMs: now().getTime() + LIFETIME_MS })
      return path
    },
    follow: (path) => {
      const link = links.get(path)
      links.delete(path)
      if (link === undefined || link.expiresAtMs <= now().getTime()) return undefined
      return `/checkout#${encodeURIComponent(link.clientToken)}`
    },
  }
}
