import { payment as paymentSchema } from '../../api/models/payment.ts'
import type { Payment } from '../../api/models/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import type { SuccessFacts } from '../../cli/command/spec.ts'
import { formatMoney } from '../../money/format.ts'
import { plainWord } from '../../text/shell-word.ts'
import { answerAndResume } from '../../views/payment/actions.ts'
import { deriveAmounts } from '../../views/payment/amounts.ts'
import { formatFreeText } from '../../views/format-fields.ts'

/** Lines about what to do next with a payment: finish a required action, capture it, or find its saved method. */
export function nextActions(answer: unknown, { pay, isSandbox }: SuccessFacts): readonly string[] {
  const payment = parseResponse(paymentSchema, answer)
  if (payment === undefined) return []
  const saved = describeSavedMethod(payment, pay)
  const id = plainWord(payment.id) ?? 'ID'
  if (payment.status === 'PENDING' && payment.requiredAction !== undefined) {
    const { name, description, clientToken } = payment.requiredAction
    const waits = `Not authorized yet: ${(formatFreeText(description ?? name) ?? 'the customer must act first').replace(/\.$/, '')}.`
    if (isSandbox && clientToken !== undefined)
      return [waits, `Next, to answer for the customer: ${answerAndResume(id, pay)}`]
    const instruction =
      clientToken === undefined
        ? 'have the customer complete it'
        : `open the checkout with requiredAction.clientToken (${pay} payment get ${id} -o id --query requiredAction.clientToken)`
    return [waits, `Next: ${instruction}, then ${pay} payment resume ${id} --resume-token -`]
  }
  if (payment.status === 'DECLINED' || payment.status === 'FAILED')
    return [`To see why, and whether to try again: ${pay} payment explain ${id}`]
  if (payment.status === 'AUTHORIZED') return [...saved, `Next: ${pay} payment capture ${id}`]
  return saved
}

/** Says how to list the saved method instead of printing its token, which is a secret. */
function describeSavedMethod({ paymentMethod, customerId }: Payment, pay: string): readonly string[] {
  if (paymentMethod?.isVaulted !== true) return []
  const customer = plainWord(customerId) ?? 'CUSTOMER'
  return [`The payment method is saved. To list its token: ${pay} instrument list --customer-id ${customer}`]
}

/** After a final partial capture: how much of the authorization was released. */
export function describeReleased(answer: unknown): readonly string[] {
  const payment = parseResponse(paymentSchema, answer)
  if (payment === undefined || (payment.status !== 'SETTLED' && payment.status !== 'SETTLING')) return []
  const { authorized, captured, released } = deriveAmounts(payment)
  if (authorized === undefined || captured === undefined || !released) return []
  const money = (amountMinor: number) => formatMoney(amountMinor, payment.currencyCode)
  return [
    `Captured ${money(captured)} of ${money(authorized)}; the remaining ${money(released)} was released.`,
  ]
}
