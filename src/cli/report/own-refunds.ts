import { likelyOwnRefunds, refundsOfAmount } from '../../client/calls/matching-refunds.ts'
import { isRecord } from '../../json/is-record.ts'

/** The refunds on a payment that this request may have made: exactly one if the payment identifies it. */
export function ownRefunds(request: unknown, payment: unknown): readonly unknown[] {
  if (!isRecord(payment)) return []
  const requestBody = isRecord(request) ? request : {}
  return likelyOwnRefunds(requestBody, refundsOfAmount(requestBody, payment))
}
