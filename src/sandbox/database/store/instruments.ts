import type { InstrumentStore } from '../../domain/store/store.ts'
import type { StoredInstrument } from '../../domain/store/stored-instrument.ts'
import { numberIn } from '../../../store/database.ts'
import type { Database } from '../../../store/database.ts'
import { anyContains, patternOf } from './contains.ts'
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
      'UPDATE instruments SET is_deleted = ?, doc = ? WHERE token = ?',
      instrument.deletedAt === undefined ? 0 : 1,
      writeDocument(instrument),
      instrument.token,
    ),
  ofCustomer: (customerId: string): readonly StoredInstrument[] =>
    database
      .all('SELECT doc FROM instruments WHERE customer_id = ? ORDER BY seq DESC', customerId)
      .flatMap((row) => readDocument(row, isStoredInstrument) ?? []),
  list: ({ offset, limit, search }) => {
    const where = `WHERE is_deleted = 0 AND ${anyContains(['customer_id'])}`
    const pattern = patternOf(search)
    return {
      total: numberIn(database.get(`SELECT count(*) AS n FROM instruments ${where}`, pattern), 'n'),
      data: database
        .all(
          `SELECT doc FROM instruments ${where} ORDER BY customer_id, seq DESC LIMIT ? OFFSET ?`,
          pattern,
          limit,
          offset,
        )
        .flatMap((row) => readDocument(row, isStoredInstrument) ?? []),
    }
  },
})
