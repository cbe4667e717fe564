import { EXIT } from '../../errors.ts'
import type { StoredIntent } from '../../ledger/port.ts'
import { sendAll } from '../attempts.ts'
import { requestOf } from '../client-port.ts'
import type { Call } from '../call.ts'
import type { Resolution, MaySend } from '../client-port.ts'
import { exitOfAnswer } from '../exit-code.ts'
import { showsAmount, showsResumed } from './effect.ts'
import { snapshotOf } from '../build-intent.ts'
import { awaitSettleDelay } from './settle-delay.ts'
import type { ResolutionContext } from './settle-delay.ts'
import { recoveryFor } from './recovery.ts'
import { ambiguous, confirmedBy, inDoubt, lookAt, readBack, settled } from './resolution.ts'

/** An absolute value: it is set once more as long as the payment is what it was before. */
export async function resolveCompared(
  options: ResolutionContext,
  intent: StoredIntent,
  call: Call,
  maySend: MaySend,
): Promise<Resolution> {
  // Twice: what is on its way would set the amount once more, whatever it is by then.
  for (const isLast of [false, true]) {
    const seen = await lookAt(options, intent)
    if (seen.kind === 'resolution') return seen.resolution
    if (showsAmount(call.body?.value, seen.payment.json)) return confirmedBy(intent, call, seen.payment)
    if (snapshotOf(seen.payment).sha256 !== intent.before?.sha256)
      return ambiguous(
        'The payment is neither as it was before nor as it was to be: somebody else has changed it. Compare it with what you know.',
      )
    const tooEarly = isLast ? undefined : await awaitSettleDelay(options, intent)
    if (tooEarly !== undefined) return tooEarly
  }
  if (!(await maySend({ evidence: 'absent' }))) return inDoubt('Not confirmed: nothing was sent.')
  const request = requestOf(options, call, undefined)
  // It has just been read to be as before: nothing of an earlier attempt is there to be in doubt of.
  const recovery = recoveryFor(options, call, {
    before: intent.before,
    inDoubt: false,
    isOurs: intent.isOurs,
  })
  const ended = await sendAll(options, call, request, recovery)
  const found = settled(intent, call, ended, 'The payment was as before, so it was sent again: it is done.')
  const isRead = ended.kind === 'answer' && ended.note !== undefined
  return found.kind === 'confirmed' && !isRead ? readBack(options, intent, call, found) : found
}

/** What went on is not sent again, whatever it looks like. */
export async function resolveLooked(options: ResolutionContext, intent: StoredIntent): Promise<Resolution> {
  const before = intent.before
  for (const isLast of [false, true]) {
    const seen = await lookAt(options, intent)
    if (seen.kind === 'resolution') return seen.resolution
    const { payment } = seen
    if (showsResumed(before?.status, payment.json)) {
      const exitCode = exitOfAnswer(intent.operation, 200, undefined, payment.json)
      return exitCode === EXIT.outcomeUnknown
        ? inDoubt('It went on, and the processor never answered the service.')
        : { kind: 'confirmed', exitCode, resource: undefined, words: 'The payment has gone on since.' }
    }
    if (snapshotOf(payment).sha256 !== before?.sha256)
      return ambiguous('The payment has changed, and not as it would by this alone: look at what it shows.')
    const tooEarly = isLast ? undefined : await awaitSettleDelay(options, intent)
    if (tooEarly !== undefined) return tooEarly
  }
  return {
    kind: 'rejected',
    exitCode: EXIT.serverFault,
    words: 'It was not done: the payment still waits, as before.',
  }
}
