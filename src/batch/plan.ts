import type { ActionName } from '../api/actions/actions.ts'
import type { PaymentStatus } from '../api/sets.ts'

/** What a batch does to each of its payments. */
export const BATCH_OPERATIONS = ['refund', 'capture', 'cancel'] as const satisfies readonly ActionName[]
export type BatchOperation = (typeof BATCH_OPERATIONS)[number]

/** Whether a row can be applied, and if not, why. In the order in which they are judged: the first that holds wins. */
export const VERDICTS = [
  'bad_row',
  'not_found',
  'ambiguous_order',
  'unread',
  'in_doubt',
  'done_before',
  'currency_mismatch',
  'wrong_state',
  'not_captured',
  'nothing_left',
  'exceeds_remaining',
  'possible_duplicate',
  'over_limit',
  'ready',
] as const
export type Verdict = (typeof VERDICTS)[number]

/** The column of a batch's rejects. */
export const REASON_NOT_DONE = 'reason_not_done'
/** The reason of a row that was skipped because its payment was not as planned: this very row may have been done elsewhere. */
export const PAYMENT_MOVED = 'payment_moved'

/** The first line of a plan file. Never contains an API key. */
export interface PlanHeader {
  readonly type: 'plan'
  readonly version: 1
  /** Random. */
  readonly planId: string
  readonly operation: BatchOperation
  readonly profile: string | undefined
  /** Tells accounts apart without revealing the API key; see `accountOf`. */
  readonly account: string
  readonly mode: 'test' | 'live'
  readonly baseUrl: string
  /** `user@machine`, or the principal that signs. */
  readonly planner: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  /** The name of the input file, without its folder; `-` for stdin. */
  readonly input: string
  /** How the rows were read, so that those that aren't done can be written as they came. */
  readonly source: PlanSource
}

export interface PlanSource {
  readonly format: 'csv' | 'ndjson'
  /** Missing for NDJSON. */
  readonly delimiter?: string | undefined
  /** A label of the WHATWG. */
  readonly encoding: string
  readonly hasMark: boolean
  /** Relative to the plan's folder; missing for stdin. */
  readonly path?: string | undefined
}

/** What was read of the input, decoded. Shows whether it has changed since. */
export interface PlannedInput {
  readonly bytes: number
  /** SHA-256 in hexadecimal. */
  readonly hash: string
}

/** The payment as it was when the row was judged. Amounts in minor units. */
export interface Figures {
  readonly status: PaymentStatus | (string & {})
  readonly amount: number
  readonly amountCaptured: number
  readonly amountRefunded: number
}

/** One line for each row of the input, in the order of the file. A mapping may leave rows out, so numbers may be missing. */
export interface PlanRow {
  readonly type: 'row'
  /** Counted from 1, without the line of column names. */
  readonly row: number
  /** Where it begins in the decompressed input, counted from 1. */
  readonly line: number
  readonly verdict: Verdict
  /** Why it isn't ready, in words. */
  readonly message?: string | undefined
  readonly paymentId?: string | undefined
  readonly orderId?: string | undefined
  /** Minor units; explicit even where the input left it out. Missing for a cancellation, and where nothing could be read. */
  readonly amount?: number | undefined
  readonly currencyCode?: string | undefined
  readonly reason?: string | undefined
  readonly ticket?: string | undefined
  /** The row asks for all that is left; `amount` is how much that is. */
  readonly takesAll?: true | undefined
  /** A capture that must not be final: more captures of the payment follow, or the input says so. */
  readonly final?: false | undefined
  /** What a final capture releases of the authorization, in minor units; missing if that is nothing. */
  readonly releases?: number | undefined
  /** Missing where the payment couldn't be read. */
  readonly figures?: Figures | undefined
}

/** Ready rows of one currency. `amount` in minor units. */
export interface CurrencyTotal {
  readonly currencyCode: string
  readonly count: number
  readonly amount: number
}

/** What a plan contains. */
export interface PlanCounts {
  readonly rows: number
  readonly ready: number
  readonly refused: number
  readonly totals: readonly CurrencyTotal[]
  /** Ready rows that take all that is left; missing if there are none. */
  readonly takingAll?: number | undefined
  /** What the ready rows release of authorizations; missing if that is nothing. */
  readonly releases?: readonly CurrencyTotal[] | undefined
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>>
}

/** The last line. */
export interface PlanTrailer extends PlanCounts {
  readonly type: 'end'
  /** SHA-256 in hexadecimal over every byte before this line. */
  readonly digest: string
}
