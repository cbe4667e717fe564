import type { Operation } from '../api/operation.ts'
import type { Schema } from '../api/schema.ts'
import type { ErrorBody } from './api-error.ts'

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
  readonly patience?: { readonly timeoutMs: number; readonly maxRetries: number }
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

export const paymentIdOf = (call: Call): string | undefined => call.params['id']
