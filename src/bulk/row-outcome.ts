import type { AttemptLog } from '../calls/attempt.ts'
import type { Transport } from '../http/transport-port.ts'
import type { AdaptiveLimiter } from './send/adaptive-limiter.ts'
import type { PreparedRow } from './map/row-reader.ts'

/** What the sending of a row needs, and what it tells. */

export type Outcome = 'created' | 'updated' | 'skipped' | 'failed' | 'unknown'
export const OUTCOMES_OF_EXISTING = ['update', 'skip', 'fail'] as const
export type OnExists = (typeof OUTCOMES_OF_EXISTING)[number]

/** What became of a row. */
export interface RowOutcome {
  readonly outcome: Outcome
  readonly errorId: string | undefined
  readonly message: string | undefined
  readonly retries: number
}

/** What the run has to know of a row before it is answered. */
export interface RowWatch {
  /** An earlier run was ended while this row may have been under way. */
  readonly maybeSent: boolean
  /** It is about to be sent for the first time. */
  readonly starts: () => void
  /** From here on it may have been done. */
  readonly isInDoubt: () => void
}

export type Send = (row: PreparedRow, watch: RowWatch) => Promise<RowOutcome>

export interface SenderOptions {
  readonly transport: Transport
  readonly limiter: AdaptiveLimiter
  readonly baseUrl: string
  readonly apiKey: string
  readonly apiVersion: string
  readonly userAgent: string
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly onExists: OnExists
  readonly now: () => Date
  readonly random: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Nothing new is sent: what is under way is waited for, and what is in doubt repeated. */
  readonly halt: AbortSignal
  /** Gives up what is under way. */
  readonly abandon: AbortSignal
  /** Makes words of the service fit for a file and a terminal. */
  readonly clean: (text: string) => string
  /** The column that a field came from, where the input has columns. */
  readonly columnOf?: ((field: string) => string | undefined) | undefined
  /** The service makes everybody wait. */
  readonly onWait: (ms: number) => void
  /** A 2xx whose body is no record, so that it is no answer. */
  readonly onOddAnswer: (status: number) => void
  readonly onAttempt: ((log: AttemptLog) => void) | undefined
}
