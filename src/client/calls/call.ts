import type { Operation } from '../../api/operation.ts'
import type { Schema } from '../../api/schema.ts'
import type { Moment } from '../ledger/moment.ts'
import type { PlanOfWrite } from '../ledger/port.ts'
import type { ErrorBody } from './api-error.ts'

/** The operation of a call: a row of the table, or one made up by `pay api` for a path that is not in the table. */
export interface CallOperation extends Omit<Operation, 'response' | 'method' | 'path'> {
  readonly method: string
  readonly path: string
  /** undefined when the shape of the response isn't known. */
  readonly response?: Schema
}

export interface Call {
  readonly operation: CallOperation
  readonly params: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  /** The parsed body and its exact text. Every attempt sends the text. */
  readonly body?: { readonly value: unknown; readonly text: string }
  readonly idempotencyKey?: string | undefined
  /** For the ledger, in minor units; the request's own amount if it has one. */
  readonly amount?: number | undefined
  readonly currencyCode?: string | undefined
  /** The merchant's order that the payment belongs to, and the plan of a row; for the ledger. */
  readonly orderId?: string | undefined
  readonly plan?: PlanOfWrite | undefined
  /** Recorded in the ledger. */
  readonly reason?: string | undefined
  /** Whether the body may contain secrets. Such a body is never stored, so it can't be sent again later. */
  readonly holdsSecrets?: boolean
  /** Names one write. The idempotency key is derived from it, so a ticket moves money once, no matter which machine uses it. */
  readonly ticket?: string | undefined
  /** Whether to allow a write equal to one of the last ten minutes. */
  readonly mayRepeat?: boolean
  /** Reads the payment first, and refuses a refund that repeats one that it shows and this ledger doesn't know. */
  readonly countsOthers?: {
    /** How many such refunds a person has agreed to repeat. */
    readonly agreedTo: number
  }
  /** For a write that is sent again under its key: when others with this key were first sent. */
  readonly keySince?: readonly Moment[]
  /**
   * Checks the payment in the path, which is read right before the write is recorded. What it throws ends the call with
   * nothing sent. A write on the same payment since that reading makes the client read and check again.
   */
  readonly review?: (payment: Answer) => void
  /**
   * For a caller that shares its key with other machines: the outcome of the write that the service has processed under this
   * key, if that was this one. It is recorded like a response. Undefined leaves the service's refusal as it is.
   */
  readonly ifKeyUsed?: () => Promise<ProcessedBefore | undefined>
  /** Replaces the client's own limits, for one read among many. */
  readonly patience?: { readonly timeoutMs: number; readonly maxRetries: number }
}

export interface ProcessedBefore {
  /** The payment, as it was read. */
  readonly payment: Answer
  readonly exitCode: number
  /** How it is known. */
  readonly note: string
}

/** A usable response, with what the client knows about it. */
export interface Answer {
  readonly status: number
  /** The body as the service wrote it. */
  readonly text: string
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown
  readonly requestId: string | undefined
  /** The service's clock, from the `Date` header. */
  readonly servedAt?: Date | undefined
  /** 0 for success; 8 when not finished, 13 when declined. */
  readonly exitCode: number
  /** When not finished: why, in the service's words. */
  readonly unfinished?: Partial<Pick<ErrorBody, 'errorId' | 'description' | 'diagnosticsId'>> | undefined
  readonly operationId: string | undefined
  readonly idempotencyKey: string | undefined
  /** How the result was found when it is not the direct response; text for stderr. */
  readonly note: string | undefined
  /** Text that is shown with the result even when notes are suppressed. */
  readonly warning: string | undefined
}

/** The payment in the path; undefined for operations on anything else. */
export const paymentIdOf = (call: Call): string | undefined => call.params['id']
