import { createExternalPayment, updateExternalPayment } from '../../api/operations/observability.ts'
import { PayError } from '../../errors.ts'
import { attemptOnce, endOf } from '../../calls/attempt.ts'
import type { AttemptResult } from '../../calls/attempt.ts'
import { buildRequest } from '../../calls/build.ts'
import { readErrorBody } from '../../calls/api-error.ts'
import type { ErrorBody } from '../../calls/api-error.ts'
import { decide } from '../../calls/retry.ts'
import type { AttemptEnd, Verdict } from '../../calls/retry.ts'
import type { HttpResponse, HttpRequest } from '../../http/transport-port.ts'
import { stringifyJson } from '../../json/json.ts'
import type { Prepared } from '../map/prepare.ts'
import { GivenUp, RunStopped, notConnected, refusedForAll, serviceFailing } from './run-end.ts'
import type { Outcome, RowOutcome, Send, SenderOptions } from '../row-outcome.ts'
import { messageOf, wordsOfRefusal } from './row-words.ts'

/** Nobody accepts a connection: after so many tries that is not this row's fault. */
const TRIES_TO_CONNECT = 6
/** So many rows one after another without a single answer of use: the service is down, and each further row would be in doubt. */
const UNKNOWN_IN_A_ROW = 100
const ALREADY_THERE = createExternalPayment.doneOnResend.errorId
const PLAIN_429_MS = 1_000
/** A `Retry-After: 0` is no leave to knock without a pause. */
const SHORTEST_PAUSE_MS = 50

/** What follows an attempt. */
type Next =
  | { readonly kind: 'ended'; readonly outcome: RowOutcome }
  | { readonly kind: 'again'; readonly waitMs: number }

const AT_ONCE: Next = { kind: 'again', waitMs: 0 }
const NEVER = new AbortController().signal

/**
 * Sends records: create, and where it is there already what `onExists` says. Both may be repeated (an external record's
 * paymentId is unique), so a row whose outcome is unknown is repeated before it is called unknown. What is repeated and
 * when is decided as for every call; here is what many rows share: their limiter, and what ends the run for all of them.
 */
