import type { CallOperation } from './call.ts'
import { KEY_USED, readErrorBody } from './api-error.ts'
import { expectedAnswerOf, findAnswerFault, isIncomplete } from './check-answer.ts'
import type { CheckedCall } from './check-answer.ts'
import { retryAfterMs } from './retry-after.ts'
import type { AttemptEnd } from './retry.ts'
import { TransportFailure } from '../http/transport-port.ts'
import type { SendOptions, Transport, HttpResponse, HttpRequest } from '../http/transport-port.ts'

export type AttemptResult =
  | {
      readonly kind: 'answer'
      readonly answer: HttpResponse
      readonly requestId: string | undefined
      /** Why the response is unusable, regardless of its status; see {@link findAnswerFault}. */
      readonly fault?: string | undefined
    }
  | { readonly kind: 'failure'; readonly failure: TransportFailure }

/** One attempt, for `--verbose` and `--debug`. */
export interface AttemptLog {
  /** Counted from 1. */
  readonly attempt: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly request: HttpRequest
  readonly ended: AttemptResult
}

interface AttemptOptions {
  readonly transport: Transport
  readonly timeoutMs: number
  readonly now: () => Date
  readonly interruption: { readonly abandon: AbortSignal }
  readonly onAttempt: (log: AttemptLog) => void
}

/** One attempt among those of a call. */
interface Turn extends Pick<SendOptions, 'confirm'> {
  /** Counted from 0. */
  readonly attempt: number
  readonly stop: AbortSignal
}

/**
 * Sends once. The first signal aborts a read, or a write that has not been sent yet. A write in flight is aborted only by
 * the second signal: its response is worth waiting for.
 */
export async function attemptOnce(
  options: AttemptOptions,
  call: CheckedCall,
  request: HttpRequest,
  { attempt, stop, confirm }: Turn,
): Promise<AttemptResult> {
  let startedAt = options.now()
  const sendOptions: SendOptions = {
    timeoutMs: options.timeoutMs,
    signal: call.operation.risk === 'read' ? stop : options.interruption.abandon,
    signalBeforeSent: stop,
    onTurn: () => {
      startedAt = options.now()
    },
    confirm,
  }
  const ended = checkAnswer(call, await send(options.transport, request, sendOptions))
  const durationMs = options.now().getTime() - startedAt.getTime()
  options.onAttempt({ attempt: attempt + 1, startedAt, durationMs, request, ended })
  return ended
}

function checkAnswer(call: CheckedCall, ended: AttemptResult): AttemptResult {
  if (ended.kind === 'failure') return ended
  const fault = findAnswerFault(expectedAnswerOf(call), ended.answer)
  return fault === undefined ? ended : { ...ended, fault }
}

async function send(
  transport: Transport,
  request: HttpRequest,
  options: SendOptions,
): Promise<AttemptResult> {
  try {
    const answer = await transport.send(request, options)
    return { kind: 'answer', answer, requestId: requestIdOf(answer) }
  } catch (error) {
    if (error instanceof TransportFailure) return { kind: 'failure', failure: error }
    // A bug in a transport: the request may have been sent.
    return {
      kind: 'failure',
      failure: new TransportFailure('other', true, 'the connection failed', { cause: error }),
    }
  }
}

/** Whether the service may have received the request. */
export const wasSent = (ended: AttemptResult): boolean => ended.kind === 'answer' || ended.failure.sent

/** Reduces a result to what the retry policy needs. */
export function toAttemptEnd(
  ended: AttemptResult,
  operation: Pick<CallOperation, 'idempotencyKey' | 'doneOnResend'>,
  now: Date,
): AttemptEnd {
  if (ended.kind === 'failure')
    return { kind: 'failure', sent: ended.failure.sent, reason: ended.failure.reason }
  // The request was sent, and an unusable response proves nothing about it.
  if (ended.fault !== undefined)
    return { kind: 'failure', sent: true, reason: isIncomplete(ended.fault) ? 'cut' : 'wrong' }
  const { status, headers, body } = ended.answer
  const errorId = status < 400 ? undefined : readErrorBody(body).errorId
  const keyUsed = operation.idempotencyKey && errorId !== undefined && KEY_USED.includes(errorId)
  const provesDone = keyUsed || (errorId !== undefined && errorId === operation.doneOnResend?.errorId)
  return { kind: 'answer', status, retryAfterMs: retryAfterMs(headers['retry-after'], now), provesDone }
}

const REQUEST_ID_HEADERS = [
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'cf-ray',
] as const

/** The ID under which the service logged the request: from a response header, or from an error's `diagnosticsId`. */
export function requestIdOf(answer: HttpResponse): string | undefined {
  for (const name of REQUEST_ID_HEADERS) {
    const value = answer.headers[name]
    if (value !== undefined && value !== '') return value
  }
  return answer.status >= 400 ? readErrorBody(answer.body).diagnosticsId : undefined
}
