import { EXIT, PayError } from '../../errors.ts'
import type { StoredIntent } from '../../ledger/port.ts'
import type { Answer, Call } from '../call.ts'
import type { Resolution } from '../client-port.ts'
import { exitOfAnswer } from '../exit-code.ts'
import { contradicts, showsMore } from './effect.ts'
import { accountOf } from '../build-intent.ts'
import { checkSettleDelay } from './settle-delay.ts'
import type { ResolutionContext } from './settle-delay.ts'
import { answerOrThrow } from '../outcome.ts'
import type { SendResult } from '../attempts.ts'
import { isPayment, readPayment, tryReadPayment } from '../read.ts'

/** Shared by all ways of resolving a write. */

export const inDoubt = (words: string): Resolution => ({ kind: 'in-doubt', isAmbiguous: false, words })
export const TAKEN_OVER = 'Another process has taken it over: nothing was sent.'
export const ambiguous = (words: string): Resolution => ({
  kind: 'in-doubt',
  isAmbiguous: true,
  words: `Ambiguous. ${words}`,
})

export type PaymentReading =
  | { readonly kind: 'payment'; readonly payment: Answer }
  | { readonly kind: 'resolution'; readonly resolution: Resolution }

/** Reads the payment that the write acts on. Returns the resolution instead if there is none or it can't be read. */
export async function readTarget(options: ResolutionContext, intent: StoredIntent): Promise<PaymentReading> {
  try {
    const payment = await readPayment(options, intent.target?.name)
    if (payment !== undefined && (await isPayment(payment))) return { kind: 'payment', payment }
    return { kind: 'resolution', resolution: inDoubt('The payment could not be read.') }
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    const isNone = error.code === 'payment_not_found' && intent.apiKeyId === accountOf(options)
    return {
      kind: 'resolution',
      resolution: isNone
        ? (checkSettleDelay(options, intent) ?? {
            kind: 'rejected',
            exitCode: EXIT.notFound,
            words: 'The payment does not exist, so nothing was done.',
          })
        : inDoubt(`The payment could not be read (${error.message}).`),
    }
  }
}

/** The resolution that follows from the result of a resend. */
export function settled(intent: StoredIntent, call: Call, ended: SendResult, words: string): Resolution {
  try {
    const { exitCode, warning } = answerOrThrow(call, ended, intent.id, intent.idempotencyKey)
    return {
      kind: 'confirmed',
      exitCode,
      resource: undefined,
      words: warning === undefined ? words : `${words} ${warning}`,
    }
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return error.details.outcome === 'none' && ended.kind === 'refused'
      ? { kind: 'rejected', exitCode: error.exitCode, words: `It was not done: ${error.message}.` }
      : inDoubt(`${error.message}.`)
  }
}

/**
 * Reads the payment after a resend succeeded. It must show the write exactly once: an earlier attempt may have arrived
 * in addition to the resend.
 */
export async function readBack(
  options: ResolutionContext,
  intent: StoredIntent,
  call: Call,
  found: Extract<Resolution, { kind: 'confirmed' }>,
  before?: Answer,
): Promise<Resolution> {
  const after = await tryReadPayment(options, intent.target?.name)
  if (after === undefined)
    return {
      ...found,
      words:
        'It was sent again, and the service reports that it is done. The payment could not be read back.',
    }
  const request = call.body?.value
  if (contradicts(intent.operation, request, after.json))
    return ambiguous(
      'It was sent again, and the service reports that it is done, but the payment does not show it: check the payment.',
    )
  return showsMore(intent.operation, request, { before: before?.json, after: after.json })
    ? ambiguous(
        'It was sent again, and since then the payment shows more than was requested. It may have been done twice: check the payment.',
      )
    : found
}

/** The resolution when the payment is in the state that the write leads to. */
export function confirmedBy(
  intent: StoredIntent,
  call: Call,
  payment: Answer,
  words = 'It is done: the payment shows it. Nothing was sent.',
): Resolution {
  const exitCode = exitOfAnswer(intent.operation, 200, call.body?.value, payment.json)
  return exitCode === EXIT.outcomeUnknown
    ? inDoubt('The processor never responded to the service.')
    : {
        kind: 'confirmed',
        exitCode,
        resource: undefined,
        words,
      }
}
