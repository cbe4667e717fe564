import { ownAmong, refundsLike } from '../http/own-refund.ts'
import { isObject } from './field-path.ts'

/** The refunds of a payment that the one of this request can be: one, where the payment tells which. */
export function ownRefunds(request: unknown, payment: unknown): readonly unknown[] {
  if (!isObject(payment)) return []
  const asked = isObject(request) ? request : {}
  return ownAmong(asked, refundsLike(asked, payment))
}
