import { EXIT, PayError } from '../errors.ts'
import type { KeptIntent } from '../intent.ts'
import { parseJson } from '../json/json.ts'
import { sendAll } from './attempts.ts'
import { requestOf } from './call.ts'
import type { Answer, Call, CallOperation, ClientOptions, Resolution, ResolveOptions } from './call.ts'
import { exitOfAnswer, showsAmount, showsResumed } from './effect.ts'
import { readErrorBody } from './envelope.ts'
import { evidenceOf } from './evidence.ts'
import { accountOf, snapshotOf } from './intent-of.ts'
import { answerOrThrow } from './outcome.ts'
import type { Ended } from './outcome.ts'
import { readPayment } from './read.ts'
import { recoveryFor } from './recover.ts'
import { KEY_USED, refusalOf } from './refusal.ts'
import { ambiguous, inDoubt, waitUntilLate } from './resolution.ts'
import { resolveByOrder } from './resolve-by-order.ts'

/** How long a service is sure to know a key: its lifetime is not documented. */
const KEY_LIFE_MS = 23 * 60 * 60 * 1000

/**
 * Finds out what has become of a write whose outcome nobody saw. Whatever it sends is the same request with the same
 * key, or a value that is set once more while nothing has changed.
 */
export async function resolve(
  clientOptions: ClientOptions,
  kept: KeptIntent,
  resolveOptions: ResolveOptions,
): Promise<Resolution> {
  const options = { ...clientOptions, apiVersion: kept.apiVersion }
  const { OPERATIONS } = await import('../api/table.ts')
  const operation: CallOperation | undefined = OPERATIONS.find(({ id }) => id === kept.operation)
  if (operation === undefined) return inDoubt('pay does not know that operation, so it cannot find out.')
  try {
    return await byRule(options, kept, operation, resolveOptions)
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return inDoubt(error.message)
  }
}

async function byRule(
  options: ClientOptions,
  kept: KeptIntent,
  operation: CallOperation,
  resolveOptions: ResolveOptions,
): Promise<Resolution> {
  if (operation.keepsBody === true && kept.request === undefined)
    return inDoubt(
      'What was sent may have held a card number, so it was not kept and cannot be sent again: compare the payment with what you know, then abandon it here.',
    )
  switch (operation.replay) {
    case 'keyed':
      return kept.request === undefined
        ? resolveByOrder(options, kept)
        : resolveKeyed(options, kept, callOf(kept, operation), resolveOptions)
    case 'compare':
      return resolveCompared(options, kept, callOf(kept, operation), resolveOptions)
    case 'look':
      return resolveLooked(options, kept)
    case 'safe':
      return inDoubt(
        'What was sent is not kept, so it cannot be sent again from here. Doing the same once more is harmless: type the command again, and that clears this up.',
      )
    case 'never':
      return inDoubt(
        operation.risk === 'money'
          ? "The service cannot be asked about it: look at the provider's own records, then abandon it here."
          : 'The service cannot be asked about it. At worst something was made that nobody uses: abandon it here.',
      )
  }
}

function callOf(kept: KeptIntent, operation: CallOperation): Call {
  const text = kept.request?.body
  return {
    operation,
    params: kept.request?.params ?? {},
    ...(text === undefined ? {} : { body: { value: parseJson(text), text } }),
    amount: kept.amount,
    currencyCode: kept.currencyCode,
  }
}

/** Sends it again with its own key: the service itself knows whether it was processed. */
async function resolveKeyed(
  options: ClientOptions,
  kept: KeptIntent,
  call: Call,
  { maySend }: ResolveOptions,
): Promise<Resolution> {
  const seen = await lookAt(options, kept)
  if (seen.kind === 'resolution') return seen.resolution
  if (options.now().getTime() - kept.createdAt.getTime() > KEY_LIFE_MS) {
    const evidence = evidenceOf(kept.operation, call.body?.value, seen.payment.json, kept.createdAt)
    if (evidence === 'shown') return confirmedBy(kept, call, seen.payment)
    if (evidence === 'unclear')
      return ambiguous(
        'It is too old to be sent again with its key, and the payment can be read both ways: compare what it shows with what you know.',
      )
  }
  if (!(await maySend())) return inDoubt('Not confirmed: nothing was sent.')
  const request = requestOf(options, call, kept.idempotencyKey)
  const recovery = recoveryFor(options, call, { before: undefined, inDoubt: true })
  const ended = await sendAll(options, call, request, recovery)
  if (ended.kind === 'unknown') return afterRefusal(options, kept, call, ended)
  return settled(
    kept,
    call,
    ended,
    ended.kind === 'answer' && ended.note !== undefined
      ? 'It had been done: the service knows its key, and the payment shows it.'
      : 'It was sent again with the same key: it is done, once.',
  )
}

