import type { RecordPage } from './responses.ts'
import type { ControlContext, ControlInput } from './control.ts'
import { readRecordQuery, writeStart } from './record-query.ts'

export function listRecords({ store, now }: ControlContext, { query }: ControlInput): RecordPage {
  const { filter, window } = readRecordQuery(query, now)
  const { total, newer, rows } = store.records.find(filter, window)
  const [first] = rows
  return {
    total,
    newer,
    first: first === undefined ? undefined : writeStart(first),
    data: rows.map(({ seq: _, time, amountCaptured = null, amountRefunded = null, ...row }) => ({
      ...row,
      date: time,
      amountCaptured,
      amountRefunded,
    })),
  }
}
