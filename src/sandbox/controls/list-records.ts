import type { ControlContext, ControlInput } from './control.ts'
import { readRecordQuery, writeStart } from './record-query.ts'

export type RecordPage = ReturnType<typeof listRecords>

/**
 * Payments and external records in one list, newest first. `total` is how many records match, from `start` on, `newer` how many
 * match and are newer than it. `first` is the first record of the window: as `start`, it keeps the list still while payments arrive.
 */
export function listRecords({ store, now }: ControlContext, { query }: ControlInput) {
  const { filter, window } = readRecordQuery(query, now)
  const { total, newer, rows } = store.records.find(filter, window)
  const [first] = rows
  return {
    total,
    newer,
    first: first === undefined ? undefined : writeStart(first),
    // null where the record doesn't say.
    data: rows.map(({ seq: _, time, amountCaptured = null, amountRefunded = null, ...row }) => ({
      ...row,
      date: time,
      amountCaptured,
      amountRefunded,
    })),
  }
}
