import { findUnknownEntries } from '../../api/unknown-fields.ts'
import type { Effect, Operation } from '../../api/operation.ts'
import { choosesMoney, isVersion21OrLater } from '../../api/versions.ts'
import { lazySchema, looseObject } from '../../api/schema.ts'
import type { Schema } from '../../api/schema.ts'
import type { RawInput } from './endpoint.ts'
import { isPlainRecord } from './prototype-key.ts'
import { formatPath } from './describe-problems.ts'
import { isLater } from './versions.ts'

/** A request without the fields that its version ignores. Clients always send them, so refusing the fields would refuse the client. */
export interface KnownInput {
  readonly raw: RawInput
  /** The names of what was dropped, each once: `$.order.lineItems[*].sku` in the body, `?expand` in the query. */
  readonly ignored: readonly string[]
}

/**
 * A request as 2.1 knows it. A later version's loses every field that 2.1 doesn't know, an earlier one's what 2.1 added.
 * Where a misspelt field would move other money, every version loses only harmless fields.
 */
export function withoutIgnored(operation: Operation, raw: RawInput, header: string | undefined): KnownInput {
  const { query = noFields, request = noFields, addedIn21 = [], effect } = operation
  const isExact = EXACT.includes(effect)
  const harmless = isExact ? HARMLESS.flatMap((name) => pathsTo([name], raw.body)) : []
  if (isLater(header)) {
    const inQuery = findUnknown(query, raw.query).filter(
      ([name]) => !isExact || HARMLESS.includes(String(name)),
    )
    return withoutPaths(raw, isExact ? harmless : findUnknown(request, raw.body), inQuery)
  }
  const added = isVersion21OrLater(raw.version) ? [] : addedIn21
  return withoutPaths(
    raw,
    [...added.flatMap((field) => pathsTo(field.split('.'), raw.body)), ...harmless],
    [],
  )
}

/** The effects that without a body mean everything: a field that was ignored could be a misspelt amount. */
const EXACT: readonly Effect[] = ['captured', 'refunded', 'adjusted', 'cancelled']

/** The fields of later versions that move no money. Clients send them with captures, refunds and cancellations, too. */
const HARMLESS: readonly string[] = ['metadata', 'expand']

function withoutPaths(raw: RawInput, body: readonly Path[], query: readonly Path[]): KnownInput {
  if (query.length === 0 && body.length === 0) return { raw, ignored: [] }
  const names = [...body.map(nameOf), ...query.map((path) => `?${path.join('.')}`)]
  const parameters = new Set(query.map(([name]) => name))
  return {
    raw: {
      ...raw,
      query: Object.fromEntries(Object.entries(raw.query).filter(([name]) => !parameters.has(name))),
      body: without(raw.body, new Set(body.map((path) => path.join(NUL)))),
    },
    ignored: [...new Set(names)],
  }
}

type Path = readonly (string | number)[]

const noFields: Schema = lazySchema(() => looseObject({}))

const findUnknown = (schema: Schema, value: unknown): readonly Path[] =>
  [...findUnknownEntries(schema(), value, undefined)].flatMap((entry) =>
    entry.kind === 'unknown-field' && !entry.isOpen && !choosesMoney(entry.path) ? [entry.path] : [],
  )

/** The paths at which a body has a field. */
function pathsTo([step, ...rest]: readonly string[], value: unknown, path: Path = []): readonly Path[] {
  if (step === undefined) return [path]
  if (step === '*')
    return Array.isArray(value) ? value.flatMap((entry, index) => pathsTo(rest, entry, [...path, index])) : []
  return isPlainRecord(value) && Object.hasOwn(value, step) ? pathsTo(rest, value[step], [...path, step]) : []
}

/** The name of a field, the same for all entries of a list. */
const nameOf = (path: Path): string => formatPath(path).replaceAll(/\[\d+\]/g, '[*]')

/** A separator: accepted bodies have no NUL in a key. */
const NUL = '\0'

function without(value: unknown, dropped: ReadonlySet<string>, path: Path = []): unknown {
  if (Array.isArray(value))
    return value.map((child: unknown, index) => without(child, dropped, [...path, index]))
  if (!isPlainRecord(value)) return value
  const kept = Object.entries(value).filter(([key]) => !dropped.has([...path, key].join(NUL)))
  return Object.fromEntries(kept.map(([key, child]) => [key, without(child, dropped, [...path, key])]))
}

/** The greatest length of the names, in the header and in the log. */
const MAX_LENGTH = 1_000

/** Returns as many names as fit, in ASCII, and the number of those left out. */
export function shownNames(names: readonly string[]): readonly string[] {
  if (names.length === 0) return names
  const shown: string[] = []
  let length = 0
  for (const name of names.map(inAscii)) {
    length += name.length + SEPARATOR.length
    if (length > MAX_LENGTH) return [...shown, `+${names.length - shown.length} more`]
    shown.push(name)
  }
  return shown
}

const SEPARATOR = ', '

export const headerOf = (shown: readonly string[]): string => shown.join(SEPARATOR)

/** Writes a text in ASCII, the only characters that headers allow; a line break would end the header. */
const inAscii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
