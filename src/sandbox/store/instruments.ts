import type { Database } from '../database.ts'
import { readDocument, writeDocument } from './document.ts'
import { isRecord } from '../../is-record.ts'

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

export interface Instruments {
  find(token: string): StoredInstrument | undefined
  insert(instrument: StoredInstrument): void
  save(instrument: StoredInstrument): void
  /** Newest first, deleted ones included. */
  ofCustomer(customerId: string): readonly StoredInstrument[]
}

const isStoredInstrument = (value: unknown): value is StoredInstrument =>
  isRecord(value) && typeof value['token'] === 'string' && typeof value['customerId'] === 'string'

export const instrumentsIn = (database: Database): Instruments => ({
  find: (token) =>
    readDocument(database.get('SELECT doc FROM instruments WHERE token = ?', token), isStoredInstrument),
  insert: (instrument) => {
    database.run(
      'INSERT INTO instruments (token, customer_id, doc) VALUES (?, ?, ?)',
      instrument.token,
      instrument.customerId,
      writeDocument(instrument),
    )
  },
  save: (instrument) => {
    database.run(
      'UPDATE instruments SET doc = ? WHERE token = ?',
      writeDocument(instrument),
      instrument.token,
    )
  },
  ofCustomer: (customerId) =>
    database
      .all('SELECT doc FROM instruments WHERE customer_id = ? ORDER BY seq DESC', customerId)
      .flatMap((row) => readDocument(row, isStoredInstrument) ?? []),
})
