import { createHash } from 'node:crypto'
import type { Session } from '../../api/session.ts'
import type { Database } from '../database.ts'
import { readDocument, writeDocument } from './document.ts'
import { isRecord } from '../../is-record.ts'

/** A client session as it was given; what is calculated from it is calculated when it is shown. */
export type StoredSession = Pick<
  Session,
  'orderId' | 'currencyCode' | 'order' | 'customerId' | 'customer' | 'metadata' | 'paymentMethod'
> & {
  /** Overrides the calculated amount. */
  readonly amount?: number | undefined
  readonly expiresAtMs: number
}

/** Kept under a hash of its id: the client token itself is nowhere in the store. */
export interface Sessions {
  find(id: string): StoredSession | undefined
  findByHash(idHash: string): StoredSession | undefined
  save(id: string, session: StoredSession): void
}

const isStoredSession = (value: unknown): value is StoredSession =>
  isRecord(value) && typeof value['expiresAtMs'] === 'number'

export const hashSessionId = (id: string): string => createHash('sha256').update(id).digest('base64url')

const findIn = (database: Database, idHash: string) =>
  readDocument(database.get('SELECT doc FROM sessions WHERE id_hash = ?', idHash), isStoredSession)

export const sessionsIn = (database: Database): Sessions => ({
  find: (id) => findIn(database, hashSessionId(id)),
  findByHash: (idHash) => findIn(database, idHash),
  save: (id, session) => {
    database.run(
      'INSERT INTO sessions (id_hash, doc) VALUES (?, ?) ON CONFLICT (id_hash) DO UPDATE SET doc = excluded.doc',
      hashSessionId(id),
      writeDocument(session),
    )
  },
})
