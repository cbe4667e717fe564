import type { AttemptLog } from './attempt.ts'
import { buildRequest } from './build.ts'
import { refuseCardNumber } from './card-number.ts'
import type { Answer, Call, CallOperation } from './call.ts'
import type { StoredIntent, Ledger } from '../ledger/port.ts'
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
  readonly baseUrl: string
  readonly apiKey: string
  readonly apiVersion: string
  readonly userAgent: string
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly now: () => Date
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
  readonly resolve: (intent: StoredIntent, options: ResolveOptions) => Promise<Resolution>
}

/** Asks whether to resend a write. Called once, right before sending; false means that nothing is sent. */
export type ConfirmSend = (facts: SendFacts) => Promise<boolean>

/** Why a caller forbids to send a keyed write again, given the payment and what it shows; undefined if it may be sent. */
export type ForbidResend = (payment: unknown, evidence: Evidence) => string | undefined

export interface ResolveOptions {
  readonly confirmSend: ConfirmSend
  /** For a caller that knows what the payment should look like. */
  readonly forbidResend?: ForbidResend | undefined
  /** Whether to ask to send a write although someone has made an equal one since. */
  readonly sendsDespiteRemedy?: boolean | undefined
  /** The row of the intent's operation; undefined where this version's table has none. */
  readonly operation: CallOperation | undefined
}

/**
 * What a payment, read long after a write, shows of that write. `absent`: it was not done. `shown`: the payment is in the state
 * that the write leads to. `unclear`: the payment fits either.
 */
export type Evidence = 'absent' | 'shown' | 'unclear'

export interface SendFacts {
  readonly evidence: Evidence
  /** When someone made an equal write, probably in place of this one. */
  readonly remedyAt?: Date | undefined
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
    }
  | { readonly kind: 'rejected'; readonly exitCode: number; readonly words: string }
  | {
      readonly kind: 'in-doubt'
      readonly isAmbiguous: boolean
      readonly words: string
      /** When a request may last have been in flight; undefined when unknown, which counts as now. */
      readonly underWayAt?: Date | undefined
      /** When its last attempt was in flight; undefined when unknown. */
      readonly lastAttemptAt?: Date | undefined
    }

export function requestOf(
  options: ClientOptions,
  call: Call,
  idempotencyKey: string | undefined,
): HttpRequest {
  const { baseUrl, apiKey, apiVersion, userAgent } = options
  refuseCardNumber([call.params, call.body?.value])
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
