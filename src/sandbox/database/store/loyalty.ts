import type { LoyaltyTransaction } from '../../../api/models/loyalty.ts'
import type { LoyaltyStore } from '../../domain/store/store.ts'
import { numberIn } from '../../../store/database.ts'
import type { Database } from '../../../store/database.ts'
import { writeDocument } from './document.ts'

export const loyaltyIn = (database: Database): LoyaltyStore => ({
  balance: (connectionId: string, customerId: string): number | undefined => {
    const row = database.get(
      'SELECT balance FROM loyalty_balances WHERE connection_id = ? AND customer_id = ?',
      connectionId,
      customerId,
    )
    return row === undefined ? undefined : numberIn(row, 'balance')
  },
  setBalance: (connectionId: string, customerId: string, balance: number): void =>
    void database.run(
      `INSERT INTO loyalty_balances (connection_id, customer_id, balance) VALUES (?, ?, ?)
       ON CONFLICT (connection_id, customer_id) DO UPDATE SET balance = excluded.balance`,
      connectionId,
      customerId,
      balance,
    ),
  insert: (id: string, transaction: LoyaltyTransaction): void =>
    void database.run(
      'INSERT INTO loyalty_transactions (id, doc) VALUES (?, ?)',
      id,
      writeDocument(transaction),
    ),
})
