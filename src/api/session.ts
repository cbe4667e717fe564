import { customer } from './customer.ts'
import { order, orderDetailsForm } from './order.ts'
import { paymentMethodRequest, paymentMethodUpdate } from './payment-method.ts'
import { currencyBesideAmount, oneOrderForm } from './rules.ts'
import { lazy } from './lazy.ts'
import { fields, metadata, minorUnits, part, requestMetadata, text, value, z } from './schema.ts'
import type { Shape } from './schema.ts'

/** Fields that a session's requests share (spec 2.6). */
const requestFields = () => ({
  orderId: text(),
  currencyCode: value('currencyCode'),
  amount: z.optional(minorUnits(0)),
  order: z.optional(order()),
  ...orderDetailsForm(),
  customerId: text(),
  customer: z.optional(customer()),
  metadata: requestMetadata(),
})

/** Spec 4.1: nothing is required. */
export const createSessionRequest = lazy(() =>
  fields({ ...requestFields(), paymentMethod: z.optional(paymentMethodRequest()) }).check(
    currencyBesideAmount(),
    oneOrderForm(),
  ),
)

/** Spec 4.2: only what changes; null clears a field. */
export const updateSessionRequest = lazy(() =>
  fields({
    clientToken: z.string(),
    ...requestFields(),
    paymentMethod: z.optional(paymentMethodUpdate()),
  }).check(oneOrderForm()),
)

export const getSessionQuery = lazy(() => fields({ clientToken: z.string() }))

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
    warnings: part({ type: text(), code: text() }),
  }),
)

export type Session = Shape<typeof session>
