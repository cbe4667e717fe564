import { customer } from './customer.ts'
import { order, alternativeOrderFields } from './order.ts'
import { paymentMethodRequest, paymentMethodUpdate } from './payment-method.ts'
import { requireCurrencyWithAmount, refuseTwoOrderForms, refuseOptionsUpdate } from './cross-field-rules.ts'
import {
  plainMetadata,
  lazySchema,
  looseObject,
  metadata,
  minorUnits,
  optionalOneOf,
  optionalText,
  z,
} from '../schema.ts'
import type { Shape } from '../schema.ts'

/** Fields that a session's requests share (spec 2.6). */
const requestFields = () => ({
  orderId: optionalText(),
  currencyCode: optionalOneOf('currencyCode'),
  amount: z.optional(minorUnits(0)),
  order: z.optional(order()),
  ...alternativeOrderFields(),
  customerId: optionalText(),
  customer: z.optional(customer()),
})

/** Spec 4.1: nothing is required. */
export const createSessionRequest = lazySchema(() =>
  looseObject({
    ...requestFields(),
    metadata: plainMetadata(),
    paymentMethod: z.optional(paymentMethodRequest()),
  }).check(requireCurrencyWithAmount(), refuseTwoOrderForms()),
)

/** Spec 4.2: only the fields to change; null clears a field. */
export const updateSessionRequest = lazySchema(() =>
  looseObject({
    clientToken: z.string(),
    ...requestFields(),
    metadata: metadata(),
    paymentMethod: z.optional(paymentMethodUpdate()),
  }).check(refuseTwoOrderForms(), refuseOptionsUpdate()),
)

export const getSessionQuery = lazySchema(() => looseObject({ clientToken: z.string() }))

const warning = () => looseObject({ type: optionalText(), code: optionalText() })

/** Client session (spec 2.6). Only a create returns the token and its expiry. */
export const session = lazySchema(() =>
  looseObject({
    clientToken: optionalText(),
    clientTokenExpirationDate: optionalText(),
    orderId: optionalText(),
    currencyCode: optionalOneOf('currencyCode'),
    amount: z.optional(z.int()),
    order: z.optional(order()),
    customerId: optionalText(),
    customer: z.optional(customer()),
    metadata: metadata(),
    paymentMethod: z.optional(paymentMethodRequest()),
    // The spec shows one object; some services return a list.
    warnings: z.optional(z.union([warning(), z.array(warning())])),
  }),
)

export type Session = Shape<typeof session>
