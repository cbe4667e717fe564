import { PayError } from '../../errors.ts'
import type { Tone } from '../../output/paint.ts'

export interface PromptStreams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

export interface Question {
  /** A short noun phrase: "Amount". */
  readonly label: string
  /** An explanation, shown next to the label. */
  readonly hint?: string | undefined
  /** Whether an empty answer leaves the value out. */
  readonly canSkip?: true
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
  /** At least one. */
  readonly choices: readonly Choice[]
  /** The column titles above the choices. */
  readonly heading?: string | undefined
  /** What you may type instead of a choice, such as "another ID". If absent, only the choices are valid. */
  readonly freeText?: { readonly what: string } | undefined
  /** Searches beyond the choices for what is typed. Without it, typing searches the choices. */
  readonly search?: ((text: string, signal: AbortSignal) => Promise<FoundChoices>) | undefined
}

/** A pressed key. */
export interface Key {
  /** The name that readline gives it: `return`, `up`, `r`. */
  readonly name: string
  readonly isCtrl: boolean
  /** The text that the key types; empty for keys that type nothing. */
  readonly text: string
  /** When it was pressed, on a clock for durations. */
  readonly atMs: number
}

/** A key that a screen offers, and what it does. */
export interface ScreenKey {
  readonly name: string
  readonly isCtrl?: true
  readonly words: string
}

/** A part of a line that has a colour of its own. */
export interface Tint {
  readonly text: string
  readonly tone: Tone
}

/** What a screen shows. Every text is one line and safe for a terminal. */
export interface Picture {
  readonly title?: string
  readonly titleTint?: Tint | undefined
  /** A line to type in. */
  readonly input?: { readonly label: string; readonly text: string }
  readonly heading?: string
  readonly rows: readonly {
    readonly text: string
    readonly tone?: 'dim' | 'warn' | undefined
    readonly tint?: Tint | undefined
  }[]
  /** The index of the row that Enter takes. */
  readonly chosen: number
  /** Lines below the rows, wrapped to the width of the terminal. */
  readonly status: readonly string[]
  readonly keys: readonly ScreenKey[]
}

export type Step<State, Answer> = { readonly state: State } | { readonly answer: Answer }

/** Applies what a screen has waited for, with the time on the clock of its keys. */
export type Change<State, Answer> = (step: (state: State, atMs: number) => Step<State, Answer>) => void

/** A screen that is drawn in place until a key answers it. Pure, except for what `follow` starts. */
export interface Screen<State, Answer> {
  readonly start: State
  readonly press: (state: State, key: Key) => Step<State, Answer>
  /** What to show. A row has room for `columns` columns. */
  readonly picture: (state: State, columns: number) => Picture
  /** The state with this row chosen. Like `enter`, for a person who answers with whole lines. */
  readonly pick?: (state: State, row: number) => State
  /** The state with this text typed. */
  readonly enter?: (state: State, text: string) => State
  /**
   * Whether to wait before showing the state, because what it shows is still being read. Only a screen drawn in place shows such
   * a state.
   */
  readonly isWaiting?: (state: State) => boolean
  /** Called with each state. Starts what the state waits for, and passes the result to `change`. */
  readonly follow?: (state: State, change: Change<State, Answer>) => void
  /** Discards the keys typed before it was drawn. Drawn in place, it takes Enter only as a command that moves money does. */
  readonly isGuarded?: true
}

/** How a command asks. */
export interface PromptOptions {
  /**
   * Whether the command moves money. Its questions are drawn only after {@link QUIET_MS} without a key, and earlier keys are
   * discarded. Enter counts only {@link QUIET_MS} after the question was drawn, and never in a paste.
   */
  readonly isGuarded: boolean
}

/**
 * The questions to a person. A flag can answer each of them instead. They reject with an InterruptedError on Esc, on Ctrl-C and
 * at the end of the input.
 */
export interface Prompts {
  readonly text: (question: Question) => Promise<string>
  /** Asks for a text, and shows only its length. */
  readonly secret: (question: Question) => Promise<string>
  /** Asks for yes or no; the default is no. Guarded in every command. */
  readonly confirm: (question: { readonly sentence: string }) => Promise<boolean>
  /** Returns the value of the choice, or the text typed instead. Typing searches the choices. */
  readonly choose: (question: ChoiceQuestion) => Promise<string>
  readonly show: <State, Answer>(screen: Screen<State, Answer>) => Promise<Answer>
}

/** How long no key must arrive: then none is held down or pasted. A question that was drawn this long ago has been seen. */
export const QUIET_MS = 300
/** A key that is held down repeats faster than this. */
export const REPEAT_MS = 150

/** Turns a function that throws into the `check` of a question, with message and hint. */
export const checkWith =
  (check: (answer: string) => unknown) =>
  (answer: string): string | undefined => {
    try {
      check(answer)
      return undefined
    } catch (error) {
      if (!(error instanceof PayError)) throw error
      return error.details.hint === undefined ? error.message : `${error.message}. ${error.details.hint}`
    }
  }
