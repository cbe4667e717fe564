import type { Operation } from '../api/operation.ts'
import type { Schema } from '../api/schema.ts'
import type { AttemptLog } from './attempt.ts'
import { buildRequest } from './build.ts'
import type { ErrorBody } from './api-error.ts'
import type { Evidence } from './recovery/evidence.ts'
import type { StoredIntent, Ledger } from '../ledger/port.ts'
import type { Transport, HttpRequest } from '../http/transport-port.ts'

/** The row of the table that a call follows; `pay api` on a path the table does not know makes one of its own. */
export interface CallOperation extends Omit<
  Operation,
  'response' | 'summary' | 'beta' | 'scope' | 'method' | 'path'
> {
  readonly method: string
  readonly path: string
  /** undefined where the shape of the answer isn't known. */
  readonly response?: Schema
}

export interface Call {
  readonly operation: CallOperation
  readonly params: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  /** The parsed body and its exact text: the text is what every attempt sends. */
  readonly body?: { readonly value: unknown; readonly text: string }
  readonly idempotencyKey?: string | undefined
  /** For the ledger; the request's own amount where it has one. */
  readonly amount?: number | undefined
  readonly currencyCode?: string | undefined
  /** Kept in the ledger. */
  readonly reason?: string | undefined
  /** The body may hold what is to be on no disk, so that it cannot be kept to be sent again. */
  readonly holdsSecrets?: boolean
  /** The key is made from it: one ticket moves money once, from whatever machine. */
  readonly ticket?: string | undefined
  /** Whether an equal write of the last minutes is no reason to stop. */
  readonly mayRepeat?: boolean
  /** A read that decides nothing: an answer about another resource is shown, with a warning. */
  readonly isShownOnly?: boolean
  /** Of a read that is one of many: in place of the client's own. */
  readonly patience?: Pick<ClientOptions, 'timeoutMs' | 'maxRetries'>
}

/** A complete answer, and what had to happen for it. */
export interface Answer {
  readonly status: number
  /** The body as the service wrote it. */
  readonly text: string
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown
  readonly requestId: string | undefined
  /** 0, or 8 and 13: answers that are no success. */
  readonly exitCode: number
  /** Of one that is not finished: why, in the service's words. */
  readonly unfinished?: Partial<Pick<ErrorBody, 'errorId' | 'description' | 'diagnosticsId'>> | undefined
  readonly operationId: string | undefined
  readonly idempotencyKey: string | undefined
  /** How the answer was found when it is not the direct one; words for stderr. */
  readonly note: string | undefined
  /** What has to be told with the answer, even to those who want no words. */
  readonly warning: string | undefined
}

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
  readonly resolve: (kept: StoredIntent, options: ResolveOptions) => Promise<Resolution>
}

export interface ResolveOptions {
  /** Asked once, right before something is sent that changes anything. */
  readonly maySend: (facts: SendFacts) => Promise<boolean>
}

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

export const paymentIdOf = (call: Call): string | undefined => call.params['id']
