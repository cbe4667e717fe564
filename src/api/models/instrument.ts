import { paymentMethodData } from './payment-method.ts'
import { lazySchema, looseObject, nonEmptyText, optionalBoolean, optionalText, z } from '../schema.ts'
import type { Shape } from '../schema.ts'

const fields = () => ({
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
})

/** Saved payment method (spec 2.9). */
export const instrument = lazySchema(() => looseObject({ ...fields(), isVerified: optionalBoolean() }))

/** The same without `isVerified`, as the response to setting the default (spec 4.12). */
export const defaultInstrument = lazySchema(() => looseObject(fields()))

export const instrumentList = lazySchema(() => looseObject({ data: z.array(instrument()) }))

export const listInstrumentsQuery = lazySchema(() => looseObject({ customer_id: z.string() }))

/** Spec 9.5 names the operation without showing its body. */
export const vaultRequest = lazySchema(() =>
  looseObject({ customerId: nonEmptyText(), verify: optionalBoolean() }),
)

export type Instrument = Shape<typeof instrument>
export type InstrumentList = Shape<typeof instrumentList>
