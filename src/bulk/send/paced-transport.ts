import { retryAfterMs } from '../../calls/retry-after.ts'
import { TransportFailure } from '../../http/transport-port.ts'
import type { HttpResponse, SendOptions, Transport } from '../../http/transport-port.ts'
import { pauseAll } from './pause.ts'
import type { PauseOptions } from './pause.ts'

export interface PacedOptions extends PauseOptions {
  readonly now: () => Date
}

/**
 * Sends at the pace of the limiter, and reports to it how the service copes. A write goes before the reads that wait: the
 * payment was read for it, and that reading must not go stale.
 */
export function paceTransport(transport: Transport, options: PacedOptions): Transport {
  const { limiter, patience, now } = options
  const report = (ticket: number, { status, headers }: HttpResponse): void => {
    const askedMs = retryAfterMs(headers['retry-after'], now())
    if (status === 429 || (status === 503 && askedMs !== undefined)) pauseAll(options, ticket, askedMs)
    else if (status >= 500) limiter.reportFailure(ticket)
    else limiter.reportSuccess()
  }
  return {
    send: async (request, sendOptions) => {
      const isUrgent = request.method !== 'GET'
      const ticket = await limiter.acquire(() => patience.over === undefined && !isAborted(sendOptions), {
        isUrgent,
      })
      if (ticket === undefined) throw new TransportFailure('aborted', false, 'the run was stopped')
      try {
        // The wait may have been longer than the lease.
        if ((await sendOptions.confirm?.()) === false)
          throw new TransportFailure('other', false, 'another process may have taken the write over')
        const response = await transport.send(request, sendOptions)
        report(ticket, response)
        return response
      } catch (error) {
        limiter.reportFailure(ticket)
        throw error
      } finally {
        limiter.release()
      }
    },
    close: () => transport.close(),
  }
}

const isAborted = ({ signal, signalBeforeSent }: SendOptions): boolean =>
  signal?.aborted === true || signalBeforeSent?.aborted === true
