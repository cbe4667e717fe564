import { customer } from './customer.ts'
import { order, orderDetailsForm } from './order.ts'
import { paymentMethodRequest, paymentMethodUpdate } from './payment-method.ts'
import { currencyBesideAmount, oneOrderForm, optionsStay } from './cross-field-rules.ts'
import { lazy } from '../lazy.ts'
import { createMetadata, fields, metadata, minorUnits, text, value, z } from '../schema.ts'
import type { Shape } from '../schema.ts'

/** Fields that a session's requests share (spec 2.6). */
const requestFields = () => ({
  orderId: text(),
  currencyCode: value('currencyCode'),
  amount: z.optional(minorUnits(0)),
  order: z.optional(order()),
  ...orderDetailsForm(),
  customerId: text(),
  customer: z.optional(customer()),
})

/** Spec 4.1: nothing is required. */
export const createSessionRequest = lazy(() =>
  fields({
    ...requestFields(),
    metadata: createMetadata(),
    paymentMethod: z.optional(paymentMethodRequest()),
  }).check(currencyBesideAmount(), oneOrderForm()),
)

/** Spec 4.2: only what changes; null clears a field. */
export const updateSessionRequest = lazy(() =>
  fields({
    clientToken: z.string(),
    ...requestFields(),
    metadata: metadata(),
    paymentMethod: z.optional(paymentMethodUpdate()),
  }).check(oneOrderForm(), optionsStay()),
)

export const getSessionQuery = lazy(() => fields({ clientToken: z.string() }))

const warning = () => fields({ type: text(), code: text() })

/** Client session (spec 2.6). The token and its expiry come with create only. */
export const session = lazy(() =>
  fields({
    clientToken: text(),
    clientTokenExpirationDate: text(),
    orderId: text(),
    currencyCode: value('currencyCode'),
    amount: z.optional(z.int()),
    order: z.optional(order()),
    customerId: text(),
    customer: z.optional(customer()),
    metadata: metadata(),
    paymentMethod: z.optional(paymentMethodRequest()),
    // One object is what the spec shows; some services answer a list.
    warnings: z.optional(z.union([warning(), z.array(warning())])),
  }),
)

export type Session = Shape<typeof session>
