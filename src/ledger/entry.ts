import { unsealed } from './checksum.ts'
import { isPlainLine, publishedFields, publishedPart, whichOf } from './plain-line.ts'
import { parseRecord, published } from './record.ts'
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

/** undefined for a line that was cut short or changed, or is none of ours. */
export function entryOfLine(line: string): Entry | undefined {
  if (!isPlainLine(line) || unsealed(line) === undefined) {
    const record = parseRecord(line)
    return record === undefined ? undefined : entryOf(record)
  }
  return { kind: 'line', ...whichOf(line), line }
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
  entry.kind === 'record' ? JSON.stringify(published(entry.record)) : publishedPart(entry.line)

/** The published fields alone: a tenth of the work of reading it whole. */
export function publishedOf(entry: Entry): OperationRecord {
  if (entry.kind === 'record') return published(entry.record)
  const record = publishedFields(entry.line)
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
