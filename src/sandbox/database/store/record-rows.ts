import type { ExternalPayment } from '../../../api/models/external-payment.ts'
import { isRecord } from '../../../is-record.ts'
import type { RecordAddition, RecordPlace, RecordRow, RecordSource } from '../../domain/store/record-store.ts'
import { isStoredPayment } from '../../domain/store/stored-payment.ts'
import { numberIn, textIn } from '../database.ts'
import type { Database, Row } from '../database.ts'
import { hasTexts, readDocument, sizeOf } from './document.ts'

const isExternalPayment = hasTexts<ExternalPayment>('paymentId')
export const isAddition = (value: unknown): value is RecordAddition => isRecord(value)

/** Selects what {@link paymentRow} and {@link externalRow} read. */
export const PAYMENT_COLUMNS =
  'seq, doc, date AS time, (SELECT doc FROM record_additions WHERE payment_id = payments.id) AS addition'
export const EXTERNAL_COLUMNS = 'seq, doc, created_at AS time'

export function paymentRow(row: Row): readonly RecordRow[] {
  const payment = readDocument(row, isStoredPayment)
  if (payment === undefined) return []
  const addition = textIn(row, 'addition')
  return [
    {
      source: 'payments',
      place: placeOf(row, 'payments'),
      size: sizeOf(row) + (addition?.length ?? 0),
      payment,
      addition: addition === undefined ? undefined : readDocument({ doc: addition }, isAddition),
    },
  ]
}

export function externalRow(row: Row): readonly RecordRow[] {
  const record = readDocument(row, isExternalPayment)
  return record === undefined
    ? []
    : [{ source: 'external', place: placeOf(row, 'external'), size: sizeOf(row), record }]
}

const placeOf = (row: Row, source: RecordSource): RecordPlace => ({
  time: textIn(row, 'time') ?? '',
  source,
  seq: numberIn(row, 'seq'),
})

/** The records at places (`seq * 2`, plus 1 for a payment), in their order. */
export function recordRowsIn(database: Database, places: readonly number[]): readonly RecordRow[] {
  const read = (code: 0 | 1, columns: string, table: string, toRow: (row: Row) => readonly RecordRow[]) => {
    const seqs = places.filter((place) => place % 2 === code).map((place) => (place - code) / 2)
    if (seqs.length === 0) return []
    const sql = `SELECT ${columns} FROM ${table} WHERE seq IN (SELECT value FROM json_each(?))`
    return database.all(sql, JSON.stringify(seqs)).flatMap(toRow)
  }
  const rows = [
    ...read(1, PAYMENT_COLUMNS, 'payments', paymentRow),
    ...read(0, EXTERNAL_COLUMNS, 'external_payments', externalRow),
  ]
  const byPlace = new Map(rows.map((row) => [row.place.seq * 2 + (row.source === 'payments' ? 1 : 0), row]))
  return places.flatMap((place) => byPlace.get(place) ?? [])
}
