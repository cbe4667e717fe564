import { createHash } from 'node:crypto'
import type { Target } from '../ledger/port.ts'
import type { Call } from './call.ts'

/**
 * The resource that a write acts on, from the operation's target rules, or from the path for `pay api`. undefined if no rule
 * applies. Secrets are hashed, so equal secrets still give equal targets.
 */
export function targetOf({
  operation,
  params,
  body,
}: Pick<Call, 'operation' | 'params' | 'body'>): Target | undefined {
  if (operation.id === 'api') return { kind: 'path', name: pathName(operation.path) }
  for (const rule of operation.targets) {
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
 * A path that is not in the table may contain secrets. In most APIs, resource names and IDs alternate (`/payments/ID/refund`),
 * so only short plain words where a resource name belongs are kept; every other segment is hashed.
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
