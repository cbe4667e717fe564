import type { AttemptLog } from '../../calls/attempt.ts'
import type { Transport } from '../../http/transport-port.ts'
import type { PauseOptions } from './pause.ts'

/** What reading many resources and sending many rows share. */
export interface BulkCallSettings extends PauseOptions {
  readonly transport: Transport
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly now: () => Date
  /** From 0 to 1. */
  readonly random: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Makes text of the service safe for files and terminals, and masks secrets. */
  readonly clean: (text: string) => string
  readonly onAttempt: ((log: AttemptLog) => void) | undefined
}

/** After this many consecutive failed connections, the service is unreachable for every call. */
export const MAX_CONNECTION_TRIES = 6

/** The settings of every attempt. */
export const attemptSettings = ({ transport, timeoutMs, now, onAttempt }: BulkCallSettings) => ({
  transport,
  timeoutMs,
  now,
  onAttempt: onAttempt ?? (() => {}),
})
