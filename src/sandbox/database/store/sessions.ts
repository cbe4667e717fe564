import type { Session } from '../../../api/models/session.ts'
import type { Database } from '../database.ts'
import { hashOf } from '../../domain/hash.ts'
import { isRecord } from '../../../is-record.ts'
import { readDocument, writeDocument } from './document.ts'

/** A client session as it was given; what is calculated from it is calculated when it is shown. */
export type StoredSession = Pick<
  Session,
  'orderId' | 'currencyCode' | 'order' | 'customerId' | 'customer' | 'metadata' | 'paymentMethod'
> & {
  /** Overrides the calculated amount. */
  readonly amount?: number | undefined
  readonly expiresAtMs: number
}

const isStoredSession = (value: unknown): value is StoredSession =>
  isRecord(value) && typeof value['expiresAtMs'] === 'number'

/** Kept under a hash of its id: the client token itself is nowhere in the store. */
export function sessionsIn(database: Database) {
  const findByHash = (idHash: string): StoredSession | undefined =>
    readDocument(database.get('SELECT doc FROM sessions WHERE id_hash = ?', idHash), isStoredSession)
  return {
    find: (id: string) => findByHash(hashOf(id)),
    findByHash,
    save: (id: string, session: StoredSession): void =>
      void database.run(
        'INSERT INTO sessions (id_hash, doc) VALUES (?, ?) ON CONFLICT (id_hash) DO UPDATE SET doc = excluded.doc',
        hashOf(id),
        writeDocument(session),
      ),
  }
}
