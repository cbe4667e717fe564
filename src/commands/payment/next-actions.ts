import { payment } from '../../api/models/payment.ts'
import type { Payment } from '../../api/models/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import { formatMoney } from '../../money/format.ts'
import { deriveAmounts } from '../../views/payment/amounts.ts'
import { formatFreeText } from '../../views/format-fields.ts'

/** What to do next about a payment: an action, a capture, or where to find its saved method. */
export function nextActions(answer: unknown, pay: string): readonly string[] {
  const paid = parseResponse(payment, answer)
  if (paid === undefined) return []
  const saved = savedMethod(paid, pay)
  if (paid.status === 'PENDING' && paid.requiredAction !== undefined) {
    const { name, description, clientToken } = paid.requiredAction
    const opens =
      clientToken === undefined
        ? 'let the customer finish it'
        : `open the checkout with requiredAction.clientToken (${pay} payment get ${idOf(paid)} -o id --query requiredAction.clientToken)`
    return [
      `Not authorized yet: ${(formatFreeText(description ?? name) ?? 'the customer has to act first').replace(/\.$/, '')}.`,
      `Next: ${opens}, then ${pay} payment resume ${idOf(paid)} --resume-token -`,
    ]
  }
  if (paid.status === 'DECLINED' || paid.status === 'FAILED')
    return [`Why, and whether to try again: ${pay} payment explain ${idOf(paid)}`]
  if (paid.status === 'AUTHORIZED') return [...saved, `Next: ${pay} payment capture ${idOf(paid)}`]
  return saved
}

/** The new token is a secret: this says where to find it. */
function savedMethod({ paymentMethod, customerId }: Payment, pay: string): readonly string[] {
  if (paymentMethod?.isVaulted !== true) return []
  const customer = customerId !== undefined && HARMLESS.test(customerId) ? customerId : 'CUSTOMER'
  return [`The payment method is saved. Its token: ${pay} instrument list --customer-id ${customer}`]
}

/** After a capture: what of the authorization was released. */
export function releasedRest(answer: unknown): readonly string[] {
  const paid = parseResponse(payment, answer)
  if (paid === undefined || (paid.status !== 'SETTLED' && paid.status !== 'SETTLING')) return []
  const { authorized, captured, released } = deriveAmounts(paid)
  if (authorized === undefined || captured === undefined || !released) return []
  const money = (amountMinor: number) => formatMoney(amountMinor, paid.currencyCode)
  return [`Captured ${money(captured)} of ${money(authorized)}: the other ${money(released)} was released.`]
}

/** The id, where it is harmless in a shell line. */
const idOf = ({ id }: Payment): string => (id !== undefined && HARMLESS.test(id) ? id : 'ID')
const HARMLESS = /^[\w.-]{1,64}$/
