import { findUnknownEntriesUpTo } from '../../api/unknown-fields.ts'
import type { UnknownEntry } from '../../api/unknown-fields.ts'
import type { ValidationProblem } from '../../errors.ts'
import { findBrokenRules, appliesToVersion } from '../../api/models/cross-field-rules.ts'
import { lazySchema, looseObject, z } from '../../api/schema.ts'
import type { Schema } from '../../api/schema.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { clearNulls } from './nulls.ts'
import { invalid, MAX_PROBLEMS, Problem } from '../problem.ts'
import { withPrototypeShown } from './prototype-key.ts'
import type { ApiVersion } from './versions.ts'
import { wordFinding, wordIssue, wordPath } from './validation-words.ts'
import { isRecord } from '../../is-record.ts'

const nothing = lazySchema(() => looseObject({}))

export const acceptQuery = <T>(schema: Schema<T>, query: unknown): T =>
  accept(schema, { value: query, asGiven: query, version: '2.1' })
export const refuseQuery = (query: unknown): void => refuseFields(query)
export const refuseBody = (body: unknown): void => refuseFields(body ?? {})

function refuseFields(value: unknown): void {
  // Nearly every request: there is nothing to look at.
  if (isRecord(value) && Object.keys(value).length === 0) return
  accept(nothing, { value, asGiven: value, version: '2.1' })
}

export function acceptBody<T>(
  operation: { readonly request: Schema<T>; readonly method?: string; readonly nullClears?: true },
  given: unknown,
  version: ApiVersion = '2.1',
): { readonly body: T; readonly cleared: ReadonlySet<string> } {
  const present = given ?? {}
  const { body, cleared } =
    operation.nullClears === true ? clearNulls(present) : { body: present, cleared: new Set<string>() }
  const accepted = accept(operation.request, { value: body, asGiven: present, version })
  if (operation.nullClears === true) refuseCleared(operation.request, present)
  // What metadata may hold is said of create requests (spec 2, conventions; spec 8).
  if (operation.method === 'PATCH') return { body: accepted, cleared }
  const metadata = isRecord(present) ? present['metadata'] : undefined
  if (isRecord(metadata) && Object.hasOwn(metadata, ''))
    throw new Problem('MetadataContainsEmptyKey', 'A key of metadata is the empty string.')
  return { body: accepted, cleared }
}

/** What no request may change cannot be cleared either, and a null is not seen in the body without nulls. */
function refuseCleared(schema: Schema, asGiven: unknown): void {
  const broken = findBrokenRules(schema(), asGiven)
  if (broken.length > 0)
    throw invalid(broken.map(({ path, message }) => ({ path: wordPath(path), description: message })))
}

interface Given {
  readonly value: unknown
  /** With the nulls that clear a field. */
  readonly asGiven: unknown
  readonly version: ApiVersion
}

/** SQLite cuts text at NUL, and half a surrogate pair does not survive UTF-8: two ids could become one. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

function accept<T>(schema: Schema<T>, { value, asGiven, version }: Given): T {
  let issues: readonly z.core.$ZodIssue[] = []
  const fits = isOf(
    schema,
    value,
    (found) => {
      issues = found
    },
    version,
  )
  const unknown = findUnknownEntriesUpTo(MAX_PROBLEMS, schema(), asGiven, CURRENCY_CODES)
  const refused = unknown.entries.filter(isRefused)
  if (fits && refused.length === 0 && isAllStorable(asGiven)) return value
  const wrong = new Problems()
  for (const issue of issues) wrong.add(() => wordIssue(issue, value))
  for (const finding of refused) wrong.add(() => wordFinding(finding))
  wrong.total += unknown.moreBroken + unknown.moreUnknown
  findUnstorable(asGiven, wrong)
  throw invalid(wrong.first, wrong.total)
}

/** Worded up to what one answer reports, and counted beyond: a body can have a thousand times as many. */
class Problems {
  readonly first: ValidationProblem[] = []
  total = 0

  add(word: () => ValidationProblem): void {
    this.total += 1
    if (this.first.length < MAX_PROBLEMS) this.first.push(word())
  }
}

const isRefused = (finding: UnknownEntry) => finding.kind !== 'unknown-field' || !finding.isOpen

/** The value itself is taken on, not the parser's copy of it: that one has no key `__proto__`, which metadata may have. */
export function isOf<T>(
  schema: Schema<T>,
  value: unknown,
  tell?: (issues: readonly z.core.$ZodIssue[]) => void,
  version: ApiVersion = '2.1',
): value is T {
  const parsed = z.safeParse(schema(), withPrototypeShown(value))
  if (parsed.success) return true
  const issues = parsed.error.issues.filter(
    (issue) => issue.code !== 'custom' || appliesToVersion(version, issue),
  )
  if (issues.length > 0) tell?.(issues)
  return issues.length === 0
}

function isAllStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (Array.isArray(value)) return value.every(isAllStorable)
  if (!isRecord(value)) return true
  for (const key of Object.keys(value)) if (!isStorable(key) || !isAllStorable(value[key])) return false
  return true
}

function findUnstorable(body: unknown, problems: Problems): void {
  const path: (string | number)[] = []
  walk(body)

  function walk(at: unknown): void {
    if (typeof at === 'string') look(at)
    else if (Array.isArray(at)) for (const [index, entry] of at.entries()) step(index, entry)
    else if (isRecord(at))
      for (const key of Object.keys(at)) {
        look(key)
        step(isStorable(key) ? key : '?', at[key])
      }
  }

  function step(key: string | number, child: unknown): void {
    path.push(key)
    walk(child)
    path.pop()
  }

  function look(text: string): void {
    if (!isStorable(text))
      problems.add(() => ({ path: wordPath(path), description: 'holds a NUL or half a surrogate pair' }))
  }
}
