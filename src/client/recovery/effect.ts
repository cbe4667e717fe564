import { factsOf } from '../../api/facts.ts'
import { stateOf } from '../../api/payment-states.ts'
import { refundsOfAmount } from '../calls/matching-refunds.ts'
import { isRecord } from '../../json/is-record.ts'
import { textAt } from '../../json/fields.ts'

/**
 * Compares a payment with the request of a write. Responses may omit any field, so a missing field contradicts nothing.
 */

/** Request fields that a payment repeats. */
const REPEATED_FIELDS = ['amount', 'currencyCode', 'orderId', 'customerId'] as const

/** Whether a payment, read after the service reported success, can't be the result of the request. */
export function contradicts(operationId: string, request: unknown, payment: unknown): boolean {
  if (!isRecord(payment)) return true
  const status = textAt(payment, 'status')
  const requested = isRecord(request) ? request : {}
  const processor = isRecord(payment['processor']) ? payment['processor'] : {}
  switch (factsOf(operationId)?.effect) {
    case 'created':
      return REPEATED_FIELDS.some((field) => differs(payment[field], requested[field]))
    case 'captured': {
      // A capture that was processed and failed captured nothing, and is still the result.
      if (isDeclinedOrFailed(status)) return false
      if (stateOf(status)?.captured === 'none') return true
      return isBelow(processor['amountCaptured'], requested['amount'] ?? 1)
    }
    case 'refunded':
      return (
        isBelow(processor['amountRefunded'], requested['amount'] ?? 1) &&
        refundsOfAmount(requested, payment).length === 0
      )
    case 'cancelled':
      return stateOf(status) !== undefined && status !== 'CANCELLED'
    case 'authorized':
      return status === 'PENDING' || status === 'CANCELLED'
    case 'adjusted':
      return differs(payment['amount'], requested['amount'])
    case 'resumed':
    case 'none':
    case undefined:
      return false
  }
}

/** Whether a pending payment has been resumed. A cancellation does not count, because resuming never cancels. */
export function showsResumed(statusBefore: string | undefined, after: unknown): boolean {
  if (!isRecord(after) || statusBefore !== 'PENDING') return false
  const status = textAt(after, 'status')
  return status !== undefined && status !== 'PENDING' && status !== 'CANCELLED'
}

/** Whether a payment shows that an adjustment was done. */
export function showsAmount(request: unknown, payment: unknown): boolean {
  return (
    isRecord(request) &&
    isRecord(payment) &&
    request['amount'] !== undefined &&
    payment['amount'] === request['amount']
  )
}

const isDeclinedOrFailed = (status: string | undefined): boolean =>
  status === 'DECLINED' || status === 'FAILED'
const differs = (figure: unknown, requested: unknown): boolean =>
  figure !== undefined &&
  figure !== null &&
  requested !== undefined &&
  requested !== null &&
  figure !== requested
const isBelow = (figure: unknown, requested: unknown): boolean =>
  typeof figure === 'number' && typeof requested === 'number' && figure < requested
