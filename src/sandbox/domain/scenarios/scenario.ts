import type { PaymentStatus } from '../../../api/sets.ts'
import type { StatusReason } from '../../../api/models/status-reason.ts'
import type { RequiredActionName } from './required-actions.ts'

/** How the processor answers when a payment is created. */
export type CreateOutcome = 'approve' | 'decline' | 'fault' | 'wait' | 'auto-capture'

type FraudResult = 'ACCEPT' | 'REJECT'

/** A way to pay and what happens when you use it, named by its fixed token. */
export interface PaymentScenario {
  readonly token: string
  /** The card number that `sandbox tokenize` accepts for it. */
  readonly card?: string
  /** What the card is for, in a few words. */
  readonly title?: string
  readonly paymentMethodType: string
  /** How responses show the card. */
  readonly display?: {
    readonly first6Digits: string
    readonly last4Digits: string
    readonly network: string
    readonly accountFundingType: string
    /** Default UNKNOWN; for `prepaidReloadableIndicator`, NOT_APPLICABLE. */
    readonly regionalRestriction?: string
    readonly prepaidReloadableIndicator?: string
  }
  readonly onCreate: CreateOutcome
  readonly reason?: StatusReason
  /** With `onCreate: 'wait'`. */
  readonly requiredAction?: RequiredActionName
  readonly threeDSecure?: 'frictionless' | 'challenge' | 'unavailable' | 'skipped'
  /** The results of a fraud check before and after authorization; undefined if there is no check. */
  readonly fraudCheck?: { readonly before: FraudResult; readonly after?: FraudResult }
  /** The result of a manual authorization through another processor. */
  readonly onAuthorize: 'approve' | 'decline'
  readonly settles: 'immediately' | 'later'
  readonly partialCapture: boolean
  readonly adjustable: boolean
  readonly refunds: 'settle' | 'fail'
  /** Whether verification before vaulting succeeds. */
  readonly verifies: boolean
  /** The status of a new payment. */
  readonly outcome: PaymentStatus
  readonly what: string
}
