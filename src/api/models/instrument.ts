import { paymentMethodData } from './payment-method.ts'
import { lazy } from '../lazy.ts'
import { fields, flag, text, z } from '../schema.ts'
import type { Shape } from '../schema.ts'

/** Saved payment method (spec 2.9). */
export const instrument = lazy(() =>
  fields({
    createdAt: text(),
    deletedAt: text(),
    deleted: flag(),
    token: text(),
    tokenType: text(),
    analyticsId: text(),
    paymentMethodType: text(),
    paymentMethodData: z.optional(paymentMethodData()),
    customerId: text(),
    description: text(),
    default: flag(),
    isVerified: flag(),
  }),
)

export const instrumentList = lazy(() => fields({ data: z.array(instrument()) }))

export const listInstrumentsQuery = lazy(() => fields({ customer_id: z.string() }))

/** Spec 9.5 names the operation; its shape is not shown there. */
export const vaultRequest = lazy(() => fields({ customerId: z.string(), verify: flag() }))

export type Instrument = Shape<typeof instrument>
export type InstrumentList = Shape<typeof instrumentList>
