import type { Operation, Risk } from '../../api/operation.ts'
import type { ExitCode, Outcome, PayError } from '../../errors.ts'
import type { Draft } from './draft.ts'
import type { ArgumentSpec, FlagSpec } from './flags.ts'
import type { CommandInput } from './input.ts'
import type { Invocation } from './invocation.ts'
import type { Result } from './result.ts'
import type { RenderOptions } from '../../output/view.ts'

export interface Example {
  /** What the example is for: "refund 5.00 EUR". */
  readonly purpose: string
  /** The whole line as typed. */
  readonly line: string
}

/** What a confirmation sentence may mention. `args` are path parameters by name. */
interface ConfirmFacts {
  readonly args: Readonly<Record<string, string>>
  readonly body: unknown
  /** "5.00 EUR", or undefined if the service decides. */
  readonly amount: string | undefined
}

/** What lines about the next step need to know. */
export interface SuccessFacts {
  /** The program name with the flags that choose the account. */
  readonly pay: string
  readonly isSandbox: boolean
}

export interface TargetReview {
  readonly draft: Draft
  /** Checks that a dry run leaves out because they need the service. */
  readonly unchecked?: readonly string[]
}

/** A command: help texts and flags for one operation, or its own `run`. The engine does the rest. */
export interface CommandSpec {
  readonly path: readonly [string, ...string[]]
  readonly summary: string
  readonly details?: string
  readonly examples: readonly [Example, ...Example[]]
  readonly args?: readonly ArgumentSpec[]
  readonly flags?: Readonly<Record<string, FlagSpec>>
  readonly operation?: Operation
  /** Whether it takes the flags of a request body although no operation describes one. */
  readonly sendsAnyBody?: true
  /** The risk of a command without an operation; default: `read`. */
  readonly risk?: Risk
  /** Asks for confirmation on a live profile, even if its operation does not require that. */
  readonly asksOnLive?: true
  /** What it moves or changes, and whether you can undo that, for its help page. */
  readonly effect?: string
  /** The state after an error of it that changed nothing, in place of the usual words for its risk. */
  readonly unchanged?: string
  /** Exit codes beyond those of the operation. */
  readonly exitCodes?: readonly ExitCode[]
  /** Commands to use before, after or instead of it: `payment get`. */
  readonly related?: readonly string[]
  /** Body fields that the command always sends. They override all input. */
  readonly fixed?: Readonly<Record<string, unknown>>
  readonly money?: MoneySpec
  /** Warns a person, before the first question about it, of what the payment (or, without one, the request's body) doesn't show. */
  readonly warnMore?: (invocation: Invocation, shown: unknown) => Promise<void>
  /** What a terminal asks after the amount. */
  readonly askMore?: (invocation: Invocation, draft: Draft, payment: unknown) => Promise<Draft>
  /** Reads the target before the confirmation: to show it to a person, and to complete the request from it. */
  readonly reviewTarget?: (invocation: Invocation, draft: Draft) => Promise<TargetReview>
  /** The sentence to confirm, without a question mark: "Refund 5.00 EUR of payment p1". */
  readonly confirm?: (facts: ConfirmFacts) => string
  /** How to show a response. Made by `show(schema, view)`. */
  readonly present?: (answer: { readonly text: string; readonly json: unknown }) => Result
  /** Lines for stderr after success: what the response means, what to do next. */
  readonly successNotes?: (answer: unknown, facts: SuccessFacts) => readonly string[]
  /** Whether its `run` sends many rows, and the same command line continues after those that are done. */
  readonly resumes?: true
  /** Whether its `run` supports --dry-run, which reports what it would do and changes nothing. */
  readonly supportsDryRun?: true
  /** Whether its `run` uses --again although it sends no write itself. */
  readonly takesAgain?: true
  /** What a command without a plain operation does. It returns data and never prints. */
  readonly run?: (run: CommandRun, input: CommandInput, tree: Tree) => Promise<Result>
}

export const riskOf = ({ operation, risk }: CommandSpec): Risk => operation?.risk ?? risk ?? 'read'

/** Whether the command moves money or destroys something. */
export const movesMoney = (spec: CommandSpec): boolean =>
  spec.asksOnLive === true || ['money', 'destructive'].includes(riskOf(spec))

/** An {@link Invocation} with its command, as the engine needs it. */
export interface CommandRun extends Invocation {
  readonly spec: CommandSpec
  /** What the run is known to have done at the service so far; `unknown` once a write was sent, until the service has responded. */
  readonly effect: () => Outcome
  /** Removes the API key from a result, no matter where the key comes from. */
  readonly hideKeys: (text: string) => string
}

/** A noun with its verbs, or a command without a noun. A spec is loaded only when it is needed. */
export interface Noun {
  readonly summary: string
  readonly alias?: string
  readonly verbs?: Readonly<Record<string, () => Promise<{ readonly command: CommandSpec }>>>
  readonly load?: () => Promise<{ readonly command: CommandSpec }>
}

export type Tree = Readonly<Record<string, Noun>>

/** What the engine passes to a preview. `amountMinor` is undefined until it is known. */
interface PreviewFacts extends RenderOptions {
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

/** One line that sums up what was done: `Refunded 5.00 EUR, 25.50 EUR left`. */
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
