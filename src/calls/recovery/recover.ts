import { UsageError } from '../../errors.ts'
import { stringifyJson } from '../../json/json.ts'
import { DECLINABLE } from '../../api/operations/declinable.ts'
import type { Attempted } from '../attempt.ts'
import { sendAll } from '../attempts.ts'
import type { Recovery } from '../attempts.ts'
import { paymentIdOf, requestOf } from '../call.ts'
import type { Call, ClientOptions } from '../call.ts'
import { contradicts, showsAmount, showsResumed } from './effect.ts'
import { readErrorBody } from '../api-error.ts'
import type { OpenIntent, Snapshot } from '../../ledger/port.ts'
import { snapshotOf } from '../build-intent.ts'
import type { Ended } from '../outcome.ts'
import { lookUpPayment, tryReadPayment } from '../read.ts'
import type { HttpRequest } from '../../http/transport-port.ts'
import { isRecord } from '../../is-record.ts'

/** A refusal proved that an earlier attempt of ours was done: find out what it made. */
export async function doneBefore(
  options: ClientOptions,
  call: Call,
  { isOurs, isKeyTaken }: Pick<OpenIntent, 'isOurs' | 'isKeyTaken'>,
  last: Attempted,
): Promise<Ended> {
  if (last.kind !== 'answer') return { kind: 'unknown', last }
  const { operation } = call
  if (operation.doneOnResend !== undefined) {
    return operation.doneOnResend.settleWith === undefined
      ? {
          kind: 'answer',
          answer: { ...last.answer, status: 200, body: GONE_BODY },
          requestId: last.requestId,
          warning:
            'The service had deleted it before, and that answer was lost: what is shown is not an answer of the service.',
        }
      : settleByUpdate(options, call, isOurs, last)
  }
  // The service may know the key from that one: then this refusal tells nothing of ours.
  if ((await isKeyTaken?.()) === true) return { kind: 'unknown', last }
  const target = paymentIdOf(call)
  const { paymentId = target, paymentStatus } = readErrorBody(last.answer.body)
  // A key that was given by hand may have been used before, for something else.
  if (paymentId === undefined || (target !== undefined && paymentId !== target))
    return { kind: 'unknown', last }
  const found = await lookUpPayment(options, paymentId)
  if (found === 'none') return { kind: 'unknown', last }
  if (found === undefined) return doneUnseen(call, { id: paymentId, status: paymentStatus }, last)
  if (contradicts(operation.id, call.body?.value, found.json)) return { kind: 'unknown', last }
  return {
    kind: 'answer',
    answer: { status: 200, headers: {}, body: found.text },
    requestId: found.requestId,
    note: 'The answer to the first attempt was lost; the service had processed it, and the payment was read back.',
  }
}

/** It was processed, and cannot be read back: what the refusal has said of the payment is all that is known. */
function doneUnseen(
  { operation, body }: Call,
  { id, status }: { readonly id: string; readonly status: string | undefined },
  last: Extract<Attempted, { kind: 'answer' }>,
): Ended {
  const said = { id, ...(status === undefined ? {} : { status }) }
  // Processed is not approved: where it may have been declined, only its status tells. FAILED is not enough, since a
  // processor that never answered may have done it.
  const isTelling = status !== undefined && status !== 'FAILED'
  if (DECLINABLE.includes(operation.id) && !isTelling) return { kind: 'unknown', last }
  if (contradicts(operation.id, body?.value, said)) return { kind: 'unknown', last }
  return {
    kind: 'answer',
    answer: { status: 200, headers: {}, body: stringifyJson(said) },
    requestId: last.requestId,
    note: 'The answer to the first attempt was lost; the service says that it has processed it.',
    warning: `Payment ${id} could not be read back: what is shown is all that the service has said of it.`,
  }
}

/** There is nothing to read once it is gone, so the answer tells no more than that. */
const GONE_BODY = stringifyJson({ deleted: true })

/** A record that is there but cannot be read is brought to the wanted state, which answers it in full. */
async function settleByUpdate(
  options: ClientOptions,
  call: Call,
  isOurs: Recovery['isOurs'],
  last: Attempted,
): Promise<Ended> {
  const body = call.body?.value
  if (!isRecord(body) || typeof body['paymentId'] !== 'string') return { kind: 'unknown', last }
  const { paymentId, createdAt: _fixed, ...changes } = body
  const { updateExternalPayment } = await import('../../api/operations/observability.ts')
  const update: Call = {
    operation: updateExternalPayment,
    params: { paymentId },
    body: { value: changes, text: stringifyJson(changes) },
  }
  const request = requestOrUndefined(options, update)
  if (request === undefined) return { kind: 'unknown', last }
  // Whatever this attempt brings, the first one's doubt is only ended by a complete answer.
  const recovery: Recovery = { inDoubt: true, isOurs, doneBefore: unknown, lookAgain: unknown }
  const ended = await sendAll(options, update, request, recovery)
  if (ended.kind !== 'answer') return { kind: 'unknown', last }
  return {
    ...ended,
    note: 'The answer to the first attempt was lost; the record was there, and its fields were sent again.',
  }
}

const unknown = async (last: Attempted): Promise<Ended> => ({ kind: 'unknown', last })

/** Undefined for a paymentId that can stand in a body and not in a path. */
function requestOrUndefined(options: ClientOptions, call: Call): HttpRequest | undefined {
  try {
    return requestOf(options, call, undefined)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** Reads the target after an unknown outcome: done, unchanged, or nobody can tell. */
export async function lookAgain(
  options: ClientOptions,
  call: Call,
  before: Snapshot | undefined,
  last: Attempted,
): Promise<Ended | 'unchanged'> {
  const seen = await tryReadPayment(options, paymentIdOf(call))
  if (seen === undefined) return { kind: 'unknown', last }
  const isDone =
    call.operation.replay === 'compare'
      ? showsAmount(call.body?.value, seen.json)
      : showsResumed(before?.status, seen.json)
  if (isDone) {
    return {
      kind: 'answer',
      answer: { status: 200, headers: {}, body: seen.text },
      requestId: seen.requestId,
      note: 'The answer was lost; the payment was read, and it shows that the call was done.',
    }
  }
  const isUnchanged = call.operation.replay === 'compare' && snapshotOf(seen).sha256 === before?.sha256
  return isUnchanged ? 'unchanged' : { kind: 'unknown', last }
}
