import type { PayError } from '../../errors.ts'
import type { RenderOptions } from '../../output/view.ts'

/** What the engine passes to a preview. `amountMinor` is undefined until it is known. */
export interface PreviewFacts extends RenderOptions {
  readonly profileName: string
  readonly mode: 'test' | 'live'
  /** Where the write is recorded. */
  readonly ledger: string
  readonly amountMinor: number | undefined
  readonly final: boolean | undefined
  readonly now: Date
}

export interface Preview {
  /** The payment at present, shown before the amount is asked for. */
  readonly facts: string
  /** What the amount does to the payment. */
  readonly plan: string
}

/** `Refunded 5.00 EUR, 25.50 EUR left` */
export interface Headline {
  readonly text: string
  /** Whether the payment has reached its final state. */
  readonly isFinal: boolean
}

/** A command that moves the money of a payment: what it shows first, and what an omitted amount means. */
export interface MoneySpec {
  readonly preview: (payment: unknown, facts: PreviewFacts) => Preview
  /**
   * The error with which the service would refuse the amount, as far as the payment shows; undefined if it would accept it.
   * Has the same code as the service's error, so that scripts need to handle only one.
   */
  readonly refusal: (payment: unknown, amountMinor: number | undefined) => PayError | undefined
  /** What was done, printed above the result on a terminal. */
  readonly headline: (request: unknown, answer: unknown) => Headline | undefined
  /** What the service takes if the amount is omitted, in minor units; undefined if the payment does not say. */
  readonly fullAmount: (payment: unknown) => number | undefined
  /** Whether a terminal asks for an omitted amount. With `empty-means-all`, an empty answer means all that is left. */
  readonly asksAmount: 'empty-means-all' | 'always' | 'never'
}
