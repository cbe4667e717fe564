import { lazy } from '../lazy.ts'
import { fields, minorUnits, text, value, whole, z } from '../schema.ts'
import type { Shape } from '../schema.ts'

/** Spec 4.11: `value` in points; `type` is REDEMPTION unless told otherwise. */
export const createLoyaltyTransactionRequest = lazy(() =>
  fields({
    connectionId: z.string(),
    customerId: z.string(),
    orderId: z.string(),
    value: minorUnits(1),
    type: value('loyaltyType'),
  }),
)

/** Loyalty transaction (spec 2.8). */
export const loyaltyTransaction = lazy(() =>
  fields({
    date: text(),
    id: text(),
    connectionId: text(),
    customerId: text(),
    orderId: text(),
    connectionTransactionId: text(),
    connectionName: text(),
    type: value('loyaltyType'),
    value: whole(),
  }),
)

export type LoyaltyTransaction = Shape<typeof loyaltyTransaction>
