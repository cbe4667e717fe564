import { createLoyaltyTransactionRequest, loyaltyTransaction } from '../models/loyalty.ts'
import { LOYALTY_FACTS } from '../facts/loyalty.ts'
import type { Operation } from '../operation.ts'

export const createLoyaltyTransaction = {
  ...LOYALTY_FACTS['loyalty.create'],
  request: createLoyaltyTransactionRequest,
  response: loyaltyTransaction,
} as const satisfies Operation
