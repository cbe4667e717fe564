import { findUnknownEntries } from '../../api/unknown-fields.ts'
import type { UnknownEntry } from '../../api/unknown-fields.ts'
import type { ValidationProblem } from '../../errors.ts'
import { findBrokenRules, appliesToVersion } from '../../api/models/cross-field-rules.ts'
import { lazySchema, looseObject, z } from '../../api/schema.ts'
import type { Schema } from '../../api/schema.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { invalid, MAX_PROBLEMS, Problem } from '../problem.ts'
import { exposePrototypeKey } from './prototype-key.ts'
import type { ApiVersion } from './versions.ts'
import { describeUnknownEntry, describeIssue, formatPath } from './describe-problems.ts'
import { isRecord } from '../../json/is-record.ts'
import { isStorable, UNSTORABLE } from '../../text/storable.ts'

const noFields = lazySchema(() => looseObject({}))

export const acceptQuery = <T>(schema: Schema<T>, query: unknown): T =>
  accept(schema, { value: query, asGiven: query, version: '2.1' })
export const refuseQuery = (query: unknown): void => refuseFields(query)
export const refuseBody = (body: unknown): void => refuseFields(body ?? {})

function refuseFields(value: unknown): void {
  // Skip the schema for nearly every request.
  if (isRecord(value) && Object.keys(value).length === 0) return
  accept(noFields, { value, asGiven: value, version: '2.1' })
}

export function acceptBody<T>(
  operation: { readonly request: Schema<T>; readonly bodyOptional?: true; readonly nullClears?: true },
  given: unknown,
  version: ApiVersion = '2.1',
): { readonly body: T; readonly cleared: ReadonlySet<string> } {
  const present = given ?? {}
  const { body, cleared } =
    operation.nullClears === true ? clearNulls(present) : { body: present, cleared: new Set<string>() }
  const accepted = accept(operation.request, { value: body, asGiven: present, version })
  // Checked last: a missing field says more than a missing body.
  if (given === undefined && operation.bodyOptional !== true)
    throw invalid([{ path: '$', description: 'is required' }])
  // The update of a session takes any values of metadata (spec 2, conventions; spec 8).
  if (operation.nullClears === true) refuseCleared(operation.request, present)
  const metadata = isRecord(present) ? present['metadata'] : undefined
  if (isRecord(metadata) && Object.hasOwn(metadata, ''))
    throw new Problem('MetadataContainsEmptyKey', 'Metadata has an empty key.')
  return { body: accepted, cleared }
}

/** Refuses to clear immutable fields. The schema doesn't see their nulls, because the checked body has none. */
function refuseCleared(schema: Schema, asGiven: unknown): void {
  const broken = findBrokenRules(schema(), asGiven)
  if (broken.length > 0)
    throw invalid(broken.map(({ path, message }) => ({ path: formatPath(path), description: message })))
}

interface GivenInput {
  readonly value: unknown
  /** The body, including the nulls that clear a field. */
  readonly asGiven: unknown
  readonly version: ApiVersion
}

function accept<T>(schema: Schema<T>, { value, asGiven, version }: GivenInput): T {
  let issues: readonly z.core.$ZodIssue[] = []
  const fits = matchesSchema(
    schema,
    value,
    (found) => {
      issues = found
    },
    version,
  )
  const problems = new Problems()
  for (const issue of issues) problems.add(() => describeIssue(issue, value))
  for (const entry of findUnknownEntries(schema(), asGiven, CURRENCY_CODES))
    if (isRefused(entry)) problems.add(() => describeUnknownEntry(entry))
  findUnstorable(asGiven, problems)
  if (fits && problems.total === 0) return value
  throw invalid(problems.first, problems.total)
}

/** Describes as many problems as one response reports and only counts the rest: a body can have a thousand times as many. */
class Problems {
  readonly first: ValidationProblem[] = []
  total = 0

  add(describe: () => ValidationProblem): void {
    this.total += 1
    if (this.first.length < MAX_PROBLEMS) this.first.push(describe())
  }
}

const isRefused = (entry: UnknownEntry) => entry.kind !== 'unknown-field' || !entry.isOpen

/** Whether the value itself fits. The parser's copy isn't used, because it lacks a key `__proto__`, which metadata may have. */
export function matchesSchema<T>(
  schema: Schema<T>,
  value: unknown,
  onIssues?: (issues: readonly z.core.$ZodIssue[]) => void,
  version: ApiVersion = '2.1',
): value is T {
  const parsed = z.safeParse(schema(), exposePrototypeKey(value))
  if (parsed.success) return true
  const issues = parsed.error.issues.filter(
    (issue) => issue.code !== 'custom' || appliesToVersion(version, issue),
  )
  if (issues.length > 0) onIssues?.(issues)
  return issues.length === 0
}

function findUnstorable(body: unknown, problems: Problems): void {
  const path: (string | number)[] = []
  walk(body)

  function walk(at: unknown): void {
    if (typeof at === 'string') check(at)
    else if (Array.isArray(at)) for (const [index, entry] of at.entries()) step(index, entry)
    else if (isRecord(at))
      for (const key of Object.keys(at)) {
        check(key)
        step(isStorable(key) ? key : '?', at[key])
      }
  }

  function step(key: string | number, child: unknown): void {
    path.push(key)
    walk(child)
    path.pop()
  }

  function check(text: string): void {
    if (!isStorable(text)) problems.add(() => ({ path: formatPath(path), description: UNSTORABLE }))
  }
}

/** Applies nulls that clear fields (spec 4.2.4): returns the body without them, and the names of the top-level ones. */
function clearNulls(body: unknown): { readonly body: unknown; readonly cleared: ReadonlySet<string> } {
  if (!isRecord(body)) return { body, cleared: new Set() }
  const cleared = Object.keys(body).filter((key) => body[key] === null)
  const kept = Object.entries(body).filter(([, child]) => child !== null)
  // Metadata values can be any JSON, so a null inside one is data.
  const without = kept.map(([key, child]) => [
    key,
    key === 'metadata' ? withoutNullEntries(child) : withoutNulls(child),
  ])
  return { body: Object.fromEntries(without), cleared: new Set(cleared) }
}

const withoutNullEntries = (map: unknown): unknown =>
  isRecord(map) ? Object.fromEntries(Object.entries(map).filter(([, child]) => child !== null)) : map

function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([, child]) => child !== null)
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutNulls(child)]))
}
