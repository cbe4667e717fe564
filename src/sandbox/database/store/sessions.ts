import type { SessionStore } from '../../domain/store/store.ts'
import type { StoredSession } from '../../domain/store/stored-session.ts'
import { numberIn, textIn } from '../../../store/database.ts'
import type { Database } from '../../../store/database.ts'
import { sha256Base64url } from '../../../files/sha256.ts'
import { isRecord } from '../../../json/is-record.ts'
import { anyContains, patternOf } from './contains.ts'
import { readDocument, writeDocument } from './document.ts'

const isStoredSession = (value: unknown): value is StoredSession =>
  isRecord(value) && typeof value['expiresAtMs'] === 'number'

export function sessionsIn(database: Database): SessionStore {
  const findByHash = (idHash: string): StoredSession | undefined =>
    readDocument(database.get('SELECT doc FROM sessions WHERE id_hash = ?', idHash), isStoredSession)
  return {
    find: (id: string) => findByHash(sha256Base64url(id)),
    findByHash,
    save: (id: string, session: StoredSession): void =>
      void database.run(
        `INSERT INTO sessions (id_hash, expires_at, order_id, customer_id, doc) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id_hash) DO UPDATE SET expires_at = excluded.expires_at, order_id = excluded.order_id,
           customer_id = excluded.customer_id, doc = excluded.doc`,
        sha256Base64url(id),
        session.expiresAtMs,
        session.orderId ?? null,
        session.customerId ?? null,
        writeDocument(session),
      ),
    list: ({ offset, limit, search }) => {
      const where = search === '' ? '' : ` WHERE ${anyContains(['order_id', 'customer_id'])}`
      const values = search === '' ? [] : [patternOf(search), patternOf(search)]
      const rows = database.all(
        `SELECT id_hash, doc FROM sessions${where} ORDER BY expires_at DESC, id_hash LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      return {
        total: numberIn(database.get(`SELECT count(*) AS n FROM sessions${where}`, ...values), 'n'),
        data: rows.flatMap((row) => {
          const session = readDocument(row, isStoredSession)
          return session === undefined ? [] : [{ idHash: textIn(row, 'id_hash') ?? '', session }]
        }),
      }
    },
  }
}
