import type { Operation, Risk } from '../../api/operation.ts'
import type { ExitCode, PayError } from '../../errors.ts'
import type { Paint } from '../../output/paint.ts'
import type { Draft } from '../request/start-draft.ts'
import type { CommandInput } from './input.ts'
import type { Invocation } from '../invocation.ts'
import type { ChoiceQuestion } from './prompts-port.ts'
import type { Result } from './result.ts'

export interface Example {
  readonly says: string
  /** The whole line, as it is typed. */
  readonly line: string
}

/** What the question for something missing offers. */
export interface Offer extends Pick<ChoiceQuestion, 'choices' | 'heading' | 'typed'> {
  /** The flags that an answer stands for, where it is more than the value asked for. Those that are given already stay. */
  readonly flagsOf?: (answer: string) => Readonly<Record<string, string>>
}

/** Of what fits the draft so far. Undefined, or no choices: there is nothing to offer, and the answer is typed. */
export type OfferMaker = (invocation: Invocation, draft: Draft) => Promise<Offer | undefined>

/** What completion offers of what this machine knows: names, ids of the ledger, files. */
export type Source =
  | 'profile'
  | 'payment'
  | 'order'
  | 'record'
  | 'write'
  | 'operation'
  | 'write-operation'
  | 'noun'
  | 'file'
  | 'folder'

/** What may stand for a value. */
export interface ValueSpec {
  /** All that it may be. */
  readonly choices?: readonly string[]
  /** Some that it may be, for completion: others are taken too. */
  readonly known?: readonly string[]
  readonly from?: Source
}

export interface ArgumentSpec extends ValueSpec {
  /** As the usage line shows it: `ID`. */
  readonly name: string
  readonly help: string
  /** The path parameter that it fills. */
  readonly param?: string
  /** What the question for it is called. */
  readonly ask?: string
  /** Shown beside the question instead of `help`, for example where `help` mentions stdin. */
  readonly hint?: string
  readonly offer?: OfferMaker
  readonly optional?: true
  /** Takes `-` for stdin and is kept out of every message. */
  readonly secret?: true
  /** Another way to say it. */
  readonly foundBy?: ArgumentFinder
}

/** A flag in the place of an argument: what it names is looked up, once all the rest is known to be right. */
export interface ArgumentFinder {
  /** One of the command's own. */
  readonly flag: string
  /** From here on it is as if what this answers had been typed. */
  readonly find: (invocation: Invocation, value: string) => Promise<string>
}

/**
 * How a flag's text becomes a value: `amount` is minor units or money with its currency, `object` is `field=value` pieces
 * with commas between, `pairs` and `objects` may be repeated, `unset` sends null for the paths it names, `switch` takes no value, `either` is `--x` or `--no-x`.
 */
export type FlagKind =
  | 'text'
  | 'amount'
  | 'currency'
  | 'count'
  | 'datetime'
  | 'pairs'
  | 'object'
  | 'objects'
  | 'switch'
  | 'either'
  | 'texts'
  | 'unset'

/** What the pieces of an object are. */
export type Parts = Readonly<Record<string, 'text' | 'count' | 'amount'>>

export interface FlagSpec extends ValueSpec {
  readonly kind: FlagKind
  readonly help: string
  /** Shown in the usage: `--amount <AMOUNT>`. */
  readonly value?: string
  /** The body field that it sets, as a dotted path. */
  readonly field?: string
  /** The query parameter that it sets. */
  readonly query?: string
  /** The fields of an object, by their dotted paths. */
  readonly parts?: Parts
  /** Asked for when missing: what the question is called. Fields that the request requires are always asked for. */
  readonly ask?: string
  /** Shown beside the question instead of `help`, for example where `help` mentions stdin. */
  readonly hint?: string
  readonly offer?: OfferMaker
  readonly required?: true
  /**
   * Where the value comes from when it is left out: "from the session". The request needs it from there or from here, so
   * that a person is asked for it, and may leave it empty.
   */
  readonly elsewhere?: string
  /** A field that makes no sense without this one: given, it has this one asked for too. */
  readonly besides?: string
  readonly secret?: true
}

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

export interface ConfirmFacts {
  readonly args: Readonly<Record<string, string>>
  readonly body: unknown
  /** "5.00 EUR", or undefined when the service decides. */
  readonly amount: string | undefined
}

export interface Looked {
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
  readonly look?: (invocation: Invocation, draft: Draft) => Promise<Looked>
  /** The sentence to confirm, without the question mark: "Refund 5.00 EUR of payment p1". */
  readonly confirm?: (facts: ConfirmFacts) => string
  /** Transactions an answer into what is shown. Made by `show(operation, view)`. */
  readonly present?: (answer: { readonly text: string; readonly json: unknown }) => Result
  /** Lines for stderr after success: what the answer means, what to do next. */
  readonly afterwards?: (answer: unknown, pay: string) => readonly string[]
  /** Its own `run` obeys --dry-run: it tells what it would do, and changes nothing. */
  readonly dryRuns?: true
  /** An odd command returns data and never prints. */
  readonly run?: (invocation: Invocation, input: CommandInput) => Promise<Result>
}

/** One noun, or a command of the top level. `load` brings the words of one verb only. */
export interface Noun {
  readonly summary: string
  readonly alias?: string
  readonly verbs?: Readonly<Record<string, () => Promise<{ readonly command: CommandSpec }>>>
  readonly load?: () => Promise<{ readonly command: CommandSpec }>
}

export type Tree = Readonly<Record<string, Noun>>
