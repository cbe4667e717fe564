import { createHash } from 'node:crypto'
import type { Target } from '../ledger/port.ts'
import type { Call } from './call.ts'

/**
 * The resource that a write acts on: as the table says, or the path of `pay api`. undefined when the write creates something.
 * Secrets are hashed, which still tells two of them apart.
 */
export function targetOf({
  operation,
  params,
  body,
}: Pick<Call, 'operation' | 'params' | 'body'>): Target | undefined {
  if (operation.id === 'api') return { kind: 'path', name: pathName(operation.path) }
  for (const rule of operation.targets ?? []) {
    const values = rule.of.map((name) => params[name] ?? textIn(body?.value, name))
    if (values.some((value) => value === undefined)) continue
    const name = values.join('/')
    return { kind: rule.kind, name: rule.isSecret === true ? hashed(name) : name }
  }
  return undefined
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const hashed = (text: string): string => `sha256:${sha256(text)}`

/**
 * A path that is not in the table may contain anything. In most APIs, resource names and ids alternate, so every segment
 * except a short plain word in a resource's place is hashed.
 */
function pathName(path: string): string {
  const [bare = ''] = path.split('?')
  return bare
    .split('/')
    .map((segment, at) =>
      segment === '' || (at % 2 === 1 && /^[a-z][a-z-]{0,23}$/.test(segment)) ? segment : hashed(segment),
    )
    .join('/')
}

/** A field of the body as text. Numbers count too, since an unchecked body may contain one. */
function textIn(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null || !(name in body)) return undefined
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
