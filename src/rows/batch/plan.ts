import type { ActionName } from '../../api/actions/actions.ts'
import { lazySchema, z } from '../../api/schema.ts'
import type { Shape } from '../../api/schema.ts'

/** The operations that a batch can do to each of its payments. */
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

/** A number of minor units, or another count. */
const count = () => z.int().check(z.minimum(0))
const text = () => z.optional(z.string())

/** The first line of a plan file. Never contains an API key. */
const planHeader = lazySchema(() =>
  z.object({
    type: z.literal('plan'),
    version: z.literal(1),
    /** The random ID of the plan. */
    planId: z.string().check(z.regex(/^[\w-]{8,64}$/)),
    operation: z.enum(BATCH_OPERATIONS),
    profile: text(),
    /** The account, told apart without revealing the API key; see `accountOf`. */
    account: z.string(),
    mode: z.enum(['test', 'live']),
    baseUrl: z.string(),
    /** The planner: `user@machine`, or the principal that signs. */
    planner: z.string(),
    /** The time of the plan, ISO 8601 in UTC. */
    createdAt: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)),
    /** The name of the input file, without its folder; `-` for stdin. */
    input: z.string(),
    /** The way in which the rows were read, so that those that aren't done can be written as they came. */
    source: z.object({
      format: z.enum(['csv', 'ndjson']),
      /** The delimiter; missing for NDJSON. */
      delimiter: text(),
      /** The encoding, as a label of the WHATWG. */
      encoding: z.string(),
      hasMark: z.boolean(),
      /** The lines before the header; missing for none. */
      skipLines: z.optional(z.number().check(z.int(), z.positive())),
      /** Relative to the plan's folder; missing for stdin. */
      path: text(),
    }),
  }),
)
export type PlanHeader = Readonly<Shape<typeof planHeader>>
export type PlanSource = Readonly<PlanHeader['source']>

/** The payment as it was when the row was judged. Amounts in minor units. */
const figures = () =>
  z.object({ status: z.string(), amount: count(), amountCaptured: count(), amountRefunded: count() })

/** The line of a row of the input. Lines have the order of the file. A mapping may leave rows out, so numbers may be missing. */
const planRow = lazySchema(() =>
  z.object({
    type: z.literal('row'),
    /** The number of the row, counted from 1 without the line of column names. */
    row: z.int().check(z.minimum(1)),
    /** The line where the row begins in the decompressed input, counted from 1. */
    line: z.int().check(z.minimum(1)),
    verdict: z.enum(VERDICTS),
    /** Why the row isn't ready, in words. */
    message: text(),
    paymentId: text(),
    orderId: text(),
    /** The amount, even where the input left it out. Missing for a cancellation, and where nothing could be read. */
    amount: z.optional(count()),
    currencyCode: text(),
    reason: text(),
    ticket: text(),
    /** Whether the row asks for all that is left; `amount` is how much that is. */
    takesAll: z.optional(z.literal(true)),
    /** False for a capture that must not be final: more captures of the payment follow, or the input says so. */
    final: z.optional(z.literal(false)),
    /** How much of the authorization a final capture releases; missing if that is nothing. */
    releases: z.optional(count()),
    /** The figures of the payment; missing where it couldn't be read. */
    figures: z.optional(figures()),
  }),
)
export type PlanRow = Readonly<Shape<typeof planRow>>

/** The input as read and decoded: its length, and its SHA-256 in hexadecimal. Shows whether it has changed since. */
const plannedInput = lazySchema(() =>
  z.object({ type: z.literal('input'), bytes: count(), hash: z.string() }),
)
export type PlannedInput = Readonly<Omit<Shape<typeof plannedInput>, 'type'>>

// The digest shows that a file is unchanged, not that `pay` wrote it, so each line is checked.
export const isPlanHeader = (value: unknown): value is PlanHeader => planHeader().safeParse(value).success
export const isPlanRow = (value: unknown): value is PlanRow => planRow().safeParse(value).success
export const isPlannedInput = (value: unknown): value is PlannedInput =>
  plannedInput().safeParse(value).success

/** Whether a ready row names everything that its request needs. */
export function isComplete(
  { operation }: Pick<PlanHeader, 'operation'>,
  { verdict, paymentId, amount, currencyCode, figures: planned }: PlanRow,
): boolean {
  if (verdict !== 'ready') return true
  if (paymentId === undefined || paymentId === '' || planned === undefined) return false
  return operation === 'cancel' || (amount !== undefined && amount > 0 && currencyCode !== undefined)
}

/** The ready rows of one currency. `amount` is in minor units. */
export interface CurrencyTotal {
  readonly currencyCode: string
  readonly count: number
  readonly amount: number
}

/** The counts of a plan. */
export interface PlanCounts {
  readonly rows: number
  readonly ready: number
  readonly refused: number
  readonly totals: readonly CurrencyTotal[]
  /** The number of ready rows that take all that is left; missing if there are none. */
  readonly takingAll?: number | undefined
  /** The amounts of authorizations that the ready rows release; missing if that is nothing. */
  readonly releases?: readonly CurrencyTotal[] | undefined
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>>
}

/** The last line of a plan. */
export interface PlanTrailer extends PlanCounts {
  readonly type: 'end'
  /** The SHA-256, in hexadecimal, of every byte before this line. */
  readonly digest: string
}
