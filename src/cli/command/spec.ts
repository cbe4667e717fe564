import type { Operation, Risk } from '../../api/operation.ts'
import type { ExitCode } from '../../errors.ts'
import type { Draft } from './draft.ts'
import type { ArgumentSpec, FlagSpec } from './flags.ts'
import type { CommandInput } from './input.ts'
import type { Invocation } from './invocation.ts'
import type { MoneySpec } from './money-spec.ts'
import type { Result } from './result.ts'

export interface Example {
  readonly says: string
  /** The whole line, as it is typed. */
  readonly line: string
}

export interface ConfirmFacts {
  readonly args: Readonly<Record<string, string>>
  readonly body: unknown
  /** "5.00 EUR", or undefined when the service decides. */
  readonly amount: string | undefined
}

export interface TargetReview {
  readonly draft: Draft
  /** What could not be looked at in a dry run. */
  readonly unchecked?: readonly string[]
}

/** A command: words for people about one operation, or a `run` of its own. The engine does the rest. */
export interface CommandSpec {
  readonly path: readonly [string, ...string[]]
  readonly summary: string
  readonly details?: string
  readonly examples: readonly [Example, ...Example[]]
  readonly args?: readonly ArgumentSpec[]
  readonly flags?: Readonly<Record<string, FlagSpec>>
  readonly operation?: Operation
  /** What it does to money or data, where no operation says so: `read` unless told. */
  readonly risk?: Risk
  /** Asks before it acts on a live profile, where that does not follow from the operation. */
  readonly asksOnLive?: true
  /** For its help: what it moves or changes, and whether that can be undone. */
  readonly effect?: string
  /** Exit codes that matter and do not follow from the operation. */
  readonly exitCodes?: readonly ExitCode[]
  /** Commands that come before, after or in place of it: `payment get`. */
  readonly related?: readonly string[]
  /** Body fields that the command itself stands for, over everything else. */
  readonly fixed?: Readonly<Record<string, unknown>>
  readonly money?: MoneySpec
  /** Looks at what the call is about before it is confirmed and sent: for what the request takes from there, and for a person to see. */
  readonly reviewTarget?: (invocation: Invocation, draft: Draft) => Promise<TargetReview>
  /** The sentence to confirm, without the question mark: "Refund 5.00 EUR of payment p1". */
  readonly confirm?: (facts: ConfirmFacts) => string
  /** Transactions an answer into what is shown. Made by `show(operation, view)`. */
  readonly present?: (answer: { readonly text: string; readonly json: unknown }) => Result
  /** Lines for stderr after success: what the answer means, what to do next. */
  readonly successNotes?: (answer: unknown, pay: string) => readonly string[]
  /** Its own `run` obeys --dry-run: it tells what it would do, and changes nothing. */
  readonly dryRuns?: true
  /** What a command without a plain operation does. It returns data and never prints. */
  readonly run?: (run: CommandRun, input: CommandInput, tree: Tree) => Promise<Result>
}

/** An {@link Invocation} with its command, as the engine needs it. */
export interface CommandRun extends Invocation {
  readonly spec: CommandSpec
  /** Whether the service has answered a write. */
  readonly hasWritten: () => boolean
  /** Removes the API key from a result, wherever it comes from. */
  readonly hideKeys: (text: string) => string
}

/** One noun, or a command of the top level. `load` brings the words of one verb only. */
export interface Noun {
  readonly summary: string
  readonly alias?: string
  readonly verbs?: Readonly<Record<string, () => Promise<{ readonly command: CommandSpec }>>>
  readonly load?: () => Promise<{ readonly command: CommandSpec }>
}

export type Tree = Readonly<Record<string, Noun>>
