import { binData } from './payment-method.ts'
import { lazy } from '../lazy.ts'
import {
  createMetadata,
  fields,
  flag,
  metadata,
  minorUnits,
  oneOf,
  part,
  text,
  value,
  whole,
  z,
} from '../schema.ts'
import type { Shape } from '../schema.ts'
import { statusReason } from './status-reason.ts'

const threeDSecure = () =>
  part({
    transStatus: text(),
    transStatusReason: text(),
    responseCode: value('threeDSecureResponseCode'),
    challengeIssued: flag(),
    protocolVersion: text(),
    reasonCode: text(),
    reasonText: text(),
    eci: text(),
  })

const methodFields = () => ({
  paymentMethodType: text(),
  data: part({ binData: z.optional(binData()), first6Digits: text() }),
  threeDSecureAuthentication: threeDSecure(),
})

const optionalFields = () => ({
  status: value('paymentStatus'),
  statusReason: z.optional(statusReason()),
  paymentType: value('paymentType'),
  descriptor: text(),
})

/** Spec 4.9 with the fields of 2.7: the minimal record names processor, order and method. */
export const createExternalPaymentRequest = lazy(() =>
  fields({
    paymentId: z.string(),
    currencyCode: oneOf('currencyCode'),
    processor: fields({ name: z.string(), merchantId: text() }),
    amount: minorUnits(0),
    createdAt: oneOf('utcDatetime'),
    order: fields({ id: z.string(), countryCode: value('countryCode') }),
    paymentMethod: fields({ ...methodFields(), paymentMethodType: z.string() }),
    ...optionalFields(),
    metadata: createMetadata(),
  }),
)

/** Spec 4.10: only the parts that change. `createdAt` may be sent as long as it is the same instant. */
export const updateExternalPaymentRequest = lazy(() =>
  fields({
    paymentId: text(),
    currencyCode: value('currencyCode'),
    processor: part({ name: text(), merchantId: text() }),
    amount: z.optional(minorUnits(0)),
    createdAt: text(),
    order: part({ id: text(), countryCode: value('countryCode') }),
    paymentMethod: part(methodFields()),
    ...optionalFields(),
    metadata: metadata(),
  }),
)

/** External payment record (spec 2.7). `createdAt` is ISO 8601 with `Z`. */
export const externalPayment = lazy(() =>
  fields({
    paymentId: text(),
    currencyCode: value('currencyCode'),
    processor: part({ name: text(), merchantId: text() }),
    amount: whole(),
    createdAt: value('utcDatetime'),
    order: part({ id: text(), countryCode: value('countryCode') }),
    paymentMethod: part(methodFields()),
    status: value('paymentStatus'),
    statusReason: z.optional(statusReason()),
    metadata: metadata(),
    paymentType: value('paymentType'),
    descriptor: text(),
  }),
)

export type ExternalPayment = Shape<typeof externalPayment>
