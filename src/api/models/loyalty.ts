import {
  lazySchema,
  looseObject,
  minorUnits,
  nonEmptyText,
  optionalInteger,
  optionalOneOf,
  optionalText,
} from '../schema.ts'
import type { Shape } from '../schema.ts'

/** Spec 4.11: `value` is in points; `type` defaults to REDEMPTION. */
export const createLoyaltyTransactionRequest = lazySchema(() =>
  looseObject({
    connectionId: nonEmptyText(),
    customerId: nonEmptyText(),
    orderId: nonEmptyText(),
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
