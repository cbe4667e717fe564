import { createLoyaltyTransactionRequest, loyaltyTransaction } from '../models/loyalty.ts'
import type { Operation } from '../operation.ts'

export const createLoyaltyTransaction = {
  id: 'loyalty.create',
  method: 'POST',
  path: '/loyalty-transactions',
  summary: 'Redeem or return loyalty points',
  request: createLoyaltyTransactionRequest,
  response: loyaltyTransaction,
  ownId: 'id',
  idempotencyKey: false,
  replay: 'never',
  targets: [{ kind: 'points', of: ['connectionId', 'orderId'] }],
  unit: 'points',
  risk: 'money',
  scope: 'loyalty-transactions:write',
  beta: true,
} as const satisfies Operation
