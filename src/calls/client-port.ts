import type { AttemptLog } from './attempt.ts'
import { buildRequest } from './build.ts'
import type { Answer, Call, CallOperation } from './call.ts'
import type { StoredIntent, Ledger } from '../ledger/port.ts'
import type { Transport, HttpRequest } from '../http/transport-port.ts'

/** First signal and second signal; see `sendAll`. */
export interface Interruption {
  /** Aborted by the first signal: nothing new is sent, what is in flight is waited for. `reason` names the signal. */
  readonly stop: AbortSignal
  /** Aborted by the second: what is in flight is given up. */
  readonly abandon: AbortSignal
}

export interface ClientOptions {
  readonly transport: Transport
  readonly ledger: Ledger
  /** For the ledger: under whose name, and whether the money is real. */
  readonly profile: string | undefined
  readonly mode: 'test' | 'live'
  readonly baseUrl: string
  readonly apiKey: string
  readonly apiVersion: string
  readonly userAgent: string
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly now: () => Date
  readonly random: () => number
  readonly newId: () => string
  /** Resolves after the time, or at once when the signal aborts. `why` goes on from "Waiting 10 s …". */
  readonly sleep: (ms: number, signal: AbortSignal, why: string) => Promise<void>
  readonly interruption: Interruption
  readonly onAttempt: (log: AttemptLog) => void
}

export interface Client {
  readonly call: (call: Call) => Promise<Answer>
  /** Finds out what has become of a write of before, and finishes it where that is safe. Never throws for what it finds. */
  readonly resolve: (intent: StoredIntent, options: ResolveOptions) => Promise<Resolution>
}

/** Asked once, right before something is sent that changes anything. */
export type MaySend = (facts: SendFacts) => Promise<boolean>

export interface ResolveOptions {
  readonly maySend: MaySend
  /** The row of the intent's operation; undefined where this version's table has none. */
  readonly operation: CallOperation | undefined
}

/**
 * What a payment, read long after a write, tells of that write. `absent`: it was not done. `shown`: it was, once.
 * `unclear`: more than one story fits what is there.
 */
export type Evidence = 'absent' | 'shown' | 'unclear'

export interface SendFacts {
  /** What the payment shows of what is to be sent again; what is shown for sure is not sent. */
  readonly evidence: Exclude<Evidence, 'shown'>
}

/** What became of it. Still in doubt, the words say why and what a person should look at. */
export type Resolution =
  | {
      readonly kind: 'confirmed'
      readonly exitCode: number
      readonly resource: string | undefined
      readonly words: string
    }
  | { readonly kind: 'rejected'; readonly exitCode: number; readonly words: string }
  | {
      readonly kind: 'in-doubt'
      readonly isAmbiguous: boolean
      readonly words: string
      /** When it may last have been under way; undefined where nobody can tell, so that it is taken to be now. */
      readonly underWayAt?: Date | undefined
    }

export function requestOf(
  options: ClientOptions,
  call: Call,
  idempotencyKey: string | undefined,
): HttpRequest {
  const { baseUrl, apiKey, apiVersion, userAgent } = options
  return buildRequest(call.operation, {
    baseUrl,
    params: call.params,
    query: call.query ?? {},
    body: call.body?.text,
    apiKey,
    apiVersion,
    idempotencyKey,
    userAgent,
  })
}
