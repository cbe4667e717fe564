import { lineOf } from '../answers/record-row.ts'
import type { RecordLine } from '../answers/record-row.ts'
import type { ShownRecord } from '../answers/shown-record.ts'
import type { Controls } from './controls.ts'
import { Problem } from '../problem.ts'
import { truncate } from '../truncate.ts'
import { readRecordId, readRecordQuery, writeStart } from './record-query.ts'

export interface RecordList {
  /** How many records match, from `start` on. */
  readonly total: number
  /** How many match and are newer than `start`; 0 without one. */
  readonly newer: number
  /** The first record of the window. As `start`, it keeps the list still while payments arrive. */
  readonly first: string | undefined
  readonly data: readonly RecordLine[]
}

/** Answers `GET /sandbox/records`: payments and external records in one list, newest first. */
export async function listRecords(
  { records, clock }: Controls,
  { query }: { readonly query: unknown },
): Promise<RecordList> {
  const { now } = await clock.show()
  const { filter, window } = readRecordQuery(query, new Date(now))
  const { total, newer, rows } = await records.find(filter, window)
  const first = rows[0]
  return {
    total,
    newer,
    first: first === undefined ? undefined : writeStart(first),
    data: rows.map(lineOf),
  }
}

/** Answers `GET /sandbox/record?id=ID`: a payment as `GET /payments/ID` shows it, or an external record. */
export async function getRecord(
  { records }: Controls,
  { query }: { readonly query: unknown },
): Promise<ShownRecord> {
  const id = readRecordId(query)
  const found = await records.get(id)
  if (found === undefined)
    throw new Problem(
      'EntityNotFound',
      `There is no payment and no external record with the ID ${truncate(id, 100)}.`,
    )
  return found
}
