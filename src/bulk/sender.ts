import { createExternalPayment, updateExternalPayment } from '../api/operations/observability.ts'
import { EXIT, PayError } from '../errors.ts'
import { buildRequest } from '../http/build.ts'
import { readErrorBody } from '../http/envelope.ts'
import { refusalOf } from '../http/refusal.ts'
import { retryAfterMs } from '../http/retry-after.ts'
import { backoffMs } from '../http/retry.ts'
import { TransportFailure } from '../http/transport-port.ts'
import type { Transport, WireAnswer, WireRequest } from '../http/transport-port.ts'
import { stringifyJson } from '../json/json.ts'
import type { Pace } from './pace.ts'
import type { Prepared } from './prepare.ts'

export type Outcome = 'created' | 'updated' | 'skipped' | 'failed' | 'unknown'
export const OUTCOMES_OF_EXISTING = ['update', 'skip', 'fail'] as const
export type OnExists = (typeof OUTCOMES_OF_EXISTING)[number]

/** What became of a row. */
export interface RowOutcome {
  readonly outcome: Outcome
  readonly errorId: string | undefined
  readonly message: string | undefined
  readonly retries: number
}

export interface SenderOptions {
  readonly transport: Transport
  readonly pace: Pace
  readonly baseUrl: string
  readonly apiKey: string
  readonly apiVersion: string
  readonly userAgent: string
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly onExists: OnExists
  readonly now: () => Date
  readonly random: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Gives up what is under way. */
  readonly abandon: AbortSignal
}

/** The run cannot go on: the next row would meet the same. What was not answered is sent when it is run again. */
export class RunStopped extends Error {
  readonly error: PayError

  constructor(error: PayError) {
    super(error.message)
    this.name = 'RunStopped'
    this.error = error
  }
}

/** Nobody answers: after so many tries in a row that is not this row's fault. */
const TRIES_TO_CONNECT = 6
const ALREADY_THERE = 'EntityAlreadyExists'
const PLAIN_429_MS = 1_000

type Sent =
  | { readonly kind: 'answer'; readonly answer: WireAnswer }
  | { readonly kind: 'failure'; readonly failure: TransportFailure }

/**
 * Sends records: create, and where it is there already what `onExists` says. Both may be repeated (an external record's
 * paymentId is unique), so a row whose outcome is unknown is repeated before it is called unknown.
 */
export function createSender(options: SenderOptions) {
  const { pace } = options
  const parts = {
    baseUrl: options.baseUrl,
    query: {},
    apiKey: options.apiKey,
    apiVersion: options.apiVersion,
    userAgent: options.userAgent,
  }
  const createTemplate = buildRequest(createExternalPayment, { ...parts, params: {}, body: '{}' })

  const createOf = ({ body }: Prepared): WireRequest => ({ ...createTemplate, body: stringifyJson(body) })
  const updateOf = ({ paymentId, body }: Prepared): WireRequest => {
    const { paymentId: _id, createdAt: _fixed, ...changes } = body
    return buildRequest(updateExternalPayment, {
      ...parts,
      params: { paymentId },
      body: stringifyJson(changes),
    })
  }

  /** `maybeSent`: an earlier run was ended while this row was under way. */
  return async function send(row: Prepared, maybeSent: boolean): Promise<RowOutcome> {
    let isInDoubt = maybeSent
    let isUpdate = false
    let request = createOf(row)
    // A 429 is told like any other repeat, and uses up none of the tries.
    let [retries, tries, unconnected] = [0, 0, 0]
    for (;;) {
      const sent = await attempt(request)
      if (sent.kind === 'failure') {
        if (sent.failure.reason === 'aborted') throw stopped(sent.failure)
        if (!sent.failure.sent) {
          unconnected += 1
          if (unconnected >= TRIES_TO_CONNECT) throw new RunStopped(notConnected(sent.failure))
          await options.sleep(backoffMs(unconnected + 1, options.random()))
          continue
        }
        isInDoubt = true
        if (!(await again())) return ended('unknown', undefined, sent.failure.message)
        continue
      }
      const { status, headers, body } = sent.answer
      if (status >= 200 && status < 300) {
        pace.good()
        return ended(isUpdate ? 'updated' : 'created')
      }
      if (status === 429) {
        pace.slowDown(retryAfterMs(headers['retry-after'], options.now()) ?? PLAIN_429_MS)
        retries += 1
        continue
      }
      const { errorId, description } = readErrorBody(body)
      if (status >= 500 || status < 200) {
        isInDoubt = true
        if (!(await again(retryAfterMs(headers['retry-after'], options.now()))))
          return ended('unknown', errorId, description ?? `the service answered ${status}`)
        continue
      }
      pace.good()
      if (!isUpdate && errorId === ALREADY_THERE) {
        if (options.onExists === 'update') {
          isUpdate = true
          request = updateOf(row)
          continue
        }
        // Ours of before, or somebody else's: nobody can tell.
        if (isInDoubt)
          return ended('unknown', errorId, 'it is there, and may have been made by an attempt of this run')
        return ended(options.onExists === 'skip' ? 'skipped' : 'failed', errorId, description)
      }
      if (status === 401 || status === 403) throw new RunStopped(refused(status, errorId, description))
      return ended('failed', errorId, description ?? `the service answered ${status}`)
    }

    function ended(outcome: Outcome, errorId?: string, message?: string): RowOutcome {
      return { outcome, errorId, message, retries }
    }

    /** False when the row has been tried often enough. */
    async function again(afterMs?: number): Promise<boolean> {
      pace.trouble()
      if (tries >= options.maxRetries) return false
      tries += 1
      retries += 1
      await options.sleep(afterMs ?? backoffMs(tries, options.random()))
      return true
    }
  }

  async function attempt(request: WireRequest): Promise<Sent> {
    await pace.enter()
    try {
      const answer = await options.transport.send(request, {
        timeoutMs: options.timeoutMs,
        signal: options.abandon,
        signalBeforeSent: options.abandon,
      })
      return { kind: 'answer', answer }
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error
      return { kind: 'failure', failure: error }
    } finally {
      pace.leave()
    }
  }
}

const stopped = (failure: TransportFailure): RunStopped =>
  new RunStopped(new PayError('interrupted', EXIT.interrupted, 'Interrupted', { cause: failure }))

const notConnected = (failure: TransportFailure): PayError =>
  new PayError('not_connected', EXIT.notConnected, `The service cannot be reached: ${failure.message}`, {
    retryable: true,
    cause: failure,
  })

function refused(status: number, errorId: string | undefined, description: string | undefined): PayError {
  const refusal = refusalOf(status, errorId, false)
  return new PayError(refusal.code, refusal.exitCode, refusal.message, {
    httpStatus: status,
    errorId,
    description,
  })
}
