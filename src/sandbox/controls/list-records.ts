import { lineOf } from '../answers/record-row.ts'
import type { RecordLine } from '../answers/record-row.ts'
import type { ControlContext, ControlInput } from './control.ts'
import { readRecordQuery, writeStart } from './record-query.ts'

export interface RecordList {
  /** How many records match, from `start` on. */
  readonly total: number
  /** How many match and are newer than `start`; 0 without one. */
  readonly newer: number
  /** The first record of the window. As `start`, it keeps the list still while payments arrive. */
  readonly first: string | undefined
  readonly data: readonly RecordLine[]
}

/** Payments and external records in one list, newest first. */
export function listRecords({ store, now }: ControlContext, { query }: ControlInput): RecordList {
  const { filter, window } = readRecordQuery(query, now)
  const { total, newer, rows } = store.records.find(filter, window)
  const first = rows[0]
  return {
    total,
    newer,
    first: first === undefined ? undefined : writeStart(first),
    data: rows.map(lineOf),
  }
}
