import type { CheckoutPayment, Outcome } from '../service/client.ts'

/** Why a checkout can't be used. */
export interface Unusable {
  readonly title: string
  /** What happened and what to do. */
  readonly text: readonly string[]
  readonly canRetry: boolean
  /** The error of the service, if it gave one. */
  readonly errorId?: string
}

/** The customer's current step. */
export type Phase =
  | { readonly kind: 'loading' }
  | { readonly kind: 'unusable'; readonly problem: Unusable }
  | { readonly kind: 'choosing'; readonly problem?: string | undefined }
  /** `isSent`: the payment may exist. */
  | { readonly kind: 'busy'; readonly isSent: boolean }
  /** No response to a payment that was sent. While it `continues`, the page retries automatically, which is safe. */
  | {
      readonly kind: 'unconfirmed'
      readonly why: string
      readonly paymentId: string | undefined
      readonly continues: boolean
    }
  | {
      readonly kind: 'pending'
      readonly payment: CheckoutPayment
      readonly isAnswering: boolean
      readonly problem?: string | undefined
    }
  | { readonly kind: 'ended'; readonly result: Result }

export interface Result {
  readonly outcome: Outcome
  /** Undefined if the service refused to create one. */
  readonly payment: CheckoutPayment | undefined
  /** A code, such as INSUFFICIENT_FUNDS. */
  readonly reason: string | undefined
  readonly message: string | undefined
}
