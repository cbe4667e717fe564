import { EXIT, interruptedBy, messageOf, PayError } from '../../errors.ts'
import { wasSent } from './attempt.ts'
import type { BegunWrite, Settlement, Snapshot } from '../ledger/port.ts'
import { paymentIdOf } from './call.ts'
import { requestOf } from './client-port.ts'
import type { Answer, Call, CallOperation } from './call.ts'
import type { Client, ClientOptions } from './client-port.ts'
import { buildIntent, snapshotOf, ticketKey } from './build-intent.ts'
import { findUnrecorded, unrecordedError, unrecordedWarning } from './unrecorded.ts'
import { answerOrThrow } from './outcome.ts'
import { read, readPayment, tryReadPayment } from './read.ts'
import { effectIn, movedIn, equalRefunds } from './matching-refunds.ts'
import { isKeyOld } from './absence.ts'
import { sendWrite } from '../recovery/recover.ts'
import { createServiceClock } from './service-clock.ts'
import type { ServiceClock } from './service-clock.ts'
import { KEY_USED, readErrorBody } from './api-error.ts'
import type { HttpRequest, HttpResponse } from '../http/transport-port.ts'
import { textAt } from '../../json/fields.ts'

/** The pipeline of every call: build, record, send, settle. */
export function createClient(clientOptions: ClientOptions): Client {
  const service = createServiceClock(clientOptions.clocks)
  const options: TrackedOptions = {
    ...clientOptions,
    service,
    onAttempt: (log) => {
      service.note(log)
      clientOptions.onAttempt(log)
    },
  }
  return {
    call: (call) => (call.operation.risk === 'read' ? read(options, call) : write(options, call)),
    resolve: async (intent, resolveOptions) => {
      const { resolve } = await import('../recovery/resolve.ts')
      const found = await resolve(options, intent, resolveOptions)
      if (found.kind !== 'confirmed') return found
      const { currencyCode, orderId } = factsIn(options, found.payment)
      return { ...found, currencyCode, orderId }
    },
  }
}

interface TrackedOptions extends ClientOptions {
  readonly service: ServiceClock
}

/** A write, always in this order: read what is needed, record the intent, send, record the outcome. */
async function write(options: TrackedOptions, call: Call): Promise<Answer> {
  const { operation } = call
  const { service } = options
  const idempotencyKey = operation.idempotencyKey ? keyFor(options, call) : undefined
  const request = requestOf(options, call, idempotencyKey)
  const { seen, before, intent } = await begin(options, call, idempotencyKey)
  let isSent = false
  const watched: TrackedOptions = {
    ...options,
    onAttempt: (log) => {
      if (log.request.method !== 'GET') isSent ||= wasSent(log.ended)
      options.onAttempt(log)
    },
  }
  const answer = await sendRecorded(watched, call, request, { before, intent, idempotencyKey }).catch(
    async (thrown: unknown) => {
      const error = asPayError(thrown, operation.id)
      const state = error.details.outcome === 'none' ? 'rejected' : 'in-doubt'
      await intent
        .settle({ state, exitCode: error.exitCode, serviceMs: service.nowMs() })
        .catch(async (reason: unknown) => {
          throw unrecordedError(error, await findUnrecorded(intent, reason), isSent)
        })
      throw error
    },
  )
  try {
    await intent.settle(settlementOf(options, call, { seen, answer }))
    return withWarning(answer, intent.warning)
  } catch (error) {
    const facts = await findUnrecorded(intent, error)
    return withWarning(withWarning(answer, intent.warning), unrecordedWarning(facts))
  }
}

const withWarning = (answer: Answer, words: string | undefined): Answer =>
  words === undefined
    ? answer
    : { ...answer, warning: answer.warning === undefined ? words : `${answer.warning} ${words}` }

interface Begun {
  /** The payment, if it was read first. */
  readonly seen: Answer | undefined
  readonly before: Snapshot | undefined
  readonly intent: BegunWrite
}

/** How many times to read the payment if other writes keep making the reading stale. */
const MAX_READINGS = 3

