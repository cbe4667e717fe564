import { factsOf } from '../../api/facts/facts.ts'
import type { StoredIntent } from '../../ledger/port.ts'
import type { Answer, Call } from '../call.ts'
import { parseTimeMs } from '../clock-skew.ts'
import { isRecord } from '../../is-record.ts'
import { refundsOfAmount } from '../matching-refunds.ts'
import { settleDelayOf } from './settle-delay.ts'
import type { ResolutionContext } from './settle-delay.ts'

/**
 * When someone made an equal write after this one was last sent and had time to arrive: probably in its place. Undefined if
 * the payment shows none. Refunds are the only writes that a payment lists with their dates.
 */
export function remedyOf(
  context: ResolutionContext,
  intent: StoredIntent,
  call: Call,
  { json: payment, servedAt }: Answer,
): Date | undefined {
  if (factsOf(intent.operation)?.effect !== 'refunded' || !isRecord(payment)) return undefined
  // The payment has the dates of the service's clock.
  const clockOffsetMs = servedAt === undefined ? 0 : servedAt.getTime() - context.now().getTime()
  const arrivedMs = context.lastAttemptAt().getTime() + settleDelayOf(context, intent) + clockOffsetMs
  const request = isRecord(call.body?.value) ? call.body.value : {}
  const laterMs = refundsOfAmount(request, payment)
    .filter(({ processorStatus }) => processorStatus !== 'FAILED')
    .map(({ date }) => parseTimeMs(date))
    .filter((ms) => ms !== undefined && ms > arrivedMs)
  return laterMs[0] === undefined ? undefined : new Date(laterMs[0])
}
