import {
  lazySchema,
  looseObject,
  minorUnits,
  optionalInteger,
  optionalOneOf,
  optionalText,
  z,
} from '../schema.ts'
import type { Shape } from '../schema.ts'

/** Spec 4.11: `value` in points; `type` is REDEMPTION unless told otherwise. */
export const createLoyaltyTransactionRequest = lazySchema(() =>
  looseObject({
    connectionId: z.string(),
    customerId: z.string(),
    orderId: z.string(),
    value: minorUnits(1),
    type: optionalOneOf('loyaltyType'),
  }),
)

/** Loyalty transaction (spec 2.8). */
export const loyaltyTransaction = lazySchema(() =>
  looseObject({
    date: optionalText(),
    id: optionalText(),
    connectionId: optionalText(),
    customerId: optionalText(),
    orderId: optionalText(),
    connectionTransactionId: optionalText(),
    connectionName: optionalText(),
    type: optionalOneOf('loyaltyType'),
    value: optionalInteger(),
  }),
)

export type LoyaltyTransaction = Shape<typeof loyaltyTransaction>
