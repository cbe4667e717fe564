import * as z from 'zod/mini'
import { lazySchema } from '../../api/schema.ts'

/** The limits over time as a profile and a team's ledger store them. A mistyped one must not disable it. */

const WHOLE = 'must be a whole number'
const count = () => z.int(WHOLE).check(z.minimum(0, WHOLE))
const SPAN = 'must be a whole number of milliseconds'
const spanMs = () => z.int(SPAN).check(z.minimum(1, SPAN))

export const limitFields = () => ({
  maxTotal: z.optional(
    z.record(
      z.string().check(z.regex(/^[A-Z]{3}$/, 'must have currency codes such as "EUR" as its keys')),
      z.strictObject({ amount: count(), spanMs: spanMs() }, 'must have an amount and spanMs'),
      'must be an object',
    ),
  ),
  maxCount: z.optional(z.strictObject({ count: count(), spanMs: spanMs() }, 'must have a count and spanMs')),
})

export const limitsInTime = lazySchema(() => z.strictObject(limitFields()))
