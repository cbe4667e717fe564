import { MOMENT } from './record.ts'
import type { StoredRecord } from './record.ts'

/** Lines of the history as nearly all are: plain text, whose fields can be found without parsing it. */

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
} as const satisfies Record<
  Exclude<keyof StoredRecord, 'request' | 'before' | 'underWayAt' | 'owner' | 'unasked'>,
  string
>

const PLAIN_LINE = new RegExp(
  `^\\{${Object.entries(FIELDS)
    .map(([name, pattern]) => `"${name}":${pattern}`)
    .join(',')}\\}$`,
)

/** Whether a line is of the form that is written here: then fields can be found in it as text. */
export const isPlainLine = (line: string): boolean => PLAIN_LINE.test(line)

const BEFORE_ID = '{"id":"'
const BEFORE_CREATED_AT = ',"createdAt":"'
const MOMENT_LENGTH = '2026-01-01T00:00:00.000Z'.length
/** The first field that is kept and not published. */
const BEFORE_THE_REST = ',"baseUrl":"'

/** What tells one from another, and from when it is. */
export function whichOf(line: string): { readonly id: string; readonly createdAt: string } {
  const id = line.slice(BEFORE_ID.length, line.indexOf('"', BEFORE_ID.length))
  const at = line.indexOf(BEFORE_CREATED_AT) + BEFORE_CREATED_AT.length
  return { id, createdAt: line.slice(at, at + MOMENT_LENGTH) }
}

/** The published fields, as JSON on one line. */
export const publishedPart = (line: string): string => `${line.slice(0, line.indexOf(BEFORE_THE_REST))}}`
