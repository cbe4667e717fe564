import { createExternalPayment, updateExternalPayment } from '../api/operations/observability.ts'
import { PayError } from '../errors.ts'
import { requestIdOf } from '../http/attempt.ts'
import { buildRequest } from '../http/build.ts'
import { readErrorBody } from '../http/envelope.ts'
import type { ErrorBody } from '../http/envelope.ts'
import { faultOfAnswer } from '../http/judge-answer.ts'
import type { Asked } from '../http/judge-answer.ts'
import { retryAfterMs } from '../http/retry-after.ts'
import { backoffMs } from '../http/retry.ts'
import { TransportFailure } from '../http/transport-port.ts'
import type { SendOptions, WireAnswer, WireRequest } from '../http/transport-port.ts'
import { stringifyJson } from '../json/json.ts'
import type { Prepared } from './prepare.ts'
import { GivenUp, RunStopped, isHopeless, notConnected, refusedForAll, serviceFailing } from './run-end.ts'
import type { Outcome, RowOutcome, RowWatch, Send, SenderOptions } from './row-outcome.ts'
import { messageOf, wordsOfRefusal } from './row-words.ts'

/** Nobody accepts a connection: after so many tries that is not this row's fault. */
const TRIES_TO_CONNECT = 6
/** So many rows one after another without a single answer of use: the service is down, and each further row would be in doubt. */
const UNKNOWN_IN_A_ROW = 100
const ALREADY_THERE = 'EntityAlreadyExists'
const PLAIN_429_MS = 1_000
/** A `Retry-After: 0` is no leave to knock without a pause. */
const SHORTEST_PAUSE_MS = 50

type Sent =
  | {
      readonly kind: 'answer'
      readonly answer: WireAnswer
      /** Why it does not count as one, whatever its status. */
      readonly fault?: string | undefined
    }
  | { readonly kind: 'failure'; readonly failure: TransportFailure }

/** What follows an attempt. */
type Next =
  | { readonly kind: 'ended'; readonly outcome: RowOutcome }
  | { readonly kind: 'again'; readonly waitMs: number }

/** An attempt that has been answered, or has failed. */
interface First {
  readonly request: WireRequest
  readonly turn: number
  readonly sent: Sent
}

const CREATED: RowOutcome = { outcome: 'created', errorId: undefined, message: undefined, retries: 0 }

const isSuccess = ({ status }: WireAnswer): boolean => status >= 200 && status < 300
const isPlainlyTaken = (sent: Sent): boolean =>
  sent.kind === 'answer' && sent.fault === undefined && isSuccess(sent.answer)

const AT_ONCE: Next = { kind: 'again', waitMs: 0 }

/**
 * Sends records: create, and where it is there already what `onExists` says. Both may be repeated (an external record's
 * paymentId is unique), so a row whose outcome is unknown is repeated before it is called unknown.
 */
