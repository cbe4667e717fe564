import { lazySchema, looseObject, optionalOneOf, optionalText } from '../schema.ts'
import type { Shape } from '../schema.ts'

/** Why a payment or a transaction has its status (spec 2.1). */
export const statusReason = lazySchema(() =>
  looseObject({
    type: optionalOneOf('statusReasonType'),
    declineType: optionalOneOf('declineType'),
    code: optionalOneOf('statusReasonCode'),
    message: optionalText(),
  }),
)

export type StatusReason = Shape<typeof statusReason>
