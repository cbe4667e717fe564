import type { SingleUseToken } from '../../domain/store/single-use-token.ts'
import type { SingleUseTokenStore } from '../../domain/store/store.ts'
import type { Database } from '../../../store/database.ts'
import { hasTexts, readDocument, writeDocument } from './document.ts'

const isSingleUseToken = hasTexts<SingleUseToken>('token', 'scenario')

export const singleUseTokensIn = (database: Database): SingleUseTokenStore => ({
  find: (token: string): SingleUseToken | undefined =>
    readDocument(database.get('SELECT doc FROM single_use_tokens WHERE token = ?', token), isSingleUseToken),
  save: (token: SingleUseToken): void =>
    void database.run(
      `INSERT INTO single_use_tokens (token, doc) VALUES (?, ?)
       ON CONFLICT (token) DO UPDATE SET doc = excluded.doc`,
      token.token,
      writeDocument(token),
    ),
})
