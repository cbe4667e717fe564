import type { InstrumentStore } from '../../domain/store/store.ts'
import type { StoredInstrument } from '../../domain/store/stored-instrument.ts'
import { numberIn, textIn } from '../database.ts'
import type { Database } from '../database.ts'
import { hasTexts, readDocument, writeDocument } from './document.ts'

const isStoredInstrument = hasTexts<StoredInstrument>('token', 'customerId')

export const instrumentsIn = (database: Database): InstrumentStore => ({
  find: (token: string): StoredInstrument | undefined =>
    readDocument(database.get('SELECT doc FROM instruments WHERE token = ?', token), isStoredInstrument),
  insert: (instrument: StoredInstrument): void =>
    void database.run(
      'INSERT INTO instruments (token, customer_id, doc) VALUES (?, ?, ?)',
      instrument.token,
      instrument.customerId,
      writeDocument(instrument),
    ),
  save: (instrument: StoredInstrument): void =>
    void database.run(
      'UPDATE instruments SET doc = ? WHERE token = ?',
      writeDocument(instrument),
      instrument.token,
    ),
  ofCustomer: (customerId: string): readonly StoredInstrument[] =>
    database
      .all('SELECT doc FROM instruments WHERE customer_id = ? ORDER BY seq DESC', customerId)
      .flatMap((row) => readDocument(row, isStoredInstrument) ?? []),
  slice: (afterSeq: number, limit: number) =>
    database
      .all(
        `SELECT seq, token, customer_id, json_extract(doc, '$.deletedAt') IS NOT NULL AS deleted
         FROM instruments WHERE seq > ? ORDER BY seq LIMIT ?`,
        afterSeq,
        limit,
      )
      .map((row) => ({
        seq: numberIn(row, 'seq'),
        token: textIn(row, 'token') ?? '',
        customerId: textIn(row, 'customer_id') ?? '',
        isDeleted: numberIn(row, 'deleted') === 1,
      })),
})
