import { lazy } from '../lazy.ts'
import { fields, flag, oneOf, openFields, part, text, value, whole, z } from '../schema.ts'
import type { Shape } from '../schema.ts'

/** What a card's first digits tell (spec 2.4). */
export const binData = lazy(() =>
  fields({
    network: value('cardNetwork'),
    issuerCountryCode: value('countryCode'),
    issuerName: text(),
    issuerCurrencyCode: text(),
    regionalRestriction: text(),
    accountNumberType: text(),
    accountFundingType: value('accountFundingType'),
    prepaidReloadableIndicator: text(),
    productUsageType: text(),
    productCode: text(),
    productName: text(),
  }),
)

/** Card details of an answer (spec 2.4); for other methods the fields are simply absent. */
export const paymentMethodData = lazy(() =>
  fields({
    first6Digits: text(),
    last4Digits: text(),
    expirationMonth: text(),
    expirationYear: text(),
    cardholderName: text(),
    network: text(),
    isNetworkTokenized: flag(),
    binData: z.optional(binData()),
  }),
)

/** A payment's method as the service answers it (spec 2.4, response side). */
export const paymentMethod = lazy(() =>
  fields({
    descriptor: text(),
    paymentType: value('paymentType'),
    paymentMethodToken: text(),
    isVaulted: flag(),
    vaultedPaymentMethodToken: text(),
    analyticsId: text(),
    paymentMethodType: text(),
    paymentMethodData: z.optional(paymentMethodData()),
    threeDSecureAuthentication: part({
      responseCode: value('threeDSecureResponseCode'),
      reasonCode: text(),
      reasonText: text(),
      protocolVersion: text(),
      challengeIssued: flag(),
    }),
    authorizationType: value('authorizationType'),
  }),
)

const surcharge = () => z.optional(openFields({ amount: whole() }))

/** `options.<payment method type>`: a surcharge, for cards also one per network (spec 2.4; its fields are not shown there). */
const option = () =>
  fields({
    surcharge: surcharge(),
    networks: z.optional(z.record(oneOf('cardNetwork'), openFields({ surcharge: surcharge() }))),
  })

const requestFields = () => ({
  paymentType: value('paymentType'),
  descriptor: text(),
  authorizationType: value('authorizationType'),
  vaultOnSuccess: flag(),
})

/** Payment method options of a session or a payment (spec 2.4, request side). */
export const paymentMethodRequest = lazy(() =>
  fields({ ...requestFields(), options: z.optional(z.record(z.string(), option())) }),
)

/** The same in a session update, of which `options` can be no part: see `optionsStay`. */
export const paymentMethodUpdate = lazy(() =>
  fields({ ...requestFields(), options: z.optional(z.unknown()) }),
)

export type PaymentMethod = Shape<typeof paymentMethod>
export type PaymentMethodUpdate = Shape<typeof paymentMethodUpdate>
export type PaymentMethodRequest = Shape<typeof paymentMethodRequest>
