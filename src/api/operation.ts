import type { ErrorId } from './error-ids.ts'
import type { Schema } from './schema.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * May a write be sent again when its outcome is unknown?
 * - `safe`: repeating it changes nothing more.
 * - `keyed`: with the same idempotency key and body only.
 * - `compare`: it sets an absolute value. Read before sending and after an unknown outcome; never repeat within one
 *   command, and later only while the target still equals what was read.
 * - `look`: read before sending and after an unknown outcome; never repeat.
 * - `never`: nothing can be read and nothing repeated; a person has to look.
 */
export type Replay = 'safe' | 'keyed' | 'compare' | 'look' | 'never'

/** What the call can do to money or data: `money` moves it, `destructive` removes something for good. */
export type Risk = 'read' | 'write' | 'money' | 'destructive'

/** A refusal that, on a resend after an unknown outcome, proves that an earlier attempt was done. */
export interface DoneOnResend {
  readonly errorId: string
  /** The operation that brings the record to the wanted state and answers it, where there is no read. */
  readonly settleWith?: string
}

/**
 * What a write acts on: an id in the path, or what the body itself is known by. Two writes with the same one are never
 * under way at once.
 */
export interface TargetRule {
  readonly kind: 'payment' | 'order' | 'payment-token' | 'session' | 'record' | 'points' | 'saved-method'
  /** Its fields, in the path or in the body; all of them have to be there. */
  readonly of: readonly [string, ...string[]]
  /** It may only be kept as a hash. */
  readonly isSecret?: true
}

/** One row of the table: facts of the protocol, no words for people beyond one line. */
export interface Operation {
  readonly id: string
  readonly method: Method
  /** `{name}` marks a path parameter. */
  readonly path: `/${string}`
  readonly summary: string
  readonly query?: Schema
  readonly request?: Schema
  /** The whole body may be left out. */
  readonly bodyOptional?: true
  /** null clears a field of the request (spec 4.2.4). */
  readonly nullClears?: true
  readonly response: Schema
  /** The field of the answer that repeats the target's id, under the name that it has in the path or the body. */
  readonly echoes?: 'id' | 'paymentId'
  /** The call may also be accepted and not be finished: the error id of that answer, whose status is no error. */
  readonly notFinished?: ErrorId
  /** Takes `X-Idempotency-Key`. */
  readonly idempotencyKey: boolean
  readonly replay: Replay
  /** Of a write: the first whose fields are there. None for one that makes something new each time. */
  readonly targets?: readonly TargetRule[]
  /** What it moves is told by its amount: two of the same amount on one target do the same, whatever else they say. */
  readonly movesAmount?: true
  /** What its amount counts, where that is no money. */
  readonly unit?: 'points'
  /** The body holds neither secrets nor anything of a person, so it may be kept to be sent again as it is. */
  readonly keepsBody?: true
  readonly doneOnResend?: DoneOnResend
  readonly risk: Risk
  readonly scope: string
  readonly beta: boolean
}
