import type { OutputFormat } from '../../output/output-format.ts'

/** What the global options and the environment set for one run, apart from the account. */
export interface Settings {
  readonly format: OutputFormat
  readonly query: string | undefined
  readonly isQuiet: boolean
  readonly isVerbose: boolean
  readonly isDebug: boolean
  readonly color: 'auto' | 'always' | 'never'
  readonly assumesYes: boolean
  readonly neverAsks: boolean
  /** Whether long lists may go through the pager. */
  readonly mayPage: boolean
  readonly mode: 'send' | 'dry-run' | 'curl'
  readonly reason: string | undefined
  readonly idempotencyKey: string | undefined
  /** `--once`: derives the idempotency key from this ticket, so that a ticket moves money only once. */
  readonly ticket: string | undefined
  /** `--again`: repeats a write even if an equal one was made a few minutes ago. */
  readonly allowsRepeat: boolean
  readonly wantsReceipt: boolean
  readonly timeoutMs: number
  readonly maxRetries: number
}

/** Whether output is for a program: errors are then one JSON object. */
export const isMachine = (format: OutputFormat): boolean => format !== 'table'