/** A refusal of the resend tells that this one was not done; whether an earlier one was, the payment has to tell. */
async function afterRefusal(
  options: ClientOptions,
  kept: KeptIntent,
  call: Call,
  ended: Extract<Ended, { kind: 'unknown' }>,
): Promise<Resolution> {
  const { last } = ended
  if (last === undefined) return inDoubt('Interrupted: nothing was sent.')
  if (last.kind === 'failure') return inDoubt(`It was sent again, and ${last.failure.message}.`)
  const { status, body } = last.answer
  if (status >= 500 || status < 300 || status === 429)
    return inDoubt(`It was sent again, and the service answered ${status}.`)
  const { errorId } = readErrorBody(body)
  if (KEY_USED.some((id) => id === errorId))
    return ambiguous('The service has seen its key before, and the payment does not show what was asked for.')
  const seen = await lookAt(options, kept)
  if (seen.kind === 'resolution') return seen.resolution
  const refusal = refusalOf(status, errorId, true)
  const evidence = evidenceOf(kept.operation, call.body?.value, seen.payment.json, kept.createdAt)
  return evidence === 'absent'
    ? {
        kind: 'rejected',
        exitCode: refusal.exitCode,
        words: `It was not done, and can no longer be: ${refusal.message}.`,
      }
    : ambiguous(
        `Sent again it is refused (${refusal.message}), and the payment can be read both ways: compare what it shows with what you know.`,
      )
}

async function resolveCompared(
  options: ClientOptions,
  kept: KeptIntent,
  call: Call,
  { maySend }: ResolveOptions,
): Promise<Resolution> {
  const seen = await lookAt(options, kept)
  if (seen.kind === 'resolution') return seen.resolution
  if (showsAmount(call.body?.value, seen.payment.json)) return confirmedBy(kept, call, seen.payment)
  if (snapshotOf(seen.payment).sha256 !== kept.before?.sha256)
    return ambiguous(
      'The payment is neither as it was before nor as it was to be: somebody else has changed it. Compare it with what you know.',
    )
  if (!(await maySend())) return inDoubt('Not confirmed: nothing was sent.')
  const request = requestOf(options, call, undefined)
  // It has just been read to be as before: nothing of an earlier attempt is there to be in doubt of.
  const recovery = recoveryFor(options, call, { before: kept.before, inDoubt: false })
  const ended = await sendAll(options, call, request, recovery)
  return settled(kept, call, ended, 'The payment was as before, so it was sent again: it is done.')
}

async function resolveLooked(options: ClientOptions, kept: KeptIntent): Promise<Resolution> {
  const before = kept.before
  for (const isLast of [false, true]) {
    const seen = await lookAt(options, kept)
    if (seen.kind === 'resolution') return seen.resolution
    const { payment } = seen
    if (showsResumed(before?.status, payment.json)) {
      const exitCode = exitOfAnswer(kept.operation, 200, undefined, payment.json)
      return exitCode === EXIT.outcomeUnknown
        ? inDoubt('It went on, and the processor never answered the service.')
        : { kind: 'confirmed', exitCode, resource: undefined, words: 'The payment has gone on since.' }
    }
    if (snapshotOf(payment).sha256 !== before?.sha256)
      return ambiguous('The payment has changed, and not as it would by this alone: look at what it shows.')
    if (!isLast && !(await waitUntilLate(options, kept))) return inDoubt('Interrupted: nothing was sent.')
  }
  return {
    kind: 'rejected',
    exitCode: EXIT.serverFault,
    words: 'It was not done: the payment still waits, as before.',
  }
}

type Seen =
  | { readonly kind: 'payment'; readonly payment: Answer }
  | { readonly kind: 'resolution'; readonly resolution: Resolution }

async function lookAt(options: ClientOptions, kept: KeptIntent): Promise<Seen> {
  try {
    const payment = await readPayment(options, kept.target?.name)
    if (payment !== undefined && isObject(payment.json)) return { kind: 'payment', payment }
    return { kind: 'resolution', resolution: inDoubt('The payment could not be read.') }
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    const isNone = error.code === 'payment_not_found' && kept.account === accountOf(options)
    return {
      kind: 'resolution',
      resolution: isNone
        ? {
            kind: 'rejected',
            exitCode: EXIT.notFound,
            words: 'There is no such payment, so nothing was done.',
          }
        : inDoubt(`The payment could not be read: ${error.message}.`),
    }
  }
}

/** The end of what was sent again, as the pipeline judges it. */
function settled(kept: KeptIntent, call: Call, ended: Ended, words: string): Resolution {
  try {
    const { exitCode } = answerOrThrow(call, ended, kept.id, kept.idempotencyKey)
    return { kind: 'confirmed', exitCode, resource: undefined, words }
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return error.details.outcome === 'none' && ended.kind === 'refused'
      ? { kind: 'rejected', exitCode: error.exitCode, words: `It was not done: ${error.message}.` }
      : inDoubt(`${error.message}.`)
  }
}

function confirmedBy(kept: KeptIntent, call: Call, payment: Answer): Resolution {
  const exitCode = exitOfAnswer(kept.operation, 200, call.body?.value, payment.json)
  return exitCode === EXIT.outcomeUnknown
    ? inDoubt('The processor never answered the service.')
    : { kind: 'confirmed', exitCode, resource: undefined, words: 'It was done: the payment shows it.' }
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
