import { createLoyaltyTransaction } from '../../api/operations/loyalty.ts'
import { toServiceDate } from '../domain/datetime.ts'
import { withBody } from '../request/endpoint.ts'
import { invalid, Problem } from '../problem.ts'
import { LOYALTY_CONNECTIONS } from '../domain/accounts.ts'

export const loyaltyCreate = withBody(createLoyaltyTransaction, ({ body }, { store, now, ids }) => {
  const { connectionId, customerId, orderId, value, type = 'REDEMPTION' } = body
  const connection = LOYALTY_CONNECTIONS.find((row) => row.connectionId === connectionId)
  if (connection === undefined)
    throw new Problem('ConnectionNotFound', `Loyalty connection ${connectionId} doesn't exist.`)
  const balance = store.loyalty.balance(connectionId, customerId) ?? connection.startingBalance
  const after = type === 'REFUND' ? balance + value : balance - value
  if (after < 0)
    throw new Problem('InsufficientPoints', `The customer has ${balance} points, less than ${value}.`)
  if (!Number.isSafeInteger(after))
    throw invalid([{ path: '$.value', description: 'raises the balance above 2^53-1' }])
  store.loyalty.setBalance(connectionId, customerId, after)
  const id = ids.uuid()
  const transaction = {
    date: toServiceDate(now),
    id,
    connectionId,
    customerId,
    orderId,
    connectionTransactionId: ids.uuid(),
    connectionName: connection.connectionName,
    type,
    value,
  }
  store.loyalty.insert(id, transaction)
  return transaction
})
