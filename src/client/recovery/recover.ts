import { UsageError } from '../../errors.ts'
import { stringifyJson } from '../../json/json.ts'
import type { AttemptResult } from '../calls/attempt.ts'
import { sendAll } from '../calls/attempts.ts'
import { paymentIdOf } from '../calls/call.ts'
import { requestOf } from '../calls/client-port.ts'
import type { Call } from '../calls/call.ts'
import type { ClientOptions } from '../calls/client-port.ts'
import { contradicts, showsAmount, showsResumed } from './effect.ts'
import { readErrorBody } from '../calls/api-error.ts'
import type { HeldWrite, Snapshot } from '../ledger/port.ts'
import type { Recovery, SendResult } from '../calls/attempts.ts'
import { lookUpPayment, tryReadPayment } from '../calls/read.ts'
import type { HttpRequest } from '../http/transport-port.ts'
import { isRecord } from '../../json/is-record.ts'

/** A write that is about to be sent. */
export interface Sending
  extends
    Pick<Recovery, 'inDoubt' | 'isKeyOld' | 'onDoubt'>,
    Required<Pick<Recovery, 'fence'>>,
    Pick<HeldWrite, 'isLeased' | 'isFresh' | 'isKeyTaken'> {
  /** What was read before it. */
  readonly before: Snapshot | undefined
}

/** Sends a write, and finds out whether it was done if its response is lost. */
export const sendWrite = (
  options: ClientOptions,
  call: Call,
  request: HttpRequest,
  write: Sending,
): Promise<SendResult> =>
  sendAll(options, call, request, {
    ...write,
    confirmProcessed: (last) => confirmProcessed(options, call, write, last),
    checkTarget: (last) => checkTarget(options, call, write.before, last),
  })

/** Finds the result of an earlier attempt after a refusal proved that it was done. */
async function confirmProcessed(
  options: ClientOptions,
  call: Call,
  { fence, isLeased, isFresh, isKeyTaken }: Sending,
  last: AttemptResult,
): Promise<SendResult> {
  if (last.kind !== 'answer') return { kind: 'unknown', last }
  const { operation } = call
  if (operation.doneOnResend !== undefined) {
    return operation.doneOnResend.settleWith === undefined
      ? {
          kind: 'answer',
          answer: { ...last.answer, status: 200, body: GONE_BODY },
          requestId: last.requestId,
          warning:
            'The service had already deleted it, and that response was lost. The output is not a response from the service.',
        }
      : settleByUpdate(options, call, { fence, isLeased, isFresh }, last)
  }
  // The service may know the key from another write, so this refusal proves nothing about this one.
  // If the ledger can't tell, it may.
  if (await isKeyTaken().catch(() => true)) return { kind: 'unknown', last }
  const target = paymentIdOf(call)
  const { paymentId = target, paymentStatus } = readErrorBody(last.answer.body)
  // A key that the user supplied may have been used before, for something else.
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
    note: 'The response to the first attempt was lost. The service had processed it, and the payment was read back.',
  }
}

/** The result when the payment can't be read back: only what the refusal says about it. */
function doneUnseen(
  { operation, body }: Call,
  { id, status }: { readonly id: string; readonly status: string | undefined },
  last: Extract<AttemptResult, { kind: 'answer' }>,
): SendResult {
  const said = { id, ...(status === undefined ? {} : { status }) }
  // Processed does not mean approved: only the status shows whether it was declined. FAILED is not conclusive, because a
  // processor that never responded may still have done it.
  const isConclusive = status !== undefined && status !== 'FAILED'
  if (operation.verdict === 'payment' && !isConclusive) return { kind: 'unknown', last }
  if (contradicts(operation.id, body?.value, said)) return { kind: 'unknown', last }
  return {
    kind: 'answer',
    answer: { status: 200, headers: {}, body: stringifyJson(said) },
    requestId: last.requestId,
    note: 'The response to the first attempt was lost. The service says that it has processed it.',
    warning: `Payment ${id} could not be read back: the output is all that the service said about it.`,
  }
}

/** The output for a deletion that was done earlier: there is nothing left to read. */
const GONE_BODY = stringifyJson({ deleted: true })

/** Updates the existing record to the requested state, which returns it in full: the service can't read a record. */
async function settleByUpdate(
  options: ClientOptions,
  call: Call,
  lease: Pick<Sending, 'fence' | 'isLeased' | 'isFresh'>,
  last: AttemptResult,
): Promise<SendResult> {
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
  // In doubt from the start, so that only a complete response counts as success.
  const ended = await sendAll(options, update, request, { inDoubt: true, ...lease })
  if (ended.kind !== 'answer') return { kind: 'unknown', last }
  return {
    ...ended,
    note: 'The response to the first attempt was lost. The record existed, so its fields were sent again.',
  }
}

/** The request; undefined for a paymentId that is valid in a body but not in a path. */
function requestOrUndefined(options: ClientOptions, call: Call): HttpRequest | undefined {
  try {
    return requestOf(options, call, undefined)
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** Reads the target after an unknown outcome: done, or still unknown. A target that doesn't show it proves nothing yet. */
async function checkTarget(
  options: ClientOptions,
  call: Call,
  before: Snapshot | undefined,
  last: AttemptResult,
): Promise<SendResult> {
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
      note: 'The response was lost. The payment was read, and shows that the call was done.',
    }
  }
  return { kind: 'unknown', last }
}
