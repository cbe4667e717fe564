import { UsageError } from '../../errors.ts'
import { isRecord } from '../../json/is-record.ts'

type FieldPath = readonly (string | number)[]

/** The most parts of a path: more than any request body needs. */
const MAX_PARTS = 50
/** Names through which a path could reach a prototype. */
const FORBIDDEN = ['__proto__', 'prototype', 'constructor']

/** Parses `order.lineItems[0].amount`, `order.lineItems.0.amount`, or `metadata.a\.b` with a dot in a name. */
export function parseFieldPath(text: string, what: string): FieldPath {
  const badPathError = (why: string) =>
    new UsageError(`${what}: the path "${text}" ${why}`, {
      code: 'bad_path',
      hint: 'Write it like customer.emailAddress or order.lineItems[0].amount',
    })
  if (text === '') throw badPathError('is empty')
  const path: (string | number)[] = []
  for (const piece of text.split(/(?<!\\)\./)) {
    const match = /^((?:[^[\]\\]|\\.)*)((?:\[\d{1,6}\])*)$/.exec(piece)
    if (match === null) throw badPathError('has a bracket that is not an index such as [0]')
    const name = (match[1] ?? '').replaceAll(/\\(.)/g, '$1')
    const indices = [...(match[2] ?? '').matchAll(/\d+/g)].map(Number)
    if (name === '' && indices.length === 0) throw badPathError('has an empty part')
    if (FORBIDDEN.includes(name)) throw badPathError(`contains "${name}", which is not a field`)
    if (name !== '') path.push(isIndex(name, path) ? Number(name) : name)
    path.push(...indices)
  }
  if (path.length > MAX_PARTS)
    throw new UsageError(`${what}: a path has at most ${MAX_PARTS} parts`, { code: 'bad_path' })
  if (typeof path[0] === 'number') throw badPathError('starts with an index')
  return path
}

/** Whether digits are an index, as in `lineItems.0`. Only in metadata may they be a name. */
const isIndex = (name: string, before: FieldPath): boolean =>
  /^(?:0|[1-9]\d{0,5})$/.test(name) && before.length > 0 && before[0] !== 'metadata'

/** Formats a path as people write it: `order.lineItems[0].amount`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((shown, part) => {
    if (typeof part === 'number') return `${shown}[${part}]`
    return shown === '' ? String(part) : `${shown}.${String(part)}`
  }, '')
}

/**
 * A copy of the body with one field set. Creates the objects and lists on the path. `own`: those that earlier calls have copied; they
 * are changed in place, because thousands of copies of thousands of fields take seconds.
 */
export function setField(
  body: unknown,
  path: FieldPath,
  value: unknown,
  what: string,
  own = new Set<unknown>(),
): unknown {
  const [head, ...rest] = path
  if (head === undefined) return value
  const list: unknown[] | undefined = Array.isArray(body)
    ? body
    : typeof head === 'number' && !isRecord(body)
      ? []
      : undefined
  // In an existing object, digits are a field name.
  const index = list !== undefined && /^\d{1,6}$/.test(String(head)) ? Number(head) : undefined
  if (list !== undefined && index !== undefined) {
    if (index > list.length) {
      throw new UsageError(`${what}: there is no entry [${index}] yet`, {
        code: 'bad_path',
        hint: `The next one is [${list.length}].`,
      })
    }
    const entries = own.has(list) ? list : [...list]
    own.add(entries)
    entries[index] = setField(entries[index], rest, value, what, own)
    return entries
  }
  const fields: Record<string, unknown> = isRecord(body) ? (own.has(body) ? body : { ...body }) : {}
  own.add(fields)
  const key = String(head)
  fields[key] = setField(Object.hasOwn(fields, key) ? fields[key] : undefined, rest, value, what, own)
  return fields
}
