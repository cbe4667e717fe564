import { isRecord } from '../../is-record.ts'
import { withChecksum, withoutChecksum } from './checksum.ts'
import type { Owner } from './owner.ts'
import { STATES } from './record.ts'
import type { StoredRecord } from './record.ts'

/** A record as one line of text with a checksum, without the line break. */
export const recordText = (record: StoredRecord): string => withChecksum(JSON.stringify(record))

/** Parses a record; undefined if it was cut short, was changed or is not a record. */
export function parseRecord(text: string): StoredRecord | undefined {
  const json = withoutChecksum(text)
  if (json === undefined) return undefined
  const parsed = parsedJson(json)
  return isStoredRecord(parsed) ? parsed : undefined
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The format of `Date.toISOString`: such times sort correctly as text. */
export const ISO_TIME =
  '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3])(?::[0-5]\\d){2}\\.\\d{3}Z'
const WHOLE_ISO_TIME = new RegExp(`^${ISO_TIME}$`)

const isText = (value: unknown): value is string => typeof value === 'string'
const isOptional = (is: (value: unknown) => boolean) => (value: unknown) => value === null || is(value)
const isOptionalText = isOptional(isText)
const isOptionalNumber = isOptional(Number.isSafeInteger)
export const isIsoTime = (value: unknown): value is string => isText(value) && WHOLE_ISO_TIME.test(value)
const isOneOf = (values: readonly string[]) => (value: unknown) => isText(value) && values.includes(value)

const SHAPE: Readonly<Record<keyof StoredRecord, (value: unknown) => boolean>> = {
  // Becomes part of a file name.
  id: (value) => isText(value) && /^[\w-]{1,200}$/.test(value),
  operation: isText,
  profile: isOptionalText,
  target: isOptionalText,
  amount: isOptionalNumber,
  currencyCode: isOptionalText,
  idempotencyKey: isOptionalText,
  createdAt: isIsoTime,
  updatedAt: isIsoTime,
  state: isOneOf(STATES),
  exitCode: isOptionalNumber,
  reason: isOptionalText,
  user: isText,
  host: isText,
  version: isText,
  baseUrl: isText,
  account: isText,
  mode: isOneOf(['test', 'live']),
  apiVersion: isText,
  targetKind: isOptionalText,
  likeness: isText,
  isRepeatable: (value) => typeof value === 'boolean',
  resource: isOptionalText,
  note: isOptionalText,
  request: (value) =>
    value === undefined ||
    (isRecord(value) &&
      isRecord(value['params']) &&
      Object.values(value['params']).every(isText) &&
      (value['body'] === undefined || isText(value['body']))),
  before: (value) =>
    value === undefined ||
    (isRecord(value) &&
      isText(value['sha256']) &&
      (value['status'] === undefined || isText(value['status']))),
  underWayAt: (value) => value === undefined || isIsoTime(value),
  lastAttemptAt: (value) => value === undefined || isIsoTime(value),
  owner: (value) => value === undefined || isOwner(value),
  unasked: (value) =>
    value === undefined ||
    (isRecord(value) &&
      typeof value['mayRepeat'] === 'boolean' &&
      typeof value['isTicket'] === 'boolean' &&
      (value['seenAt'] === undefined || isIsoTime(value['seenAt']))),
}

function isOwner(value: unknown): value is Owner {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value['pid']) &&
    isText(value['machine']) &&
    (value['startedAt'] === undefined || isText(value['startedAt'])) &&
    (value['namespace'] === undefined || isText(value['namespace']))
  )
}

// Computed once, because a list checks every record.
const CHECKS = Object.entries(SHAPE)

function isStoredRecord(value: unknown): value is StoredRecord {
  return (
    isRecord(value) &&
    CHECKS.every(([name, fits]) => fits(value[name])) &&
    // A newer version of pay may have added a field that this version would ignore.
    Object.keys(value).every((name) => Object.hasOwn(SHAPE, name))
  )
}

export function parseOwner(text: string): Owner | undefined {
  const json = parsedJson(text)
  return isOwner(json) ? json : undefined
}
