import { inspect } from '../api/inspect.ts'
import { lazy } from '../api/lazy.ts'
import type { Operation } from '../api/operation.ts'
import { fields } from '../api/schema.ts'
import type { Schema } from '../api/schema.ts'
import type { RawInput } from './endpoint.ts'
import { wordPath } from './validation-words.ts'
import { isRecord } from '../is-record.ts'

/**
 * A request of a later version without what 2.1 does not know. Clients of later versions send such fields with every
 * request; to refuse them would be to refuse the client.
 */
export interface Known {
  readonly raw: RawInput
  /** What was left out: `$.order.lineItems[*].sku` of the body, `?expand` of the query. Each once. */
  readonly ignored: readonly string[]
}

export function withoutUnknown(operation: Operation, raw: RawInput): Known {
  const query = findUnknown(operation.query ?? nothing, raw.query)
  const body = findUnknown(operation.request ?? nothing, raw.body)
  if (query.length === 0 && body.length === 0) return { raw, ignored: [] }
  const names = [...body.map(nameOf), ...query.map((path) => `?${path.join('.')}`)]
  const parameters = new Set(query.map(([name]) => name))
  return {
    raw: {
      ...raw,
      query: Object.fromEntries(Object.entries(raw.query).filter(([name]) => !parameters.has(name))),
      body: without(raw.body, branchesOf(body)),
    },
    ignored: [...new Set(names)],
  }
}

type Path = readonly (string | number)[]

const nothing: Schema = lazy(() => fields({}))

const findUnknown = (schema: Schema, value: unknown): readonly Path[] =>
  inspect(schema(), value, undefined).flatMap((finding) =>
    finding.kind === 'unknown-field' && !finding.isOpen ? [finding.path] : [],
  )

/** A field of many lines is one name. */
const nameOf = (path: Path): string => wordPath(path).replaceAll(/\[\d+\]/g, '[*]')

/** What to leave out, by key; below a key that only leads there, the same again. */
type Branches = Map<string | number, Branches | 'drop'>

function branchesOf(paths: readonly Path[]): Branches {
  const root: Branches = new Map()
  for (const path of paths) {
    let at = root
    for (const key of path.slice(0, -1)) {
      const known = at.get(key)
      const next: Branches = known === undefined || known === 'drop' ? new Map() : known
      at.set(key, next)
      at = next
    }
    const last = path.at(-1)
    if (last !== undefined) at.set(last, 'drop')
  }
  return root
}

function without(value: unknown, branches: Branches): unknown {
  const keep = (key: string | number, child: unknown): unknown => {
    const branch = branches.get(key)
    return branch === undefined || branch === 'drop' ? child : without(child, branch)
  }
  if (Array.isArray(value)) return value.map((child: unknown, index) => keep(index, child))
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([key]) => branches.get(key) !== 'drop')
  return Object.fromEntries(kept.map(([key, child]) => [key, keep(key, child)]))
}

/** Of the header, and of the same in the log. */
const LONGEST = 1_000

/** As many names as fit, in ASCII, and how many more there are. */
export function shownNames(names: readonly string[]): readonly string[] {
  if (names.length === 0) return names
  const shown: string[] = []
  let length = 0
  for (const name of names.map(inAscii)) {
    length += name.length + SEPARATOR.length
    if (length > LONGEST) return [...shown, `+${names.length - shown.length} more`]
    shown.push(name)
  }
  return shown
}

const SEPARATOR = ', '

export const headerOf = (shown: readonly string[]): string => shown.join(SEPARATOR)

/** Headers hold no other characters, and no line may be broken. */
const inAscii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
