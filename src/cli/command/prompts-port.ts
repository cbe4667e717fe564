export interface Question {
  /** A short noun, as people see it: "Amount". */
  readonly label: string
  /** What it is for, shown beside the label. */
  readonly hint?: string | undefined
  /** Returns what is wrong, or undefined. */
  readonly check?: ((answer: string) => string | undefined) | undefined
  /** What the answer comes to, shown while it is typed: "12.50 EUR = 1250". */
  readonly interpret?: ((answer: string) => string | undefined) | undefined
}

/** One of several answers. */
export interface Choice {
  readonly value: string
  /** A line for people; words of the service in it are made safe. */
  readonly text: string
  /** What typing finds it by beside the text. */
  readonly keywords?: string | undefined
  /** What people call it, whole, beside the value: an order id, a name. Others may be called the same. */
  readonly aliases?: readonly string[] | undefined
}

export interface ChoiceQuestion extends Omit<Question, 'check' | 'interpret'> {
  /** At least one. */
  readonly choices: readonly Choice[]
  /** The titles above the choices, where these have columns. */
  readonly heading?: string | undefined
  /** What you may type instead of a choice, such as "another id". Without it, only the choices count. */
  readonly freeText?: { readonly what: string } | undefined
}

/**
 * Questions to a person. Every one has a flag that answers it. Rejects with an InterruptedError on Esc, Ctrl-C and at the
 * end of the input.
 */
export interface Prompts {
  readonly text: (question: Question) => Promise<string>
  /** Nothing of the answer is shown but its length. */
  readonly secret: (question: Question) => Promise<string>
  /** No unless the person says yes. */
  readonly confirm: (question: { readonly sentence: string }) => Promise<boolean>
  /** The value of the choice taken, or what was typed in place of one. Typing searches. */
  readonly choose: (question: ChoiceQuestion) => Promise<string>
}
