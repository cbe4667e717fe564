export interface Question {
  /** A short noun, as people see it: "Amount". */
  readonly label: string
  /** What it is for, shown beside the label. */
  readonly hint?: string | undefined
  /** Returns what is wrong, or undefined. */
  readonly check?: ((answer: string) => string | undefined) | undefined
}

export interface Choice {
  readonly value: string
  readonly label: string
}

/** Questions to a person. Every one has a flag that answers it. Rejects with an InterruptedError on Ctrl-C. */
export interface Prompts {
  readonly text: (question: Question) => Promise<string>
  /** Nothing of the answer is shown but its length. */
  readonly secret: (question: Question) => Promise<string>
  readonly choose: (question: Question & { readonly choices: readonly Choice[] }) => Promise<string>
  /** No unless the person says yes. */
  readonly confirm: (question: { readonly sentence: string }) => Promise<boolean>
}
