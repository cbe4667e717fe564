import type { PaymentStatus } from '../../../api/sets.ts'
import type { StatusReason } from '../../../api/models/status-reason.ts'
import type { RequiredActionName } from './required-actions.ts'

/** What the processor says when a payment is created with a method. */
export type CreateOutcome = 'approve' | 'decline' | 'fault' | 'wait' | 'auto-capture'

type FraudResult = 'ACCEPT' | 'REJECT'

/** One way to pay, and everything that it makes happen. The fixed token is its name. */
export interface PaymentScenario {
  readonly token: string
  /** The card number that `sandbox tokenize` takes for it. */
  readonly card?: string
  readonly paymentMethodType: string
  /** What answers show of a card. */
  readonly display?: {
    readonly first6Digits: string
    readonly last4Digits: string
    readonly network: string
    readonly accountFundingType: string
    /** UNKNOWN and NOT_APPLICABLE unless said. */
    readonly regionalRestriction?: string
    readonly prepaidReloadableIndicator?: string
  }
  readonly onCreate: CreateOutcome
  readonly reason?: StatusReason
  /** With `onCreate: 'wait'`. */
  readonly requiredAction?: RequiredActionName
  readonly threeDSecure?: 'frictionless' | 'challenge' | 'unavailable'
  /** What a fraud check said before and after the authorization; there was none otherwise. */
  readonly fraudCheck?: { readonly before: FraudResult; readonly after?: FraudResult }
  /** What a manual authorization through another processor comes to. */
  readonly onAuthorize: 'approve' | 'decline'
  readonly settles: 'at once' | 'later'
  readonly partialCapture: boolean
  readonly adjustable: boolean
  readonly refunds: 'settle' | 'fail'
  /** Whether a verification before vaulting succeeds. */
  readonly verifies: boolean
  /** The status of a new payment. */
  readonly outcome: PaymentStatus
  readonly what: string
}
