import { paymentMethodData } from './payment-method.ts'
import { lazySchema, looseObject, optionalBoolean, optionalText, z } from '../schema.ts'
import type { Shape } from '../schema.ts'

/** Saved payment method (spec 2.9). */
export const instrument = lazySchema(() =>
  looseObject({
    createdAt: optionalText(),
    deletedAt: optionalText(),
    deleted: optionalBoolean(),
    token: optionalText(),
    tokenType: optionalText(),
    analyticsId: optionalText(),
    paymentMethodType: optionalText(),
    paymentMethodData: z.optional(paymentMethodData()),
    customerId: optionalText(),
    description: optionalText(),
    default: optionalBoolean(),
    isVerified: optionalBoolean(),
  }),
)

export const instrumentList = lazySchema(() => looseObject({ data: z.array(instrument()) }))

export const listInstrumentsQuery = lazySchema(() => looseObject({ customer_id: z.string() }))

/** Spec 9.5 names the operation; its shape is not shown there. */
export const vaultRequest = lazySchema(() =>
  looseObject({ customerId: z.string(), verify: optionalBoolean() }),
)

export type Instrument = Shape<typeof instrument>
export type InstrumentList = Shape<typeof instrumentList>
