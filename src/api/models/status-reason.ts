import { lazy } from '../lazy.ts'
import { fields, text, value } from '../schema.ts'
import type { Shape } from '../schema.ts'

/** Why a payment or a transaction has its status (spec 2.1). */
export const statusReason = lazy(() =>
  fields({
    type: value('statusReasonType'),
    declineType: value('declineType'),
    code: value('statusReasonCode'),
    message: text(),
  }),
)

export type StatusReason = Shape<typeof statusReason>
