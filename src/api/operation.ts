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
export interface DoneOnResend {
  readonly errorId: string
  /** The operation that sets and returns the record's state if it cannot be read. */
  readonly settleWith?: string
}

/** What a write acts on: an id in the path, or identifying fields of the body. Only one write per target is in flight. */
export interface TargetRule {
  readonly kind: 'payment' | 'order' | 'payment-token' | 'session' | 'record' | 'points' | 'saved-method'
  /** Its fields in the path or body; all are required. */
  readonly of: readonly [string, ...string[]]
  /** Stored only as a hash. */
  readonly isSecret?: true
}

/** One row of the operation table: facts about the protocol, and a one-line summary. */
export interface Operation {
  readonly id: string
  readonly method: Method
  /** `{name}` marks a path parameter. */
  readonly path: `/${string}`
  readonly summary: string
  readonly query?: Schema
  readonly request?: Schema
  /** Fields that version 2.1 added to the body (spec 9.5), which earlier versions ignore; `*` is each entry of a list. */
  readonly addedIn21?: readonly string[]
  /** The body is optional. */
  readonly bodyOptional?: true
  /** null clears a field of the request (spec 4.2.4). */
  readonly nullClears?: true
  readonly response: Schema
  /** The response field that repeats the target's id, named as in the path or body. */
  readonly echoes?: 'id' | 'paymentId'
  /** The response field with the resource's own id, if it repeats no target's. */
  readonly ownId?: 'id' | 'clientToken' | 'token'
  /** Error id of a response that means accepted but not finished; its HTTP status is no error. */
  readonly notFinished?: ErrorId
  /** Takes `X-Idempotency-Key`. */
  readonly idempotencyKey: boolean
  readonly replay: Replay
  /** Possible targets of a write; the first whose fields are present applies. Undefined if each call creates something new. */
  readonly targets?: readonly TargetRule[]
  /** Two calls with the same target and amount are duplicates, even if other fields differ. */
  readonly movesAmount?: true
  /** Unit of the amount if it is not money. */
  readonly unit?: 'points'
  /** The body contains no secrets and no personal data, so it may be stored for a resend. */
  readonly keepsBody?: true
  readonly doneOnResend?: DoneOnResend
  readonly risk: Risk
  readonly scope: string
  readonly beta: boolean
}
