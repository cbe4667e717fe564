import type { PayError } from '../../errors.ts'
import type { Paint } from '../../output/paint.ts'

/** What the engine tells a preview. */
export interface PreviewFacts {
  readonly profileName: string
  readonly mode: 'test' | 'live'
  readonly amountMinor: number | undefined
  readonly final: boolean | undefined
  readonly paint: Paint
  readonly width: number | undefined
}

export interface Preview {
  /** The payment as it is: shown before the amount is asked for. */
  readonly facts: string
  /** What this amount does to it. */
  readonly plan: string
}

/** `Refunded 5.00 EUR, 25.50 EUR left` */
export interface Headline {
  readonly words: string
  /** Nothing is on its way any longer. */
  readonly isFinal: boolean
}

/** Commands that act on the money of a payment: what is shown before, and what an omitted amount means. */
export interface MoneySpec {
  readonly preview: (payment: unknown, facts: PreviewFacts) => Preview
  /**
   * Why the service would refuse this, as far as the payment tells; the amount is undefined as long as nobody has said
   * it. In the service's own codes, so that it makes no difference who refuses.
   */
  readonly refusal: (payment: unknown, amountMinor: number | undefined) => PayError | undefined
  /** What was done, told on a terminal above the answer. */
  readonly headline: (request: unknown, answer: unknown) => Headline | undefined
  /** What the service takes when the amount is left out, in minor units; undefined when the answer does not tell. */
  readonly whole: (payment: unknown) => number | undefined
  /** Asked for on a terminal when the amount is left out: `all` of it is an empty answer to the first. */
  readonly asksAmount: 'or all' | 'always' | 'never'
}
