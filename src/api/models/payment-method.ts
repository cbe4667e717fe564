import {
  lazySchema,
  looseObject,
  oneOf,
  openObject,
  optionalBoolean,
  optionalInteger,
  optionalObject,
  optionalOneOf,
  optionalText,
  z,
} from '../schema.ts'
import type { Shape } from '../schema.ts'

/** What a card's first digits tell (spec 2.4). */
export const binData = lazySchema(() =>
  looseObject({
    network: optionalOneOf('cardNetwork'),
    issuerCountryCode: optionalOneOf('countryCode'),
    issuerName: optionalText(),
    issuerCurrencyCode: optionalText(),
    regionalRestriction: optionalText(),
    accountNumberType: optionalText(),
    accountFundingType: optionalOneOf('accountFundingType'),
    prepaidReloadableIndicator: optionalText(),
    productUsageType: optionalText(),
    productCode: optionalText(),
    productName: optionalText(),
  }),
)

/** Card details of an answer (spec 2.4); for other methods the fields are simply absent. */
export const paymentMethodData = lazySchema(() =>
  looseObject({
    first6Digits: optionalText(),
    last4Digits: optionalText(),
    expirationMonth: optionalText(),
    expirationYear: optionalText(),
    cardholderName: optionalText(),
    network: optionalText(),
    isNetworkTokenized: optionalBoolean(),
    binData: z.optional(binData()),
  }),
)

/** A payment's method as the service answers it (spec 2.4, response side). */
export const paymentMethod = lazySchema(() =>
  looseObject({
    descriptor: optionalText(),
    paymentType: optionalOneOf('paymentType'),
    paymentMethodToken: optionalText(),
    isVaulted: optionalBoolean(),
    vaultedPaymentMethodToken: optionalText(),
    analyticsId: optionalText(),
    paymentMethodType: optionalText(),
    paymentMethodData: z.optional(paymentMethodData()),
    threeDSecureAuthentication: optionalObject({
      responseCode: optionalOneOf('threeDSecureResponseCode'),
      reasonCode: optionalText(),
      reasonText: optionalText(),
      protocolVersion: optionalText(),
      challengeIssued: optionalBoolean(),
    }),
    authorizationType: optionalOneOf('authorizationType'),
  }),
)

const surcharge = () => z.optional(openObject({ amount: optionalInteger() }))

/** `options.<payment method type>`: a surcharge, for cards also one per network (spec 2.4; its fields are not shown there). */
const option = () =>
  looseObject({
    surcharge: surcharge(),
    networks: z.optional(z.record(oneOf('cardNetwork'), openObject({ surcharge: surcharge() }))),
  })

const requestFields = () => ({
  paymentType: optionalOneOf('paymentType'),
  descriptor: optionalText(),
  authorizationType: optionalOneOf('authorizationType'),
  vaultOnSuccess: optionalBoolean(),
})

/** Payment method options of a session or a payment (spec 2.4, request side). */
export const paymentMethodRequest = lazySchema(() =>
  looseObject({ ...requestFields(), options: z.optional(z.record(z.string(), option())) }),
)

/** The same in a session update, of which `options` can be no part: see `optionsStay`. */
export const paymentMethodUpdate = lazySchema(() =>
  looseObject({ ...requestFields(), options: z.optional(z.unknown()) }),
)

export type PaymentMethod = Shape<typeof paymentMethod>
export type PaymentMethodUpdate = Shape<typeof paymentMethodUpdate>
export type PaymentMethodRequest = Shape<typeof paymentMethodRequest>
