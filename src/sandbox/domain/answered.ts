import { moved, withLastSale } from './payment-changes.ts'
import { scenarioOfToken } from './scenarios.ts'
import type { PaymentEvent } from './states.ts'
import type { StoredPayment } from './stored-payment.ts'
import { challengeAnswered } from './three-d-secure.ts'
import { vaultIfAsked } from './vault.ts'
import { WAITS } from './waits.ts'
import type { World } from './world.ts'

type Answer = Extract<
  PaymentEvent,
  'challenge passed' | 'challenge failed' | 'third party agreed' | 'third party refused'
>

/** A payment that waited, once the customer or the third party has answered. */
export function answered(payment: StoredPayment, answer: Answer, world: World): StoredPayment {
  const scenario = scenarioOfToken(payment.method.scenario)
  const isYes = answer === 'challenge passed' || answer === 'third party agreed'
  // Only our own challenge says anything about 3DS here.
  const threeDSecure =
    scenario?.threeDSecure === 'challenge'
      ? challengeAnswered(isYes ? 'pass' : 'fail')
      : payment.method.threeDSecure
  const after = moved({ ...payment, method: { ...payment.method, threeDSecure } }, answer)
  if (isYes) return vaultIfAsked(after, world)
  const { refusal } = WAITS[scenario?.waitsFor ?? '3DS_AUTHENTICATION']
  return withLastSale({ ...after, statusReason: refusal }, { processorStatusReason: refusal })
}
