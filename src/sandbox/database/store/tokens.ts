import type { Database } from '../database.ts'
import { hasTexts, readDocument, writeDocument } from './document.ts'

/** A token from `tokenize`. The card number itself is never kept: the scenario knows what to show of it. */
export interface SingleUseToken {
  readonly token: string
  readonly scenario: string
  readonly analyticsId: string
  /** The client session that it was made in. */
  readonly sessionIdHash?: string | undefined
  readonly spent: boolean
  /** The saved method that vaulting made of it: vaulting again answers that. */
  readonly vaultedAs?: string | undefined
}

const isSingleUseToken = hasTexts<SingleUseToken>('token', 'scenario')

export const singleUseTokensIn = (database: Database) => ({
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
