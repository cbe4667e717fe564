import { createHash } from 'node:crypto'
import type { Target } from '../ledger/port.ts'
import type { Call } from './call.ts'

/**
 * What a write acts on: what the table says, else the path that was typed. undefined for what makes something new.
 * Secrets are hashed: a hash tells two of them apart as well.
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
 * A path that no table knows may hold anything. Resources and ids take turns in most: what is no short and plain word
 * in the place of a resource stays out.
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

/** As the body has it; a number too is a name, as in what was sent unchecked. */
function textIn(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null || !(name in body)) return undefined
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
