import { lazySchema, looseObject, optionalOneOf, optionalText, z } from '../schema.ts'
import type { Shape } from '../schema.ts'

/** Spec 2.3. */
export const address = lazySchema(() =>
  looseObject({
    firstName: optionalText(),
    lastName: optionalText(),
    addressLine1: optionalText(),
    addressLine2: optionalText(),
    city: optionalText(),
    state: optionalText(),
    postalCode: optionalText(),
    countryCode: optionalOneOf('countryCode'),
  }),
)

/** Customer details (spec 2.3). */
export const customer = lazySchema(() =>
  looseObject({
    emailAddress: optionalText(),
    mobileNumber: optionalText(),
    firstName: optionalText(),
    lastName: optionalText(),
    billingAddress: z.optional(address()),
    shippingAddress: z.optional(address()),
    taxId: optionalText(),
    nationalDocumentId: optionalText(),
  }),
)

export type Customer = Shape<typeof customer>
