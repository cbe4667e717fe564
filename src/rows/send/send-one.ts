import { sendAll } from '../../client/calls/attempts.ts'
import type { Recovery, SendResult, SendSettings } from '../../client/calls/attempts.ts'
import type { AttemptResult } from '../../client/calls/attempt.ts'
import type { CheckedCall } from '../../client/calls/check-answer.ts'
import type { HttpRequest } from '../../client/http/transport-port.ts'
import type { Patience } from './patience.ts'
import { RowAbandoned, RunStopped, notConnected } from './run-errors.ts'

/** The settings with which a run sends its calls. */
export interface RunCallSettings extends SendSettings {
  readonly patience: Patience
  /** Makes text of the service safe for files and terminals, and masks secrets. */
  readonly clean: (text: string) => string
}

export interface OneCall extends CheckedCall {
  readonly request: HttpRequest
}

/** The end of a call that lets the others go on. */
export type CallEnd =
  | Extract<SendResult, { kind: 'answer' | 'refused' | 'rate-limited' }>
  /** The end without a usable response. A write may have been done. */
  | { readonly kind: 'lost'; readonly last: AttemptResult }

/**
 * Sends one call of many.
 * @throws {RowAbandoned} if the run was stopped first; {@link RunStopped} if no call can be sent
 */
export async function sendOne(
  settings: RunCallSettings,
  call: OneCall,
  recovery: Recovery,
): Promise<CallEnd> {
  const { patience } = settings
  const ended = await sendAll(settings, call, call.request, recovery)
  switch (ended.kind) {
    case 'lapsed':
      throw new RowAbandoned()
    case 'interrupted':
      throw patience.over === undefined ? new RowAbandoned() : new RunStopped(patience.over)
    case 'not-connected':
      if (ended.last.kind !== 'failure') throw new Error('not connected despite a response')
      throw patience.stop(notConnected(ended.last.failure))
    case 'unknown':
    case 'server-fault': {
      const { kind, last } = ended
      if (kind === 'unknown') recovery.onDoubt?.()
      if (last === undefined || (last.kind === 'failure' && last.failure.reason === 'aborted'))
        throw new RowAbandoned()
      return { kind: 'lost', last }
    }
    case 'answer':
    case 'refused':
    case 'rate-limited':
      return ended
  }
}
