interface Routed {
  readonly method: string
  /** `{name}` marks a path parameter. */
  readonly path: string
}

interface RouterMatch<Row> {
  readonly row: Row
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>
}

/** Finds the row for a method and path, and all methods of the path. Ignores a trailing slash; undecodable segments never match. */
export function routerOf<Row extends Routed>(rows: readonly Row[]) {
  const routes = rows.map((row) => ({ row, parts: row.path.split('/') }))
  return (
    method: string,
    path: string,
  ): { readonly match: RouterMatch<Row> | undefined; readonly allowed: readonly string[] } => {
    const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
    const allowed = new Set<string>()
    let match: RouterMatch<Row> | undefined
    for (const { row, parts } of routes) {
      if (parts.length !== segments.length) continue
      const params = matchPath(parts, segments)
      if (params === undefined) continue
      allowed.add(row.method)
      if (row.method === method) match ??= { row, params }
    }
    return { match, allowed: [...allowed] }
  }
}

function matchPath(
  parts: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  // Compare the fixed segments first: only paths that can match are decoded.
  if (parts.some((part, index) => !part.startsWith('{') && part !== segments[index])) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    if (!part.startsWith('{')) continue
    const decoded = decode(segments[index] ?? '')
    if (decoded === undefined || decoded === '') return undefined
    params[part.slice(1, -1)] = decoded
  }
  return params
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
