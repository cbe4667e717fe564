import { retryAfterMs } from '../../client/calls/retry-after.ts'
import { saysNothingOfEffect } from '../../client/calls/retry.ts'
import { TransportFailure } from '../../client/http/transport-port.ts'
import type { HttpResponse, Pace, SendOptions, Transport } from '../../client/http/transport-port.ts'
import { AdaptiveLimiter } from './adaptive-limiter.ts'
import type { LimiterOptions } from './adaptive-limiter.ts'
import { Patience } from './patience.ts'

/** The pause after a 429 without Retry-After. */
const DEFAULT_PAUSE_MS = 1_000
/** The shortest pause: `Retry-After: 0` must not lead to a busy loop. */
const MIN_PAUSE_MS = 50

export interface PacedOptions extends Partial<Pick<Pace, 'returnsWrites'>> {
  readonly limiter: AdaptiveLimiter
  readonly patience: Patience
  readonly now: () => Date
  /** Called when the service asked every call to wait. */
  readonly onWait: (ms: number) => void
}

export interface PaceOptions
  extends Omit<LimiterOptions, 'now'>, Pick<PacedOptions, 'now' | 'onWait' | 'returnsWrites'> {
  readonly maxWaitMs: number
  /** The signals whose abort may end the wait of a request. */
  readonly signals: readonly AbortSignal[]
}

/** Starts the pace of a run. Call `end` once nothing more is sent. */
export function startPace(options: PaceOptions) {
  const { now, signals } = options
  const limiter = new AdaptiveLimiter({ ...options, now: () => now().getTime() })
  const patience = new Patience(options.maxWaitMs, now)
  const recheck = () => limiter.recheck()
  for (const signal of signals) signal.addEventListener('abort', recheck)
  return {
    patience,
    over: (transport: Transport) => paceTransport(transport, { ...options, limiter, patience }),
    whenDrained: () => limiter.whenDrained(),
    end: () => {
      for (const signal of signals) signal.removeEventListener('abort', recheck)
      limiter.close()
    },
  }
}

/**
 * Sends at the pace of the limiter, and reports to it how the service copes. A write goes before the reads that wait: the
 * payment was read for it, and that reading must not go stale.
 */
export function paceTransport(
  transport: Transport,
  { limiter, patience, now, onWait, returnsWrites = false }: PacedOptions,
): Transport & { readonly pace: Pace } {
  /** Makes every call wait as long as the service asks, or none that waits go on if that is too long. */
  const pause = (ticket: number, askedMs = DEFAULT_PAUSE_MS): void => {
    const ms = Math.max(askedMs, MIN_PAUSE_MS)
    if (!patience.bears(ms)) limiter.recheck()
    else if (limiter.pause(ticket, ms)) onWait(ms)
  }
  /** Reports a response. Returns whether the service copes. */
  const report = (ticket: number, { status, headers }: HttpResponse): boolean => {
    const askedMs = retryAfterMs(headers['retry-after'], now())
    const failed = saysNothingOfEffect(status)
    if (status === 429 || (failed && askedMs !== undefined)) pause(ticket, askedMs)
    else if (failed) limiter.reportFailure(ticket)
    else return true
    return false
  }
  return {
    send: async (request, sendOptions) => {
      const isWanted = () => patience.over === undefined && !isAborted(sendOptions)
      const ticket = await limiter.acquire(isWanted, { isUrgent: request.method !== 'GET' })
      if (ticket === undefined) throw new TransportFailure('aborted', false, 'the run was stopped')
      sendOptions.onTurn?.()
      let copes = false
      try {
        // The wait may have been longer than the lease.
        if ((await sendOptions.confirm?.()) === false)
          throw new TransportFailure('other', false, 'another process may have taken the write over')
        const response = await transport.send(request, sendOptions)
        copes = report(ticket, response)
        // Rows that were answered before it end before it counts.
        if (response.status === 429) await new Promise(setImmediate)
        return response
      } catch (error) {
        limiter.reportFailure(ticket)
        throw error
      } finally {
        // The caller sees the response before another request is sent: it may end the run.
        setImmediate(() => {
          if (copes) limiter.reportSuccess()
          limiter.release()
        })
      }
    },
    close: () => transport.close(),
    pace: { startStreak: () => patience.startStreak(), returnsWrites },
  }
}

const isAborted = ({ signal, signalBeforeSent }: SendOptions): boolean =>
  signal?.aborted === true || signalBeforeSent?.aborted === true
