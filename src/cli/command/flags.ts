import type { Invocation } from './invocation.ts'
import type { ChoiceQuestion } from './prompts-port.ts'

/** The choices of a question for a missing value. */
export type Offer = Pick<ChoiceQuestion, 'choices' | 'heading' | 'freeText' | 'search'>

/** Where completion finds values on this machine: profile names, IDs in the ledger, files. */
export type ValueSource =
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

/** The values that an argument or flag takes. */
export interface ValueSpec {
  /** All valid values. */
  readonly choices?: readonly string[]
  /** Common values, for completion. Others are valid too. */
  readonly suggestions?: readonly string[]
  readonly from?: ValueSource
}

/** How a terminal asks for a missing value. */
interface Asked extends ValueSpec {
  readonly help: string
  /** The label of the question. */
  readonly ask?: string
  /** Shown next to the question instead of `help`, for example if `help` mentions stdin. */
  readonly hint?: string
  /** The choices of the question. Without any, the person types the answer. */
  readonly offer?: (invocation: Invocation) => Promise<Offer | undefined>
  /** Throws for an invalid answer; the terminal then asks again. */
  readonly check?: (answer: string, context: Invocation['context']) => unknown
  /** Reads stdin for `-`, and never appears in a message. */
  readonly secret?: true
}

export interface ArgumentSpec extends Asked {
  /** The name in the usage line: `ID`. */
  readonly name: string
  /** The path parameter that it sets. */
  readonly param?: string
  readonly optional?: true
  /** Takes all words that follow; only the last argument may. They are in `words` of the input. */
  readonly repeats?: true
  readonly lookup?: ArgumentLookup
}

/** A flag that replaces an argument, such as `--order` for `ID`. The lookup runs after all other checks. */
interface ArgumentLookup {
  /** One of the command's own flags. */
  readonly flag: string
  /** Finds the value of the argument. */
  readonly find: (invocation: Invocation, value: string) => Promise<string>
  /** Whether the service knows this as a value of the flag. Asked when it doesn't know it as the argument. */
  readonly isKnown: (invocation: Invocation, value: string) => Promise<boolean>
}

/**
 * How the text of a flag becomes a value. `amount` is minor units or an amount with its currency. `object` is
 * `field=value` pieces separated by commas. `pairs`, `objects`, `texts` and `unset` can be repeated. `unset` sends null
 * for each path. `switch` takes no value; `either` is `--x` or `--no-x`.
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

/** The fields of an object flag, by dotted path, and their types. */
export type Parts = Readonly<Record<string, 'text' | 'count' | 'amount'>>

export interface FlagSpec extends Asked {
  readonly kind: FlagKind
  /** The placeholder in the usage: `--amount <AMOUNT>`. */
  readonly value?: string
  /** The body field that it sets, as a dotted path. */
  readonly field?: string
  /** The query parameter that it sets. */
  readonly query?: string
  readonly parts?: Parts
  /** Whether the command requires it. Not needed for a body field that the request requires. */
  readonly required?: true
  /**
   * What supplies the value if it is omitted, such as "from the session". A terminal asks for the value, shows this text and
   * accepts an empty answer.
   */
  readonly defaultsTo?: string
  /** Another body field that needs this one: if only the other is given, a terminal asks for this one. */
  readonly askedWith?: string
}
