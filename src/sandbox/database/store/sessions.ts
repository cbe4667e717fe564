import type { SessionStore } from '../../domain/store/store.ts'
import type { StoredSession } from '../../domain/store/stored-session.ts'
import { numberIn, textIn } from '../database.ts'
import type { Database } from '../database.ts'
import { sha256 } from '../../domain/sha256.ts'
import { isRecord } from '../../../is-record.ts'
import { readDocument, writeDocument } from './document.ts'

const isStoredSession = (value: unknown): value is StoredSession =>
  isRecord(value) && typeof value['expiresAtMs'] === 'number'

export function sessionsIn(database: Database): SessionStore {
  const findByHash = (idHash: string): StoredSession | undefined =>
    readDocument(database.get('SELECT doc FROM sessions WHERE id_hash = ?', idHash), isStoredSession)
  return {
    find: (id: string) => findByHash(sha256(id)),
    findByHash,
    save: (id: string, session: StoredSession): void =>
      void database.run(
        'INSERT INTO sessions (id_hash, doc) VALUES (?, ?) ON CONFLICT (id_hash) DO UPDATE SET doc = excluded.doc',
        sha256(id),
        writeDocument(session),
      ),
    slice: (afterHash: string, limit: number) =>
      database
        .all(
          `SELECT id_hash, json_extract(doc, '$.expiresAtMs') AS expires,
             coalesce(json_extract(doc, '$.orderId'), '') || ' ' || coalesce(json_extract(doc, '$.customerId'), '') AS text
           FROM sessions WHERE id_hash > ? ORDER BY id_hash LIMIT ?`,
          afterHash,
          limit,
        )
        .map((row) => ({
          idHash: textIn(row, 'id_hash') ?? '',
          expiresAtMs: numberIn(row, 'expires'),
          text: textIn(row, 'text') ?? '',
        })),
  }
}
