import type { AttemptLog } from './attempt.ts'
import { buildRequest } from './build.ts'
import { refuseBadIds } from './bad-id.ts'
import { refuseCardNumber } from './card-number.ts'
import type { Answer, Call, CallOperation } from './call.ts'
import type { Clocks } from '../ledger/moment.ts'
import type { EndedBy, DoubtfulWrite, Ledger, LimitsInTime } from '../ledger/port.ts'
import type { Transport, HttpRequest } from '../http/transport-port.ts'

/** The two levels of interruption: a first signal (such as Ctrl-C) and a second one. */
export interface Interruption {
  /** Aborted by the first signal: nothing new is sent, requests in flight finish. `reason` names the signal. */
  readonly stop: AbortSignal
  /** Aborted by the second signal: requests in flight are aborted. */
  readonly abandon: AbortSignal
}

export interface ClientOptions {
  readonly transport: Transport
  readonly ledger: Ledger
  /** For the ledger, like `mode`: the profile's name, and whether the money is real. */
  readonly profile: string | undefined
  readonly mode: 'test' | 'live'
  /** The profile's limits over time. */
  readonly limits?: LimitsInTime | undefined
  /** Whether the service runs in this process: then no request outlives it. */
  readonly isEmbedded?: boolean | undefined
  readonly baseUrl: string
  readonly apiKey: string
  readonly apiVersion: string
  readonly userAgent: string
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly now: () => Date
  /** What the clocks of this machine show. */
  readonly clocks: () => Clocks
  readonly random: () => number
  readonly newId: () => string
  /** Resolves after the time, or at once when the signal aborts. `why` completes "Waiting 10 s …". */
  readonly sleep: (ms: number, signal: AbortSignal, why: string) => Promise<void>
  readonly interruption: Interruption
  readonly onAttempt: (log: AttemptLog) => void
}

export interface Client {
  readonly call: (call: Call) => Promise<Answer>
  /** Finds out whether an earlier write was done, and finishes it where that is safe. Reports failures as `in-doubt`. */
  readonly resolve: (intent: DoubtfulWrite, options: ResolveOptions) => Promise<Resolution>
}

/**
 * Asks whether to resend a write. Called once, right before sending; false means that nothing is sent. `asked`: a person said yes,
 * and the payment may have changed meanwhile.
 */
export type ConfirmSend = (facts: SendFacts) => Promise<boolean | 'asked'>

/** The verdict of a caller who knows what the payment should look like: it is without the write, with it, or neither. */
export type Expectation =
  | { readonly kind: 'without' | 'with' }
  /** `why` completes "Not sent again, because …". */
  | { readonly kind: 'other'; readonly why: string }

export interface ResolveOptions {
  readonly confirmSend: ConfirmSend
  /** Replaces what the payment shows by itself. */
  readonly expects?: ((payment: unknown) => Expectation) | undefined
  /** Whether to ask to send a write although the payment shows its effect. */
  readonly resends?: boolean | undefined
  /** The row of the intent's operation; undefined where this version's table has none. */
  readonly operation: CallOperation | undefined
}

/**
 * What a payment shows of a write.
 * - `shown`: the state that it leads to, or an equal amount that the ledger doesn't know. Whose that is can't be told.
 * - `unclear`: what it shows fits either.
 * - `hidden`: it lacks the figures that would show the write, or they may lag behind.
 * - `absent`: nothing of it.
 */
export type Evidence = 'shown' | 'unclear' | 'hidden' | 'absent'

export interface SendFacts {
  readonly evidence: Evidence
  /** The payment as it was read. */
  readonly payment: unknown
}

/** The outcome of resolving a write. While it is still in doubt, `words` says why and what a person should check. */
export type Resolution =
  | {
      readonly kind: 'confirmed'
      readonly exitCode: number
      readonly resource: string | undefined
      readonly words: string
      /** The payment as it is then. */
      readonly payment?: unknown
      /** Its currency and order, for the ledger. */
      readonly currencyCode?: string | undefined
      readonly orderId?: string | undefined
      /** As in `Settlement`. */
      readonly effectAt?: string | undefined
      readonly endedBy?: EndedBy | undefined
    }
  | {
      readonly kind: 'rejected'
      readonly exitCode: number
      readonly words: string
      readonly endedBy?: EndedBy | undefined
    }
  | {
      readonly kind: 'in-doubt'
      readonly isAmbiguous: boolean
      readonly words: string
      /** The service took none of the reads, because it refuses the API key. */
      readonly isKeyRefused?: boolean
    }

export function requestOf(
  options: ClientOptions,
  call: Call,
  idempotencyKey: string | undefined,
): HttpRequest {
  const { baseUrl, apiKey, apiVersion, userAgent } = options
  refuseCardNumber([call.params, call.body?.value])
  refuseBadIds({ params: call.params, query: call.query })
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
