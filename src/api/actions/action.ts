import type { OperationId } from '../facts.ts'
import type { Payment } from '../models/payment.ts'
import type { PaymentStatus } from '../sets.ts'

/** What a person fills in for an action. */
export type ActionField = 'amount' | 'final' | 'reason' | 'processor' | 'resumeToken'

/** A status that rules out an action. Without words of its own, it is said that the payment can't be captured, for example. */
export interface RuledOut {
  /** Why, and what to do about the row of a plan. */
  readonly inPlan?: string
  /** What to do instead, in a sentence, and the actions that do it. */
  readonly hint?: string
  readonly instead?: readonly string[]
}

/** What a person can do with a payment. */
export interface Action {
  readonly operation: OperationId
  /** On a button. */
  readonly title: string
  /** As in "it can't be captured". */
  readonly participle: string
  readonly states: Readonly<Record<PaymentStatus, 'allowed' | RuledOut>>
  /** What else the payment must have. True where the payment doesn't say enough: then the service decides. */
  readonly isFor: (payment: Payment) => boolean
  /** Why it isn't possible without that. */
  readonly notFor: string | null
  /** The figure that it uses up: with nothing left, it isn't possible. */
  readonly left: 'leftToCapture' | 'leftToRefund' | null
  readonly fields: readonly ActionField[]
  /** The question before it is sent, without its question mark. `what` is an amount or a processor. */
  readonly question: (id: string, what?: string) => string
  /** Without its full stop. */
  readonly consequence: string
  /** What is certain once the service has answered. */
  readonly done: string
  /** The name of the amount where a preview shows what it does to the figures; null if there is none. */
  readonly preview: string | null
  /** Among what `pay payment explain` suggests. */
  readonly suggestion: {
    /** `all`: all that it can move, such as `all 5.00 EUR` or `all of it`; undefined if it is known to be nothing. */
    readonly words: (all: string | undefined) => string
    /** The amount that the suggested command moves: all that is left, or that of the payment. */
    readonly amount: 'left' | 'payment' | null
  }
}
