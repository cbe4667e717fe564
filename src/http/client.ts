import type { Operation } from '../api/operation.ts'
import { EXIT, InterruptedError, PayError } from '../errors.ts'
import { parseJson } from '../json/json.ts'
import { attemptOnce } from './attempt.ts'
import type { AttemptLog, Attempted } from './attempt.ts'
import { buildRequest } from './build.ts'
import { contradicts, exitOfAnswer, showsAmount } from './effect.ts'
import { readErrorBody } from './envelope.ts'
import type { Ledger, OpenIntent } from './ledger-port.ts'
import { KEY_USED, refusalOf } from './refusal.ts'
import { decide } from './retry.ts'
import { retryAfterMs } from './retry-after.ts'
import type { Transport, WireAnswer, WireRequest } from './transport-port.ts'

/** The row of the table that a call follows; `pay api` on a path the table does not know makes one of its own. */
export interface CallOperation extends Omit<
  Operation,
  'response' | 'summary' | 'beta' | 'scope' | 'method' | 'path'
> {
  readonly method: string
  readonly path: string
}

export interface Call {
  readonly operation: CallOperation
  readonly params: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  /** The parsed body and its exact text: the text is what every attempt sends. */
  readonly body?: { readonly value: unknown; readonly text: string }
  readonly idempotencyKey?: string | undefined
  /** For the ledger; the request's own amount where it has one. */
  readonly amount?: number | undefined
  readonly currencyCode?: string | undefined
  /** What the ledger calls the target, where it is not in the path. */
  readonly target?: string | undefined
}

/** A complete answer, and what had to happen for it. */
export interface Answer {
  readonly status: number
  /** The body as the service wrote it. */
  readonly text: string
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown
  readonly requestId: string | undefined
  /** 0, or 8 and 13: answers that are no success. */
  readonly exitCode: number
  readonly operationId: string | undefined
  readonly idempotencyKey: string | undefined
  /** How the answer was found when it is not the direct one; words for stderr. */
  readonly note: string | undefined
}

/** First signal and second signal; see `sendAll`. */
export interface Interruption {
  /** Aborted by the first signal: nothing new is sent, what is in flight is waited for. `reason` names the signal. */
  readonly stop: AbortSignal
  /** Aborted by the second: what is in flight is given up. */
  readonly abandon: AbortSignal
}

