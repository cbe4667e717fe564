import type { ErrorId } from './error-ids.ts'
import type { Schema } from './schema.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * Whether a write may be resent when its outcome is unknown.
 * - `safe`: yes, repeating it changes nothing.
 * - `keyed`: only with the same idempotency key and body.
 * - `compare`: it sets an absolute value. Read before sending and after an unknown outcome. Never repeat it within one
 *   command; later only while the target still equals what was read.
 * - `look`: never. Read before sending and after an unknown outcome.
 * - `never`: never, and nothing can be read. A person must check.
 */
export type Replay = 'safe' | 'keyed' | 'compare' | 'look' | 'never'

/** What the call can do: `money` moves money, `destructive` can't be undone. */
export type Risk = 'read' | 'write' | 'money' | 'destructive'

/** An error that, on a resend after an unknown outcome, proves that an earlier attempt was applied. */
interface DoneOnResend {
  readonly errorId: string
  /** The operation that sets and returns the record's state if it cannot be read. */
  readonly settleWith?: string
}

/** What a write acts on: an id in the path, or identifying fields of the body. Only one write per target is in flight. */
interface TargetRule {
  readonly kind: 'payment' | 'order' | 'payment-token' | 'session' | 'record' | 'points' | 'saved-method'
  /** Its fields in the path or body; all are required. */
  readonly of: readonly [string, ...string[]]
  /** Stored only as a hash. */
  readonly isSecret?: true
}

/**
 * Which amount a call moves, and where it is.
 * - `none`: it moves no amount.
 * - `given`: `amount` of the body, or of what the body refers to.
 * - `rest`: `amount` of the body; without it, all that is left.
 * - `total`: `amount` of the body, which is the new total.
 * - `of-payment`: the amount of the payment; the body has none.
 * - `points`: `value` of the body, in points instead of money.
 */
type AmountRule = 'none' | 'given' | 'rest' | 'total' | 'of-payment' | 'points'

/** What a write does to a payment, so what a payment shows of it later. */
export type Effect =
  | 'none'
  | 'created'
  | 'authorized'
  | 'captured'
  | 'refunded'
  | 'adjusted'
  | 'resumed'
  | 'cancelled'

/**
 * What decides whether a call with a 2xx response was declined.
 * - `payment`: the payment's status.
 * - `refund`: the state of the refund among the payment's transactions.
 * - `timeout`: nothing declines it, but a processor that never responded leaves the outcome open.
 * - `http-status`: the 2xx status says it all.
 */
export type Verdict = 'payment' | 'refund' | 'timeout' | 'http-status'

/** What is said about an operation. */
interface OperationWords {
  /** With its article: `a refund`. */
  readonly deed: string
  /** `refund`, as in "can't refund twice". */
  readonly verb: string
}

/** Facts about an operation, without its schemas: these load at once, so pages and the ledger read them too. */
export interface OperationFacts {
  readonly method: Method
  /** `{name}` marks a path parameter. */
  readonly path: `/${string}`
  readonly summary: string
  /** The body is optional. */
  readonly bodyOptional?: true
  /** null clears a field of the request (spec 4.2.4). */
  readonly nullClears?: true
  /** The response field that repeats the target's id, named as in the path or body. */
  readonly echoes?: 'id' | 'paymentId'
  /** The response field with the resource's own id, if it repeats no target's. */
  readonly ownId?: 'id' | 'clientToken' | 'token'
  /** Error id of a response that means accepted but not finished; its HTTP status is no error. */
  readonly notFinished?: ErrorId
  /** Takes `X-Idempotency-Key`. */
  readonly idempotencyKey: boolean
  readonly replay: Replay
  readonly doneOnResend?: DoneOnResend
  /** Possible targets of a write; the first whose fields are present applies. Empty if each call creates something new. */
  readonly targets: readonly TargetRule[]
  /** The body contains no secrets and no personal data, so it may be stored for a resend. */
  readonly keepsBody: boolean
  readonly amount: AmountRule
  readonly effect: Effect
  readonly verdict: Verdict
  /** What a successful call creates; the response has its id. */
  readonly creates: 'payment' | 'record' | 'session' | 'transaction' | null
  /** Whether a payment stops accepting the call after a hundred refusals. */
  readonly countsRefusals: boolean
  /** Fields that the body may have in a call with a client token (spec 5.3); null if it needs an API key. */
  readonly clientFields: readonly string[] | null
  /** The command that sends it from an id and `--data` alone; null if only `pay api` does. */
  readonly command: string | null
  /** null for a read. */
  readonly words: OperationWords | null
  /** Rules of the request that its schema can't express, or not legibly. */
  readonly notes: readonly string[]
  readonly risk: Risk
  readonly scope: string
  readonly beta: boolean
}

export interface OperationSchemas {
  readonly query?: Schema
  readonly request?: Schema
  /** Fields that version 2.1 added to the body (spec 9.5), which earlier versions ignore; `*` is each entry of a list. */
  readonly addedIn21?: readonly string[]
  readonly response: Schema
}

/** One row of the operation table. */
export interface Operation extends OperationFacts, OperationSchemas {
  readonly id: string
}

/** Whether `amount` of the body is what the call moves: two calls with the same target and amount are then duplicates. */
export const takesAmount = ({ amount }: Pick<OperationFacts, 'amount'>): boolean =>
  amount === 'given' || amount === 'rest' || amount === 'total'
