import { invalid, Problem } from '../problem.ts'

export interface Address {
  /** As sent: percent-encoded, with its dots. */
  readonly pathname: string
  readonly query: string
}

/**
 * Reads a path with a query, or an absolute URL (RFC 9112 section 3.2). Resolves nothing: `..` may be an id.
 * @throws {Problem} if it is neither
 */
export function readUrl(url: string): Address {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  const [, pathname = '', query = ''] = /^(\/[^?#]*)(?:\?([^#]*))?/.exec(path) ?? []
  if (pathname === '') throw new Problem('NotFound', 'This address does not belong to the service.')
  return { pathname, query }
}

/** Lists can be comma-separated or repeated parameters. */
export function readQuery({ query }: Address): Readonly<Record<string, string>> {
  if (query === '') return {}
  refuseBadEncoding(query)
  const values = new URLSearchParams(query)
  return Object.fromEntries([...values.keys()].map((name) => [name, values.getAll(name).join(',')]))
}

/** `URLSearchParams` silently accepts invalid encoding. */
function refuseBadEncoding(query: string): void {
  try {
    decodeURIComponent(query)
  } catch {
    throw invalid([{ path: '$', description: `is not percent-encoded UTF-8: ${query.slice(0, 50)}` }])
  }
}
