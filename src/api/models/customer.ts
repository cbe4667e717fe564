import { lazy } from '../lazy.ts'
import { fields, text, value, z } from '../schema.ts'
import type { Shape } from '../schema.ts'

/** Spec 2.3. */
export const address = lazy(() =>
  fields({
    firstName: text(),
    lastName: text(),
    addressLine1: text(),
    addressLine2: text(),
    city: text(),
    state: text(),
    postalCode: text(),
    countryCode: value('countryCode'),
  }),
)

/** Customer details (spec 2.3). */
export const customer = lazy(() =>
  fields({
    emailAddress: text(),
    mobileNumber: text(),
    firstName: text(),
    lastName: text(),
    billingAddress: z.optional(address()),
    shippingAddress: z.optional(address()),
    taxId: text(),
    nationalDocumentId: text(),
  }),
)

export type Customer = Shape<typeof customer>
