import type { Answer, Call } from '../../client/calls/call.ts'
import type { Client } from '../../client/calls/client-port.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import type { Paint } from '../../output/paint.ts'
import type { RenderOptions } from '../../output/view.ts'
import type { Transport } from '../../client/http/transport-port.ts'
import type { AttemptLog } from '../../client/calls/attempt.ts'
import type { Context } from './context.ts'
import type { CommandInput } from './input.ts'
import type { Prompts } from './prompts-port.ts'
import type { Settings } from './settings.ts'

/** What a message contains. In `text`, card numbers are masked; `ids` may look like card numbers and are left alone. */
export type MessageContent = 'text' | 'ids'

/** One run of a command: what was typed, and what the command may use of the outside world. */
export interface Invocation extends Messages, Service {
  readonly context: Context
  readonly input: CommandInput
  readonly settings: Settings
  /** Whether questions are allowed. */
  readonly isInteractive: boolean
  /** The prompts, drawn on stderr. Use them only if {@link Invocation.isInteractive}. */
  readonly prompts: () => Promise<Prompts>
}

/** What a command shows besides its result. */
export interface Messages {
  /** A line on stderr, left out with --quiet. */
  readonly note: (line: string, content?: MessageContent) => Promise<void>
  /** Says once in a run that the embedded sandbox is used. */
  readonly noteSandbox: () => Promise<void>
  /** A line on stderr, even with --quiet. */
  readonly warn: (line: string, content?: MessageContent) => Promise<void>
  readonly paint: (stream: 'stdout' | 'stderr') => Promise<Paint>
  readonly renderOptions: () => Promise<RenderOptions>
  /** Makes text of the service or of the input safe: one line without secrets, card numbers and control characters. */
  readonly cleanText: (text: string) => string
  /** Keeps this value out of every later message. */
  readonly keepSecret: (value: string) => void
  /** Removes secrets but not card numbers; mask those where you know what is an ID. */
  readonly hideSecrets: (text: string) => string
}

/** How a client for many calls differs from one for a single call. */
export interface ClientTuning {
  readonly connections: number
  /** Wraps a transport so that its requests are paced. */
  readonly pace: (transport: Transport) => Transport
  /** Prints a warning above the progress. */
  readonly printAbove: (line: string) => void
}

/** The account of a run and the calls to it. */
export interface Service {
  /** The account, resolved once. */
  readonly account: () => Promise<Account>
  /** Sends a call. The JSON of the response has no null fields, which services write for "no value"; its text is unchanged. */
  readonly call: (call: Call) => Promise<Answer>
  /** Creates a client for another account than the run's, or for many concurrent calls. Its connection closes when the run ends. */
  readonly clientOf: (account: Account, tuning?: ClientTuning) => Promise<Client>
  /** The payment that the run acts on, once known, for suggested commands. */
  readonly target: { id: string | undefined }
  /** Records that something was written without `call`, so that a later error is not reported as "nothing done". */
  readonly markWritten: () => void
  /**
   * Prints an attempt with --verbose or --debug, and warns about what the service ignored. With `printAbove`, which prints above
   * the progress of many requests, it warns only once.
   */
  readonly reportAttempt: (log: AttemptLog, printAbove?: (line: string) => void) => void
}