export interface ClientOptions {
  readonly transport: Transport
  readonly ledger: Ledger
  readonly baseUrl: string
  readonly apiKey: string
  readonly apiVersion: string
  readonly userAgent: string
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly now: () => Date
  readonly random: () => number
  readonly newId: () => string
  /** Resolves after the time, or at once when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly interruption: Interruption
  readonly onAttempt: (log: AttemptLog) => void
}

export interface Client {
  readonly call: (call: Call) => Promise<Answer>
}

export function createClient(options: ClientOptions): Client {
  return { call: (call) => (call.operation.risk === 'read' ? read(options, call) : write(options, call)) }
}

async function read(options: ClientOptions, call: Call): Promise<Answer> {
  const request = requestOf(options, call, undefined)
  const ended = await sendAll(options, call, request, { inDoubt: false, snapshot: undefined })
  return answerOrThrow(call, ended, undefined, undefined)
}

/** A write: what is read first, the intent, the attempts, the outcome; in this order, always. */
async function write(options: ClientOptions, call: Call): Promise<Answer> {
  const { operation } = call
  const idempotencyKey = operation.idempotencyKey ? (call.idempotencyKey ?? options.newId()) : undefined
  const request = requestOf(options, call, idempotencyKey)
  const snapshot = isReadFirst(operation) ? await readPayment(options, paymentIdOf(call)) : undefined
  if (options.interruption.stop.aborted) throw interrupted(options.interruption)
  const intent = await options.ledger.begin({
    operation: operation.id,
    target: call.target ?? paymentIdOf(call) ?? Object.values(call.params)[0],
    amount: call.amount,
    currencyCode: call.currencyCode,
    idempotencyKey,
  })
  try {
    const ended = await sendAll(options, call, request, { inDoubt: false, snapshot: snapshot?.text })
    const answer = answerOrThrow(call, ended, intent.id, idempotencyKey)
    await intent.settle('confirmed', answer.exitCode)
    return answer
  } catch (error) {
    throw await settleFailure(intent, error)
  }
}

async function settleFailure(intent: OpenIntent, error: unknown): Promise<unknown> {
  const exitCode = error instanceof PayError ? error.exitCode : EXIT.internal
  const isRefused = error instanceof PayError && error.details.outcome === 'none'
  await intent.settle(isRefused ? 'rejected' : 'in-doubt', exitCode)
  return error
}

type Ended =
  | {
      readonly kind: 'answer'
      readonly answer: WireAnswer
      readonly requestId: string | undefined
      readonly note?: string
    }
  | { readonly kind: 'refused'; readonly answer: WireAnswer; readonly requestId: string | undefined }
  | { readonly kind: 'rate-limited'; readonly answer: WireAnswer; readonly requestId: string | undefined }
  /** The service failed, and nothing was done. */
  | { readonly kind: 'server-fault'; readonly last: Attempted }
  | { readonly kind: 'not-connected'; readonly last: Attempted }
  | { readonly kind: 'unknown'; readonly last: Attempted | undefined }
  | { readonly kind: 'interrupted'; readonly error: InterruptedError }

interface Doubt {
  readonly inDoubt: boolean
  /** What `compare` and `look` operations read before they were sent. */
  readonly snapshot: string | undefined
}

/** Every attempt of one intent: the same bytes and the same key each time. */
async function sendAll(
  options: ClientOptions,
  call: Call,
  request: WireRequest,
  start: Doubt,
): Promise<Ended> {
  const { operation } = call
  const { stop } = options.interruption
  let { inDoubt } = start
  for (let attempt = 0; ; attempt += 1) {
    if (stop.aborted && !inDoubt) return { kind: 'interrupted', error: interrupted(options.interruption) }
    const last = await attemptOnce(options, operation, request, attempt)
    const verdict = decide({
      replay: operation.replay,
      risk: operation.risk,
      attempt,
      // After a first signal nothing is sent again: what is known by now is what is told.
      maxRetries: stop.aborted ? 0 : options.maxRetries,
      inDoubt,
      end: endOf(last, operation, options.now()),
      random: options.random(),
    })
    switch (verdict.kind) {
      case 'accept':
        if (last.kind !== 'answer') throw new Error('accepted without an answer')
        return last
      case 'refused':
      case 'rate-limited':
        if (last.kind !== 'answer') throw new Error('refused without an answer')
        return { ...last, kind: verdict.kind }
      case 'done-before':
        return doneBefore(options, call, last)
      case 'look': {
        const seen = await lookAgain(options, call, start.snapshot, last)
        if (seen !== 'unchanged') return seen
        if (attempt >= options.maxRetries || stop.aborted) {
          return last.kind === 'answer' ? { kind: 'server-fault', last } : { kind: 'unknown', last }
        }
        continue
      }
      case 'retry':
        inDoubt = verdict.inDoubt
        await options.sleep(verdict.waitMs, stop)
        if (stop.aborted && inDoubt) return { kind: 'unknown', last }
        continue
      case 'unknown':
        return { kind: 'unknown', last }
      case 'server-fault':
      case 'not-connected':
        if (last.kind === 'failure' && last.failure.reason === 'aborted') {
          return { kind: 'interrupted', error: interrupted(options.interruption) }
        }
        return { kind: verdict.kind, last }
    }
  }
}

function endOf(last: Attempted, operation: CallOperation, now: Date) {
  if (last.kind === 'failure') {
    return { kind: 'failure', sent: last.failure.sent, reason: last.failure.reason } as const
  }
  const { errorId } = readErrorBody(last.answer.status < 400 ? '' : last.answer.body)
  const keyUsed = operation.idempotencyKey && KEY_USED.some((id) => id === errorId)
  const provesDone = keyUsed || (errorId !== undefined && errorId === operation.doneOnResend?.errorId)
  const waitMs = retryAfterMs(last.answer.headers['retry-after'], now)
  return { kind: 'answer', status: last.answer.status, retryAfterMs: waitMs, provesDone } as const
}

/** A refusal proved that an earlier attempt of ours was done: find out what it made. */
async function doneBefore(options: ClientOptions, call: Call, last: Attempted): Promise<Ended> {
  if (last.kind !== 'answer') return { kind: 'unknown', last }
  const { operation } = call
  if (operation.doneOnResend !== undefined) {
    return operation.doneOnResend.settleWith === undefined
      ? {
          kind: 'answer',
          answer: { ...last.answer, status: 200, body: goneBody(call) },
          requestId: last.requestId,
          note: 'An earlier attempt of this call had done it.',
        }
      : settleByUpdate(options, call, last)
  }
  const paymentId = readErrorBody(last.answer.body).paymentId ?? paymentIdOf(call)
  const found = await tryReadPayment(options, paymentId)
  if (found === undefined || contradicts(operation.id, call.body?.value, found.json))
    return { kind: 'unknown', last }
  return {
    kind: 'answer',
    answer: { status: 200, headers: {}, body: found.text },
    requestId: found.requestId,
    note: 'The answer to the first attempt was lost; the service had processed it, and the payment was read back.',
  }
}

/** There is nothing to read once it is gone, so the answer tells no more than that. */
const goneBody = (call: Call): string =>
  JSON.stringify({ token: call.params['paymentMethodToken'], deleted: true })

/** A record that is there but cannot be read is brought to the wanted state, which answers it in full. */
async function settleByUpdate(options: ClientOptions, call: Call, last: Attempted): Promise<Ended> {
  const body = call.body?.value
  if (!isRecord(body) || typeof body['paymentId'] !== 'string') return { kind: 'unknown', last }
  const { paymentId, createdAt: _fixed, ...changes } = body
  const update: Call = {
    operation: {
      id: 'observability.update',
      method: 'PATCH',
      path: '/observability/payments/{paymentId}',
      idempotencyKey: false,
      replay: 'safe',
      risk: 'write',
    },
    params: { paymentId },
    body: { value: changes, text: JSON.stringify(changes) },
  }
  const ended = await sendAll(options, update, requestOf(options, update, undefined), {
    inDoubt: true,
    snapshot: undefined,
  })
  if (ended.kind !== 'answer') return { kind: 'unknown', last }
  return {
    ...ended,
    note: 'The answer to the first attempt was lost; the record was there, and its fields were sent again.',
  }
}

/** Reads the target after an unknown outcome: done, unchanged, or nobody can tell. */
async function lookAgain(
  options: ClientOptions,
  call: Call,
  snapshot: string | undefined,
  last: Attempted,
): Promise<Ended | 'unchanged'> {
  const seen = await tryReadPayment(options, paymentIdOf(call))
  if (seen === undefined) return { kind: 'unknown', last }
  const isUnchanged = seen.text === snapshot
  const isDone =
    call.operation.replay === 'compare'
      ? showsAmount(call.body?.value, seen.json)
      : !isUnchanged && hasMovedOn(seen.json)
  if (isDone) {
    return {
      kind: 'answer',
      answer: { status: 200, headers: {}, body: seen.text },
      requestId: seen.requestId,
      note: 'The answer was lost; the payment was read, and it shows that the call was done.',
    }
  }
  return isUnchanged && call.operation.replay === 'compare' ? 'unchanged' : { kind: 'unknown', last }
}

const hasMovedOn = (payment: unknown): boolean =>
  isRecord(payment) && typeof payment['status'] === 'string' && payment['status'] !== 'PENDING'

function answerOrThrow(
  call: Call,
  ended: Ended,
  operationId: string | undefined,
  idempotencyKey: string | undefined,
): Answer {
  const { operation } = call
  const ids = { operation: operation.id, operationId, idempotencyKey }
  switch (ended.kind) {
    case 'answer': {
      const json = jsonOrUndefined(ended.answer.body)
      const exitCode = exitOfAnswer(operation.id, ended.answer.status, call.body?.value, json)
      if (exitCode === EXIT.outcomeUnknown)
        throw unknownOutcome(
          call,
          undefined,
          ids,
          'the processor never answered the service (GATEWAY_TIMEOUT)',
        )
      const { status, body: text } = ended.answer
      return {
        status,
        text,
        json,
        requestId: ended.requestId,
        exitCode,
        operationId,
        idempotencyKey,
        note: ended.note,
      }
    }
    case 'refused':
    case 'rate-limited': {
      const body = readErrorBody(ended.answer.body)
      const refusal = refusalOf(ended.answer.status, body.errorId, call.params['id'] !== undefined)
      throw new PayError(refusal.code, refusal.exitCode, refusal.message, {
        ...ids,
        httpStatus: ended.answer.status,
        errorId: body.errorId,
        description: body.description,
        diagnosticsId: body.diagnosticsId ?? ended.requestId,
        validationErrors: body.validationErrors,
        hint: body.recoverySuggestion,
        outcome: 'none',
        retryable: ended.kind === 'rate-limited',
      })
    }
    case 'server-fault':
      throw new PayError('server_error', EXIT.serverFault, faultWords(ended.last), {
        ...ids,
        ...facts(ended.last),
        outcome: 'none',
        retryable: true,
      })
    case 'not-connected':
      throw new PayError('not_connected', EXIT.notConnected, `Nothing was sent: ${reasonWords(ended.last)}`, {
        ...ids,
        outcome: 'none',
        retryable: true,
        cause: ended.last.kind === 'failure' ? ended.last.failure : undefined,
      })
    case 'unknown':
      throw unknownOutcome(
        call,
        ended.last,
        ids,
        ended.last === undefined ? 'no usable answer came' : reasonWords(ended.last),
      )
    case 'interrupted':
      throw ended.error
  }
}

function unknownOutcome(
  call: Call,
  last: Attempted | undefined,
  ids: { operation: string; operationId: string | undefined; idempotencyKey: string | undefined },
  why: string,
): PayError {
  return new PayError(
    'outcome_unknown',
    EXIT.outcomeUnknown,
    `Outcome unknown: ${call.operation.id} was sent, and ${why}`,
    {
      ...ids,
      ...(last === undefined ? {} : facts(last)),
      outcome: 'unknown',
      retryable: false,
    },
  )
}

function facts(last: Attempted) {
  if (last.kind === 'failure') return { cause: last.failure }
  const body = readErrorBody(last.answer.body)
  return {
    httpStatus: last.answer.status,
    errorId: body.errorId,
    description: body.description,
    diagnosticsId: body.diagnosticsId ?? last.requestId,
  }
}

const faultWords = (last: Attempted): string =>
  last.kind === 'answer'
    ? `The service failed (${last.answer.status})`
    : `The service gave no usable answer: ${last.failure.message}`
const reasonWords = (last: Attempted): string =>
  last.kind === 'answer' ? `the service answered ${last.answer.status}` : last.failure.message

async function readPayment(options: ClientOptions, id: string | undefined): Promise<Answer | undefined> {
  if (id === undefined) return undefined
  const get: Call = {
    operation: {
      id: 'payment.get',
      method: 'GET',
      path: '/payments/{id}',
      idempotencyKey: false,
      replay: 'safe',
      risk: 'read',
    },
    params: { id },
  }
  return read(options, get)
}

async function tryReadPayment(options: ClientOptions, id: string | undefined): Promise<Answer | undefined> {
  try {
    const answer = await readPayment(options, id)
    return answer !== undefined && isRecord(answer.json) ? answer : undefined
  } catch (error) {
    if (error instanceof PayError) return undefined
    throw error
  }
}

function requestOf(options: ClientOptions, call: Call, idempotencyKey: string | undefined): WireRequest {
  const { baseUrl, apiKey, apiVersion, userAgent } = options
  return buildRequest(call.operation, {
    baseUrl,
    params: call.params,
    query: call.query ?? {},
    body: call.body?.text,
    apiKey,
    apiVersion,
    idempotencyKey,
    userAgent,
  })
}

const isReadFirst = (operation: CallOperation): boolean =>
  operation.replay === 'compare' || operation.replay === 'look'
const paymentIdOf = (call: Call): string | undefined => call.params['id']
const interrupted = (interruption: Interruption): InterruptedError => {
  const { reason }: { readonly reason: unknown } = interruption.stop
  return new InterruptedError(reason === 'SIGTERM' || reason === 'SIGHUP' ? reason : 'SIGINT')
}
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function jsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
