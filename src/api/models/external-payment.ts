import { binData } from './payment-method.ts'
import {
  plainMetadata,
  lazySchema,
  looseObject,
  metadata,
  minorUnits,
  nonEmptyText,
  oneOf,
  optionalBoolean,
  optionalInteger,
  optionalObject,
  optionalOneOf,
  optionalText,
  z,
} from '../schema.ts'
import type { Shape } from '../schema.ts'
import { statusReason } from './status-reason.ts'

const threeDSecure = () =>
  optionalObject({
    transStatus: optionalText(),
    transStatusReason: optionalText(),
    responseCode: optionalOneOf('threeDSecureResponseCode'),
    challengeIssued: optionalBoolean(),
    protocolVersion: optionalText(),
    reasonCode: optionalText(),
    reasonText: optionalText(),
    eci: optionalText(),
  })

const methodFields = () => ({
  paymentMethodType: optionalText(),
  data: optionalObject({ binData: z.optional(binData()), first6Digits: optionalText() }),
  threeDSecureAuthentication: threeDSecure(),
})

const optionalFields = () => ({
  status: optionalOneOf('paymentStatus'),
  statusReason: z.optional(statusReason()),
  paymentType: optionalOneOf('paymentType'),
  descriptor: optionalText(),
})

/** Spec 4.9 with the fields of 2.7. A minimal record names processor, order and payment method. */
export const createExternalPaymentRequest = lazySchema(() =>
  looseObject({
    paymentId: nonEmptyText(),
    currencyCode: oneOf('currencyCode'),
    processor: looseObject({ name: z.string(), merchantId: optionalText() }),
    amount: minorUnits(0),
    createdAt: oneOf('utcDatetime'),
    order: looseObject({ id: z.string(), countryCode: optionalOneOf('countryCode') }),
    paymentMethod: looseObject({ ...methodFields(), paymentMethodType: z.string() }),
    ...optionalFields(),
    metadata: plainMetadata(),
  }),
)

const recordFields = () => ({
  paymentId: optionalText(),
  currencyCode: optionalOneOf('currencyCode'),
  processor: optionalObject({ name: optionalText(), merchantId: optionalText() }),
  amount: optionalInteger(),
  createdAt: optionalOneOf('utcDatetime'),
  order: optionalObject({ id: optionalText(), countryCode: optionalOneOf('countryCode') }),
  paymentMethod: optionalObject(methodFields()),
  ...optionalFields(),
  metadata: metadata(),
})

/** Spec 4.10: only the fields to change. `createdAt` is accepted only if it is the same instant. */
export const updateExternalPaymentRequest = lazySchema(() =>
  looseObject({
    ...recordFields(),
    amount: z.optional(minorUnits(0)),
    createdAt: optionalOneOf('creationTime'),
    metadata: plainMetadata(),
  }),
)

/** External payment record (spec 2.7). `createdAt` is ISO 8601 with `Z`. */
export const externalPayment = lazySchema(() => looseObject(recordFields()))

/**
 * The record of any payment, as the sandbox's read operations return it (spec 1.4): payments made through the service are
 * recorded automatically. Amounts in minor units.
 */
export const paymentRecord = lazySchema(() =>
  looseObject({
    ...recordFields(),
    source: optionalText(),
    amountAuthorized: optionalInteger(),
    amountCaptured: optionalInteger(),
    amountRefunded: optionalInteger(),
  }),
)

/** One page of records, newest first. */
export const paymentRecordList = lazySchema(() =>
  looseObject({
    data: z.array(paymentRecord()),
    nextCursor: optionalText(),
    prevCursor: optionalText(),
  }),
)

export type ExternalPayment = Shape<typeof externalPayment>
export type PaymentRecord = Shape<typeof paymentRecord>
