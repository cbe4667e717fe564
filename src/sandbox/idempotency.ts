import type { Admitted } from './gate.ts'
import { showPayment } from './payment-view.ts'
import { Problem } from './problem.ts'
import type { UsedKey } from './store/idempotency-keys.ts'
import type { World } from './world.ts'

/** What a used idempotency key is answered with: a refusal that names the payment, or the first answer again. */
export type IdempotencyStyle = 'reject' | 'replay'

/** The first answer once more, for the same call; undefined for another one with that key. */
export const replayOf = ({ payment, requestHash }: UsedKey, admitted: Admitted, world: World): unknown =>
  payment === undefined || requestHash !== admitted.requestHash() ? undefined : showPayment(payment, world)

/** A decline has used its key: the call was processed. A refused call has not. */
export const refuseUsedKey = ({ paymentId }: UsedKey, { store }: World): Problem =>
  new Problem('IdempotencyKeyAlreadyExists', 'The idempotency key was used by a call that was processed.', {
    payment: { paymentId, paymentStatus: store.payments.find(paymentId)?.status ?? 'PENDING' },
    recoverySuggestion: 'Read the payment: it shows what the earlier call did.',
  })
