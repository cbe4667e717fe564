import type { StatusReason } from '../../../api/models/status-reason.ts'
import { applyEvent, updateLastSale } from './payment-changes.ts'
import { scenarioOfToken } from '../scenarios/payment-scenarios.ts'
import type { CreateOutcome } from '../scenarios/payment-scenarios.ts'
import type { PaymentEvent } from './states.ts'
import type { StoredPayment } from '../stored.ts'
import { threeDSecureAfterChallenge } from './three-d-secure.ts'
import { vaultIfRequested } from './payment-source.ts'
import { REQUIRED_ACTIONS } from '../scenarios/required-actions.ts'
import type { SandboxContext } from '../context.ts'

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
    payment.method.threeDSecure?.['responseCode'] === 'CHALLENGE'
      ? threeDSecureAfterChallenge(isApproved ? 'pass' : 'fail')
      : payment.method.threeDSecure
  const answered = { ...payment, method: { ...payment.method, threeDSecure } }
  // A card that gets a challenge only by the settings is declined, or fails, afterwards.
  const failure = isApproved ? FAILURES[scenario?.onCreate ?? 'approve'] : undefined
  if (failure !== undefined) return withReason(applyEvent(answered, failure), scenario?.reason)
  const after = applyEvent(answered, answer)
  if (isApproved) return vaultIfRequested(after, context)
  return withReason(after, REQUIRED_ACTIONS[scenario?.requiredAction ?? '3DS_AUTHENTICATION'].refusal)
}

const FAILURES: Readonly<Partial<Record<CreateOutcome, PaymentEvent>>> = {
  decline: 'declined',
  fault: 'faulted',
}

const withReason = (payment: StoredPayment, reason: StatusReason | undefined): StoredPayment =>
  updateLastSale({ ...payment, statusReason: reason }, { processorStatusReason: reason })