export function createSender(options: SenderOptions): Send {
  const { limiter, halt, abandon, maxRetries, onExists, clean } = options
  const parts = {
    baseUrl: options.baseUrl,
    query: {},
    apiKey: options.apiKey,
    apiVersion: options.apiVersion,
    userAgent: options.userAgent,
  }
  const createTemplate = buildRequest(createExternalPayment, { ...parts, params: {}, body: '{}' })
  const sending = {
    transport: options.transport,
    timeoutMs: options.timeoutMs,
    now: options.now,
    onAttempt: options.onAttempt ?? (() => {}),
  }
  const untilHalted = { ...sending, interruption: { stop: halt, abandon } }
  // A row in doubt is repeated after a first signal too: an answer is worth waiting for.
  const untilAbandoned = { ...sending, interruption: { stop: NEVER, abandon } }
  let unknownInARow = 0
  let isStopped = false

  const updateOf = ({ paymentId, body }: Prepared): HttpRequest => {
    const { paymentId: _id, createdAt: _fixed, ...changes } = body
    const text = stringifyJson(changes)
    return buildRequest(updateExternalPayment, { ...parts, params: { paymentId }, body: text })
  }

  const stopAll = (error: PayError): RunStopped => {
    // Before the next one is let in.
    isStopped = true
    return new RunStopped(error)
  }

  /** The pace keeps everybody waiting. */
  const slowDown = (turn: number, askedMs: number): Next => {
    const ms = Math.max(askedMs, SHORTEST_PAUSE_MS)
    if (limiter.slowDown(turn, ms)) options.onWait(ms)
    return AT_ONCE
  }

  return async function send(row, watch) {
    const { paymentId } = row
    let operation: typeof createExternalPayment | typeof updateExternalPayment = createExternalPayment
    let request: HttpRequest = { ...createTemplate, body: stringifyJson(row.body) }
    /** In doubt by an attempt of this run: then it is not given up lightly. */
    let isOpen = false
    let [attempts, tries, unconnected] = [0, 0, 0]
    const isWanted = () => !isStopped && !abandon.aborted && (isOpen || !halt.aborted)
    for (;;) {
      const turn = await limiter.enter(isWanted)
      if (turn === undefined) throw new GivenUp()
      let next: Next
      try {
        if (attempts === 0) watch.starts()
        const until = isOpen ? untilAbandoned : untilHalted
        const call = { operation, params: { paymentId }, body: undefined }
        next = after(turn, await attemptOnce(until, call, request, attempts))
      } finally {
        limiter.leave()
      }
      if (next.kind === 'ended') return next.outcome
      if (next.waitMs > 0) await options.sleep(next.waitMs)
    }

    function after(turn: number, last: AttemptResult): Next {
      attempts += 1
      const end = endOf(last, operation, options.now())
      const isUnsent = end.kind === 'failure' && !end.sent
      if (last.kind === 'answer') unconnected = 0
      else if (isUnsent) unconnected += 1
      const verdict = decide({
        replay: operation.replay,
        risk: operation.risk,
        attempt: isUnsent ? unconnected : tries,
        maxRetries: isUnsent ? TRIES_TO_CONNECT : maxRetries,
        outlasts429: true,
        // The paymentId is unique, so what the service says to a repeat holds for the attempts before it too.
        inDoubt: false,
        end,
        random: options.random(),
      })
      if (end.kind === 'failure') tellOdd(last)
      switch (verdict.kind) {
        case 'accept':
          limiter.good()
          return ended(operation === updateExternalPayment ? 'updated' : 'created')
        case 'refused':
          if (last.kind !== 'answer') throw new Error('refused without an answer')
          limiter.good()
          return afterRefusal(last.answer)
        case 'retry':
          return again(turn, end, verdict)
        case 'unknown':
          doubt(turn)
          if (isGivenUp(last)) throw new GivenUp()
          return unknown(last)
        case 'not-connected':
          if (last.kind !== 'failure') throw new Error('not connected, and answered')
          if (isGivenUp(last)) throw new GivenUp()
          throw stopAll(notConnected(last.failure))
        case 'processed-before':
        case 'check-target':
        case 'rate-limited':
        case 'server-fault':
          throw new Error(`${verdict.kind} is no end of a row`)
      }
    }

    function again(turn: number, end: AttemptEnd, verdict: Extract<Verdict, { kind: 'retry' }>): Next {
      const askedMs = end.kind === 'answer' ? end.retryAfterMs : undefined
      if (end.kind === 'answer' && end.status === 429) return slowDown(turn, askedMs ?? PLAIN_429_MS)
      if (verdict.inDoubt) {
        doubt(turn)
        tries += 1
      }
      // A wait that one row is asked for applies to all rows.
      return askedMs === undefined ? { kind: 'again', waitMs: verdict.waitMs } : slowDown(turn, askedMs)
    }

    function afterRefusal(answer: HttpResponse): Next {
      const { status } = answer
      const refusal = readErrorBody(answer.body)
      if (operation === createExternalPayment && refusal.errorId === ALREADY_THERE)
        return afterExists(status, refusal)
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
      operation = updateExternalPayment
      return AT_ONCE
    }

    function unknown(last: AttemptResult): Next {
      unknownInARow += 1
      if (unknownInARow > UNKNOWN_IN_A_ROW) throw stopAll(serviceFailing(UNKNOWN_IN_A_ROW))
      if (last.kind === 'failure') return ended('unknown', undefined, last.failure.message)
      const { status, body } = last.answer
      if (last.fault !== undefined) return ended('unknown', undefined, `the answer (${status}) ${last.fault}`)
      const refusal = readErrorBody(body)
      return ended('unknown', refusal.errorId, whyOf(status, refusal))
    }

    function whyOf(status: number, refusal: ErrorBody): string {
      return wordsOfRefusal(status, refusal, { body: row.body, columnOf: options.columnOf, clean })
    }

    function doubt(turn: number): void {
      isOpen = true
      watch.isInDoubt()
      limiter.trouble(turn)
    }

    function ended(outcome: Outcome, errorId?: string, message?: string): Next {
      if (outcome !== 'unknown') unknownInARow = 0
      return {
        kind: 'ended',
        outcome: {
          outcome,
          errorId: errorId === undefined ? undefined : clean(errorId),
          message: messageOf(message, clean),
          retries: attempts - (operation === updateExternalPayment ? 2 : 1),
        },
      }
    }
  }

  function tellOdd(last: AttemptResult): void {
    if (last.kind !== 'answer') return
    const { status } = last.answer
    if (status >= 200 && status < 300) options.onOddAnswer(status)
  }
}

const isGivenUp = (last: AttemptResult): boolean =>
  last.kind === 'failure' && last.failure.reason === 'aborted'
