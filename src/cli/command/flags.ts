import type { Draft } from './draft.ts'
import type { Invocation } from './invocation.ts'
import type { ChoiceQuestion } from './prompts-port.ts'

/** What the question for something missing offers. */
export interface Offer extends Pick<ChoiceQuestion, 'choices' | 'heading' | 'freeText'> {
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
  readonly lookup?: ArgumentLookup
}

/** A flag in the place of an argument: what it names is looked up, once all the rest is known to be right. */
export interface ArgumentLookup {
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
  readonly defaultsTo?: string
  /** A field that makes no sense without this one: given, it has this one asked for too. */
  readonly askedWith?: string
  readonly secret?: true
}
