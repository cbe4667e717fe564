import { createLoyaltyTransactionRequest, loyaltyTransaction } from '../models/loyalty.ts'
import { withSchemas } from './with-schemas.ts'

export const createLoyaltyTransaction = withSchemas('loyalty.create', {
  request: createLoyaltyTransactionRequest,
  response: loyaltyTransaction,
})
