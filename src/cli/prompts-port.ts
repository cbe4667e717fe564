export interface Question {
  /** A short noun, as people see it: "Amount". */
  readonly label: string
  /** What it is for, shown beside the label. */
  readonly hint?: string | undefined
  /** Returns what is wrong, or undefined. */
  readonly check?: ((answer: string) => string | undefined) | undefined
}

/** Questions to a person. Every one has a flag that answers it. Rejects with an InterruptedError on Ctrl-C. */
export interface Prompts {
  readonly text: (question: Question) => Promise<string>
  /** Nothing of the answer is shown but its length. */
  readonly secret: (question: Question) => Promise<string>
  /** No unless the person says yes. */
  readonly confirm: (question: { readonly sentence: string }) => Promise<boolean>
}
