import { applyEvent, updateLastSale } from './payment-changes.ts'
import { scenarioOfToken } from '../scenarios/find-scenario.ts'
import type { PaymentEvent } from './states.ts'
import type { StoredPayment } from '../store/stored-payment.ts'
import { threeDSecureAfterChallenge } from './three-d-secure.ts'
import { vaultIfRequested } from './vault.ts'
import { REQUIRED_ACTIONS } from '../scenarios/required-actions.ts'
import type { SandboxContext } from '../store/context.ts'

type Answer = Extract<
  PaymentEvent,
  'challenge passed' | 'challenge failed' | 'third party agreed' | 'third party refused'
>

/** The pending payment after the customer or the third party has answered. */
export function completeRequiredAction(
  payment: StoredPayment,
  answer: Answer,
  context: SandboxContext,
): StoredPayment {
  const scenario = scenarioOfToken(payment.method.scenario)
  const isApproved = answer === 'challenge passed' || answer === 'third party agreed'
  // Only the sandbox's own challenge changes the 3DS result.
  const threeDSecure =
    scenario?.threeDSecure === 'challenge'
      ? threeDSecureAfterChallenge(isApproved ? 'pass' : 'fail')
      : payment.method.threeDSecure
  const after = applyEvent({ ...payment, method: { ...payment.method, threeDSecure } }, answer)
  if (isApproved) return vaultIfRequested(after, context)
  const { refusal } = REQUIRED_ACTIONS[scenario?.requiredAction ?? '3DS_AUTHENTICATION']
  return updateLastSale({ ...after, statusReason: refusal }, { processorStatusReason: refusal })
}
