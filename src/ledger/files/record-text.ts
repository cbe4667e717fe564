import { isRecord } from '../../is-record.ts'
import { sealed, unsealed } from './checksum.ts'
import type { Owner } from './owner.ts'
import { STATES } from './record.ts'
import type { StoredRecord } from './record.ts'

/** One line of text, without a line break in it, and with a checksum. */
export const recordText = (record: StoredRecord): string => sealed(JSON.stringify(record))

/** Reads a record back; undefined for one that was cut short or changed, or is none. */
export function parseRecord(text: string): StoredRecord | undefined {
  const json = unsealed(text)
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

/** As a date writes itself: compared as texts, such moments are in their order. */
export const MOMENT =
  '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3])(?::[0-5]\\d){2}\\.\\d{3}Z'
const WHOLE_MOMENT = new RegExp(`^${MOMENT}$`)

const isText = (value: unknown): value is string => typeof value === 'string'
const isOptional = (is: (value: unknown) => boolean) => (value: unknown) => value === null || is(value)
const isOptionalText = isOptional(isText)
const isOptionalNumber = isOptional(Number.isSafeInteger)
export const isMoment = (value: unknown): value is string => isText(value) && WHOLE_MOMENT.test(value)
const isOneOf = (values: readonly string[]) => (value: unknown) => isText(value) && values.includes(value)

const SHAPE: Readonly<Record<keyof StoredRecord, (value: unknown) => boolean>> = {
  // It becomes part of a file's name.
  id: (value) => isText(value) && /^[\w-]{1,200}$/.test(value),
  operation: isText,
  profile: isOptionalText,
  target: isOptionalText,
  amount: isOptionalNumber,
  currencyCode: isOptionalText,
  idempotencyKey: isOptionalText,
  createdAt: isMoment,
  updatedAt: isMoment,
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
  underWayAt: (value) => value === undefined || isMoment(value),
  owner: (value) => value === undefined || isOwner(value),
  unasked: (value) =>
    value === undefined ||
    (isRecord(value) &&
      typeof value['mayRepeat'] === 'boolean' &&
      typeof value['isTicket'] === 'boolean' &&
      (value['seenAt'] === undefined || isMoment(value['seenAt']))),
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

// Made once: a list checks as many records as there are.
const CHECKS = Object.entries(SHAPE)

function isStoredRecord(value: unknown): value is StoredRecord {
  return (
    isRecord(value) &&
    CHECKS.every(([name, fits]) => fits(value[name])) &&
    // What a field means that is not known here cannot be kept to.
    Object.keys(value).every((name) => Object.hasOwn(SHAPE, name))
  )
}

export function parseOwner(text: string): Owner | undefined {
  const json = parsedJson(text)
  return isOwner(json) ? json : undefined
}
