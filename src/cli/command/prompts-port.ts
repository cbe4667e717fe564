export interface Question {
  /** A short noun phrase: "Amount". */
  readonly label: string
  /** An explanation, shown next to the label. */
  readonly hint?: string | undefined
  /** Returns what is wrong with the answer, or undefined. */
  readonly check?: ((answer: string) => string | undefined) | undefined
  /** How the answer is understood, shown while the person types: "12.50 EUR = 1250". */
  readonly interpret?: ((answer: string) => string | undefined) | undefined
}

export interface Choice {
  readonly value: string
  /** The line shown. The prompt makes it safe for the terminal. */
  readonly text: string
  /** More text that a search matches. */
  readonly keywords?: string | undefined
  /** Other names of the choice, such as an order ID. Several choices may share one. */
  readonly aliases?: readonly string[] | undefined
}

/** What a search finds, and how it searched. */
export interface FoundChoices extends Pick<ChoiceQuestion, 'choices' | 'heading'> {
  readonly note: string
}

export interface ChoiceQuestion extends Omit<Question, 'check' | 'interpret'> {
  /** One or more. */
  readonly choices: readonly Choice[]
  /** The column titles above the choices. */
  readonly heading?: string | undefined
  /** What you may type instead of a choice, such as "another ID". If absent, only the choices are valid. */
  readonly freeText?: { readonly what: string } | undefined
  /** Searches beyond the choices for what is typed. Without it, typing searches the choices. */
  readonly search?: ((text: string, signal: AbortSignal) => Promise<FoundChoices>) | undefined
}

/**
 * Asks a person. A flag answers every question too. Rejects with an InterruptedError on Esc, on Ctrl-C and at the end of
 * the input.
 */
export interface Prompts {
  readonly text: (question: Question) => Promise<string>
  /** Shows only the length of the answer. */
  readonly secret: (question: Question) => Promise<string>
  /** The default is no. */
  readonly confirm: (question: { readonly sentence: string }) => Promise<boolean>
  /** Returns the value of the choice, or the text typed instead. Typing searches the choices. */
  readonly choose: (question: ChoiceQuestion) => Promise<string>
}