export function createSender(options: SenderOptions): Send {
  const { pace, halt, abandon, maxRetries, onExists, clean } = options
  const parts = {
    baseUrl: options.baseUrl,
    query: {},
    apiKey: options.apiKey,
    apiVersion: options.apiVersion,
    userAgent: options.userAgent,
  }
  const createTemplate = buildRequest(createExternalPayment, { ...parts, params: {}, body: '{}' })
  let unknownInARow = 0
  let isStopped = false

  const createOf = ({ body }: Prepared): WireRequest => ({ ...createTemplate, body: stringifyJson(body) })
  const updateOf = ({ paymentId, body }: Prepared): WireRequest => {
    const { paymentId: _id, createdAt: _fixed, ...changes } = body
    const text = stringifyJson(changes)
    return buildRequest(updateExternalPayment, { ...parts, params: { paymentId }, body: text })
  }

  const stopAll = (error: PayError): RunStopped => {
    // Before the next one is let in.
    isStopped = true
    return new RunStopped(error)
  }

  const isWanted = () => !isStopped && !abandon.aborted && !halt.aborted
  // The same objects each time.
  const untilSent = { timeoutMs: options.timeoutMs, signal: abandon, signalBeforeSent: halt }
  const untilAbandoned = { timeoutMs: options.timeoutMs, signal: abandon }

  return async function send(row, watch) {
    const request = createOf(row)
    const turn = await pace.enter(isWanted)
    if (turn === undefined) throw new GivenUp()
    let first: Sent
    try {
      watch.starts()
      const asked = { operation: createExternalPayment, id: row.paymentId }
      first = await attempt(request, asked, 1, untilSent)
    } catch (error) {
      pace.leave()
      throw error
    }
    if (!isPlainlyTaken(first)) return goOn(row, watch, { request, turn, sent: first })
    // What becomes of nearly all rows.
    unknownInARow = 0
    pace.good()
    pace.leave()
    return CREATED
  }

  /** From the answer to the first attempt, whose turn has not ended yet, to the outcome. */
  async function goOn(row: Prepared, watch: RowWatch, first: First): Promise<RowOutcome> {
    /** In doubt by an attempt of this run: then it is not given up lightly. */
    let isOpen = false
    let isUpdate = false
    let { request, turn, sent } = first
    // A 429 is counted like any other repeat, and uses up none of the tries.
    let [attempts, tries, unconnected] = [1, 0, 0]
    for (;;) {
      let next: Next
      try {
        next = sent.kind === 'failure' ? afterFailure(sent.failure) : afterAnswer(sent.answer, sent.fault)
      } finally {
        pace.leave()
      }
      if (next.kind === 'ended') return next.outcome
      if (next.waitMs > 0) await options.sleep(next.waitMs)
      const entered = await pace.enter(() => !isStopped && !abandon.aborted && (isOpen || !halt.aborted))
      if (entered === undefined) throw new GivenUp()
      turn = entered
      attempts += 1
      try {
        const operation = isUpdate ? updateExternalPayment : createExternalPayment
        const asked = { operation, id: row.paymentId }
        sent = await attempt(request, asked, attempts, isOpen ? untilAbandoned : untilSent)
      } catch (error) {
        pace.leave()
        throw error
      }
    }

    function afterFailure(failure: TransportFailure): Next {
      if (failure.sent) doubt()
      if (failure.reason === 'aborted') throw new GivenUp()
      if (failure.sent) return again() ?? unknown(undefined, failure.message)
      unconnected += 1
      if (unconnected >= TRIES_TO_CONNECT || isHopeless(failure)) throw stopAll(notConnected(failure))
      return { kind: 'again', waitMs: backoffMs(unconnected, options.random()) }
    }

    function afterAnswer(answer: WireAnswer, fault: string | undefined): Next {
      unconnected = 0
      const { status, headers, body } = answer
      if (fault !== undefined) {
        doubt()
        if (isSuccess(answer)) options.onOddAnswer(status)
        return again() ?? unknown(undefined, `the answer (${status}) ${fault}`)
      }
      if (isSuccess(answer)) {
        pace.good()
        return ended(isUpdate ? 'updated' : 'created')
      }
      const waitMs = retryAfterMs(headers['retry-after'], options.now())
      if (status === 429) return slowDown(turn, waitMs ?? PLAIN_429_MS)
      const refusal = readErrorBody(body)
      if (status >= 500 || status < 200) {
        doubt()
        return again(waitMs) ?? unknown(refusal.errorId, whyOf(status, refusal))
      }
      pace.good()
      if (!isUpdate && refusal.errorId === ALREADY_THERE) return afterExists(status, refusal)
      const end = refusedForAll(status, refusal)
      if (end !== undefined) throw stopAll(end)
      return ended('failed', refusal.errorId, whyOf(status, refusal))
    }

    function afterExists(status: number, refusal: ErrorBody): Next {
      const { errorId } = refusal
      if (onExists === 'update') return update(errorId)
      // Ours of before, or somebody else's: nobody can tell.
      if (isOpen || watch.maybeSent)
        return ended('unknown', errorId, 'it is there, and may have been made by an attempt of this import')
      return ended(onExists === 'skip' ? 'skipped' : 'failed', errorId, whyOf(status, refusal))
    }

    function update(errorId: string | undefined): Next {
      try {
        request = updateOf(row)
      } catch (error) {
        // A paymentId that no path can hold.
        if (!(error instanceof PayError)) throw error
        return ended('failed', errorId, `it is there, and cannot be updated: ${error.message}`)
      }
      isUpdate = true
      return AT_ONCE
    }

    function whyOf(status: number, refusal: ErrorBody): string {
      return wordsOfRefusal(status, refusal, { body: row.body, columnOf: options.columnOf, clean })
    }

    function doubt(): void {
      isOpen = true
      watch.isInDoubt()
    }

    function ended(outcome: Outcome, errorId?: string, message?: string): Next {
      if (outcome !== 'unknown') unknownInARow = 0
      return {
        kind: 'ended',
        outcome: {
          outcome,
          errorId: errorId === undefined ? undefined : clean(errorId),
          message: messageOf(message, clean),
          retries: attempts - (isUpdate ? 2 : 1),
        },
      }
    }

    function unknown(errorId: string | undefined, message: string): Next {
      unknownInARow += 1
      if (unknownInARow > UNKNOWN_IN_A_ROW) throw stopAll(serviceFailing(UNKNOWN_IN_A_ROW))
      return ended('unknown', errorId, message)
    }

    /** undefined when the row has been tried often enough. */
    function again(afterMs?: number): Next | undefined {
      pace.trouble(turn)
      if (tries >= maxRetries) return undefined
      tries += 1
      // What one is told to wait, all are.
      return afterMs === undefined
        ? { kind: 'again', waitMs: backoffMs(tries, options.random()) }
        : slowDown(turn, afterMs)
    }
  }

  /** The pace keeps everybody waiting. */
  function slowDown(turn: number, askedMs: number): Next {
    const ms = Math.max(askedMs, SHORTEST_PAUSE_MS)
    if (pace.slowDown(turn, ms)) options.onWait(ms)
    return AT_ONCE
  }

  async function attempt(
    request: WireRequest,
    asked: Asked,
    number: number,
    until: SendOptions,
  ): Promise<Sent> {
    const startedMs = options.onAttempt === undefined ? 0 : options.now().getTime()
    let sent: Sent
    try {
      const answer = await options.transport.send(request, until)
      sent = { kind: 'answer', answer, fault: faultOfAnswer(asked, answer) }
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error
      sent = { kind: 'failure', failure: error }
    }
    if (options.onAttempt !== undefined) tell(sent, request, number, startedMs)
    return sent
  }

  function tell(sent: Sent, request: WireRequest, number: number, startedMs: number): void {
    const durationMs = options.now().getTime() - startedMs
    const ended = sent.kind === 'answer' ? { ...sent, requestId: requestIdOf(sent.answer) } : sent
    options.onAttempt?.({ attempt: number, durationMs, request, ended })
  }
}