/** Reads the payment first where the table requires it, and again when that reading is stale. */
async function begin(
  options: TrackedOptions,
  call: Call,
  idempotencyKey: string | undefined,
): Promise<Begun> {
  const { stop } = options.interruption
  for (let reading = 1; ; reading += 1) {
    const isRead = isReadFirst(call.operation) || call.review !== undefined || call.countsOthers !== undefined
    const knownEnded = isRead
      ? await options.ledger.endedOn(buildIntent(options, call, idempotencyKey, undefined))
      : undefined
    const seen = isRead ? await readPayment(options, paymentIdOf(call)) : undefined
    const before = seen === undefined ? undefined : snapshotOf(seen)
    if (stop.aborted) throw interruptedBy(stop)
    if (seen !== undefined) call.review?.(seen)
    try {
      const intent = await options.ledger.begin(
        buildIntent(options, knownFrom(options, call, seen), idempotencyKey, before),
        {
          mayRepeat: call.mayRepeat === true,
          isTicket: call.ticket !== undefined,
          timeoutMs: options.timeoutMs,
          serviceMs: options.service.nowMs(),
          limits: options.limits,
          ...(knownEnded === undefined ? {} : { knownEnded }),
          ...(seen === undefined || call.countsOthers === undefined
            ? {}
            : { shown: { ...equalRefunds(call, seen), ...call.countsOthers } }),
        },
      )
      return { seen, before, intent }
    } catch (error) {
      if (!(error instanceof PayError) || error.code !== 'overtaken' || reading === MAX_READINGS) throw error
    }
  }
}

/** The call with the currency and the order of its payment, if it was read. */
const knownFrom = (options: ClientOptions, call: Call, seen: Answer | undefined): Call => ({
  ...call,
  currencyCode: call.currencyCode ?? factsIn(options, seen?.json).currencyCode,
  orderId: call.orderId ?? factsIn(options, seen?.json).orderId,
})

/** What the ledger takes from a response: nothing with the API key in it, which a service may repeat. */
function factsIn({ apiKey }: ClientOptions, json: unknown) {
  const factAt = (name: string): string | undefined => {
    const text = textAt(json, name)
    return text?.includes(apiKey) === true ? undefined : text
  }
  return { currencyCode: factAt('currencyCode'), orderId: factAt('orderId'), resource: factAt('id') }
}

const keyFor = (options: ClientOptions, call: Call): string =>
  call.idempotencyKey ?? (call.ticket === undefined ? options.newId() : ticketKey(options, call, call.ticket))

const settlementOf = (
  options: TrackedOptions,
  call: Call,
  { seen, answer: { exitCode, json, note } }: Pick<Begun, 'seen'> & { readonly answer: Answer },
): Settlement => ({
  state: 'confirmed',
  serviceMs: options.service.nowMs(),
  effectAt: effectIn(call, { before: seen?.json, after: json }),
  exitCode,
  ...factsIn(options, json),
  movedAmount: call.amount === undefined ? movedIn(call, { before: seen?.json, after: json }) : undefined,
  note,
})

async function sendRecorded(
  options: TrackedOptions,
  call: Call,
  request: HttpRequest,
  {
    before,
    intent,
    idempotencyKey,
  }: {
    readonly before: Snapshot | undefined
    readonly intent: BegunWrite
    readonly idempotencyKey: string | undefined
  },
): Promise<Answer> {
  const { isInDoubt: inDoubt, isLeased, isFresh, isKeyTaken } = intent
  const { service } = options
  const ended = await sendWrite(options, call, request, {
    before,
    inDoubt,
    isKeyOld: () => isKeyOld(intent.timing(), { ...intent.now(), serviceMs: service.seenMs() }),
    fence: () => intent.fence(service.nowMs()),
    isLeased,
    isFresh,
    isKeyTaken,
  })
  if (call.ifKeyUsed !== undefined && ended.kind === 'refused' && isKeyUsed(ended.answer)) {
    const found = await call.ifKeyUsed()
    if (found !== undefined) {
      const { payment, exitCode, note } = found
      return { ...payment, exitCode, note, operationId: intent.id, idempotencyKey }
    }
  }
  const answer = answerOrThrow(call, ended, intent.id, idempotencyKey)
  if (answer.exitCode !== EXIT.notFinished) return answer
  // "Not finished" arrives as an error envelope, but the caller wants to see the payment.
  const payment = await tryReadPayment(options, paymentIdOf(call))
  return payment === undefined ? answer : { ...answer, text: payment.text, json: payment.json }
}

const isKeyUsed = ({ body }: HttpResponse): boolean => KEY_USED.includes(readErrorBody(body).errorId ?? '')

/** Any other error is a bug in the middle of a write, when the request may have been sent. */
function asPayError(thrown: unknown, operation: string): PayError {
  // Without an outcome, the error doesn't say whether the request was sent.
  if (thrown instanceof PayError && thrown.details.outcome !== undefined) return thrown
  return new PayError('internal', EXIT.internal, `Unexpected error: ${messageOf(thrown)}`, {
    operation,
    outcome: 'unknown',
    cause: thrown,
  })
}

const isReadFirst = (operation: CallOperation): boolean =>
  operation.replay === 'compare' || operation.replay === 'look'
