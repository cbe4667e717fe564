import type { Database } from '../database.ts'
import { hasTexts, readDocument, writeDocument } from './document.ts'

/** A saved payment method. */
export interface StoredInstrument {
  readonly token: string
  readonly scenario: string
  readonly analyticsId: string
  readonly customerId: string
  readonly createdAt: string
  readonly deletedAt?: string | undefined
  readonly isDefault: boolean
  readonly isVerified: boolean
}

const isStoredInstrument = hasTexts<StoredInstrument>('token', 'customerId')

export const instrumentsIn = (database: Database) => ({
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
  /** Newest first, deleted ones included. */
  ofCustomer: (customerId: string): readonly StoredInstrument[] =>
    database
      .all('SELECT doc FROM instruments WHERE customer_id = ? ORDER BY seq DESC', customerId)
      .flatMap((row) => readDocument(row, isStoredInstrument) ?? []),
})
