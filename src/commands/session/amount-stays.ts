import { orderTotal } from '../../api/models/order-total.ts'
import { parseResponse } from '../../api/parse-response.ts'
import { session } from '../../api/models/session.ts'
import { fieldAt } from '../../cli/parse/field-path.ts'
import { formatMoney } from '../../money/format.ts'

/** What a session's amount is calculated from (spec 2.2), in either form of an order. */
const ORDER_FIELDS = ['order', 'orderDetails', 'lineItems'] as const

/**
 * Says so when an update has changed what is bought and the amount is not what that comes to: a top-level amount overrides
 * the calculated one (spec 2.2), and whoever sends new lines may expect another amount to be charged.
 */
export function amountStays(body: unknown, answer: unknown): string | undefined {
  const changesOrder = ORDER_FIELDS.some((name) => fieldAt(body, [name]) !== undefined)
  if (!changesOrder || fieldAt(body, ['amount']) !== undefined) return undefined
  const { amount, currencyCode, order } = parseResponse(session, answer) ?? {}
  const total = orderTotal(order)
  if (amount === undefined || total === undefined || total === BigInt(amount)) return undefined
  const [stays, comesTo] = [formatMoney(amount, currencyCode), formatMoney(Number(total), currencyCode)]
  return (
    `The amount was not recalculated: it stays ${stays}, and the order comes to ${comesTo}. ` +
    'Set it with --amount, or have it calculated with --unset amount.'
  )
}
