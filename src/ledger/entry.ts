import { MOMENT, parsePublished, parseRecord, published } from './record.ts'
import type { OperationRecord, State, StoredRecord } from './record.ts'

/**
 * A record of the ledger, read no further than it is asked: a history holds a hundred thousand of them, and to parse
 * them all takes longer than everything else together.
 */
export type Entry =
  /** Its line is of the form that is written here, so that fields can be found in it as text. */
  | { readonly kind: 'line'; readonly id: string; readonly createdAt: string; readonly line: string }
  | {
      readonly kind: 'record'
      readonly id: string
      readonly createdAt: string
      readonly record: StoredRecord
    }

export interface RecordFilter {
  /** ISO 8601 with milliseconds, UTC; the ends belong to it. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Any of them. */
  readonly operations?: readonly string[] | undefined
  readonly states?: readonly State[] | undefined
  readonly targets?: readonly string[] | undefined
  readonly profile?: string | undefined
}

// Neither quotes nor escapes within a text: then `,"name":` is the beginning of a field wherever it stands.
const TEXT = '"[ !#-\\[\\]-~]*"'
// Longer ones may be beyond what is exact, and are looked at one by one.
const NUMBER = '-?(?:0|[1-9]\\d{0,14})'
const QUOTED_MOMENT = `"${MOMENT}"`
const orNull = (pattern: string): string => `(?:null|${pattern})`

/** Every field of a record that has ended, in the order in which they are written. */
const FIELDS = {
  id: '"[\\w-]{1,200}"',
  operation: TEXT,
  profile: orNull(TEXT),
  target: orNull(TEXT),
  amount: orNull(NUMBER),
  currencyCode: orNull(TEXT),
  idempotencyKey: orNull(TEXT),
  createdAt: QUOTED_MOMENT,
  updatedAt: QUOTED_MOMENT,
  state: '"(?:confirmed|rejected|abandoned)"',
  exitCode: orNull(NUMBER),
  reason: orNull(TEXT),
  user: TEXT,
  host: TEXT,
  version: TEXT,
  baseUrl: TEXT,
  account: TEXT,
  mode: '"(?:test|live)"',
  apiVersion: TEXT,
  targetKind: orNull(TEXT),
  likeness: TEXT,
  isRepeatable: '(?:true|false)',
  resource: orNull(TEXT),
  note: orNull(TEXT),
} as const satisfies Record<Exclude<keyof StoredRecord, 'request' | 'before' | 'owner' | 'unasked'>, string>

const PLAIN_LINE = new RegExp(
  `^\\{${Object.entries(FIELDS)
    .map(([name, pattern]) => `"${name}":${pattern}`)
    .join(',')}\\}$`,
)
const BEFORE_ID = '{"id":"'
const BEFORE_CREATED_AT = ',"createdAt":"'
const MOMENT_LENGTH = '2026-01-01T00:00:00.000Z'.length
/** The first field that is kept and not published. */
const BEFORE_THE_REST = ',"baseUrl":"'

/** undefined for a line that was cut short, or is none of ours. */
export function entryOfLine(line: string): Entry | undefined {
  if (!PLAIN_LINE.test(line)) {
    const record = parseRecord(line)
    return record === undefined ? undefined : entryOf(record)
  }
  const id = line.slice(BEFORE_ID.length, line.indexOf('"', BEFORE_ID.length))
  const at = line.indexOf(BEFORE_CREATED_AT) + BEFORE_CREATED_AT.length
  return { kind: 'line', id, createdAt: line.slice(at, at + MOMENT_LENGTH), line }
}

export const entryOf = (record: StoredRecord): Entry => ({
  kind: 'record',
  id: record.id,
  createdAt: record.createdAt,
  record,
})

export function recordOf(entry: Entry): StoredRecord {
  if (entry.kind === 'record') return entry.record
  const record = parseRecord(entry.line)
  if (record === undefined) throw new Error(`not a record: ${entry.line}`)
  return record
}

/** The published fields as JSON on one line. */
export const publishedText = (entry: Entry): string =>
  entry.kind === 'record'
    ? JSON.stringify(published(entry.record))
    : `${entry.line.slice(0, entry.line.indexOf(BEFORE_THE_REST))}}`

/** The published fields alone: half of the work of reading it whole. */
export function publishedOf(entry: Entry): OperationRecord {
  if (entry.kind === 'record') return published(entry.record)
  const record = parsePublished(publishedText(entry))
  if (record === undefined) throw new Error(`not a record: ${entry.line}`)
  return record
}

export type EntryTest = (entry: Entry) => boolean

/** By what never changes of a record, and by its state: of two lines of one record only the last tells that. */
export function testsFor({ from, to, operations, states, targets, profile }: RecordFilter): {
  readonly fits: EntryTest
  readonly isInState: EntryTest
} {
  const tests = [
    from === undefined ? undefined : ({ createdAt }: Entry) => createdAt >= from,
    to === undefined ? undefined : ({ createdAt }: Entry) => createdAt <= to,
    fieldTest('operation', operations),
    fieldTest('target', targets),
    fieldTest('profile', profile === undefined ? undefined : [profile]),
  ].filter((test) => test !== undefined)
  return {
    fits: (entry) => tests.every((test) => test(entry)),
    isInState: fieldTest('state', states) ?? (() => true),
  }
}

function fieldTest(
  name: keyof OperationRecord,
  values: readonly string[] | undefined,
): EntryTest | undefined {
  if (values === undefined) return undefined
  const texts = values.map((value) => `,"${name}":${JSON.stringify(value)},`)
  return (entry) =>
    entry.kind === 'record'
      ? values.some((value) => entry.record[name] === value)
      : texts.some((text) => entry.line.includes(text))
}

/** Latest first. */
export const byCreation = (a: Entry, b: Entry): number =>
  a.createdAt === b.createdAt ? 0 : a.createdAt < b.createdAt ? 1 : -1
