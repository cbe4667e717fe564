import { EXIT } from '../../errors.ts'
import type { DoubtfulWrite } from '../ledger/port.ts'
import { requestOf } from '../calls/client-port.ts'
import type { Call } from '../calls/call.ts'
import type { Resolution, ConfirmSend } from '../calls/client-port.ts'
import { exitOfAnswer } from '../calls/exit-code.ts'
import { showsAmount, showsResumed } from './effect.ts'
import { accountOf, snapshotOf } from '../calls/build-intent.ts'
import { sendWrite } from './recover.ts'
import { ambiguous, confirmedBy, inDoubt, notDone, readTarget, settled } from './resolution.ts'
import type { ResolutionContext } from './resolution.ts'
import { whyNotOurs } from '../calls/unrecorded.ts'

/** Resolves a write that sets an absolute value: it is sent again only while the payment is unchanged. */
export async function resolveByComparison(
  options: ResolutionContext,
  intent: DoubtfulWrite,
  call: Call,
  confirmSend: ConfirmSend,
): Promise<Resolution> {
  const seen = await readTarget(options, intent)
  if (seen.kind === 'resolution') return seen.resolution
  const { payment } = seen
  if (showsAmount(call.body?.value, payment.json)) return confirmedBy(intent, call, payment)
  if (snapshotOf(payment).sha256 !== intent.before?.sha256)
    return ambiguous(
      'The payment has neither its old nor its new state: someone else has changed it. Check the payment.',
    )
  // A request still in flight could set the amount again after a later change.
  const tooEarly = notDone(options, intent)
  if (tooEarly.kind === 'in-doubt') return tooEarly
  if (intent.apiKeyId !== accountOf(options))
    return inDoubt('It was sent with another API key, so this one only reads: the payment does not show it.')
  if (!(await confirmSend({ evidence: 'absent', payment: payment.json })))
    return inDoubt('Not confirmed: nothing was sent.')
  const { fence, isLeased, isFresh, isKeyTaken, before } = intent
  if (!(await fence(options.service.nowMs()))) return inDoubt(await whyNotOurs(intent))
  const request = requestOf(options, call, undefined)
  // The payment was just read and is unchanged, so no earlier attempt is in doubt.
  const ended = await sendWrite(options, call, request, {
    before,
    inDoubt: false,
    fence: () => fence(options.service.nowMs()),
    isLeased,
    isFresh,
    isKeyTaken,
  })
  return settled(intent, call, {
    ended,
    before: payment,
    words: 'The payment was unchanged, so it was sent again. It is done.',
  })
}

/** Resolves a resume from the payment's status. Never resends, no matter what the payment shows. */
export async function resolveByStatus(
  options: ResolutionContext,
  intent: DoubtfulWrite,
): Promise<Resolution> {
  const { before } = intent
  const seen = await readTarget(options, intent)
  if (seen.kind === 'resolution') return seen.resolution
  const { payment } = seen
  if (showsResumed(before?.status, payment.json)) {
    const exitCode = exitOfAnswer(intent.operation, 200, undefined, payment.json)
    return exitCode === EXIT.outcomeUnknown
      ? inDoubt('The payment continued, but its processor never responded to the service.')
      : {
          kind: 'confirmed',
          exitCode,
          resource: undefined,
          words: 'It was done: the payment has continued.',
        }
  }
  if (snapshotOf(payment).sha256 !== before?.sha256)
    return ambiguous(
      'The payment has changed in a way that this write alone does not explain: check the payment.',
    )
  return notDone(options, intent, { words: 'the payment is still waiting, unchanged' })
}
