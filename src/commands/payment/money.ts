import { payment } from '../../api/models/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import type { MoneySpec } from '../../cli/command/money-spec.ts'
import { deriveAmounts } from '../../views/payment/amounts.ts'
import { renderPaymentPreview } from '../../views/payment/preview.ts'
import type { MoneyAction } from '../../views/payment/action-effect.ts'
import { headlineOf } from './headline.ts'
import { refusalOf } from './refusal.ts'

/** All that the engine has to know of an action but how its amount is asked for. */
export const moneyOf = (action: MoneyAction): Omit<MoneySpec, 'asksAmount'> => ({
  preview: previewOf(action),
  refusal: refusalOf(action),
  headline: (request, answer) => headlineOf(action, request, answer),
  whole: wholeOf(action),
})

/** What is shown before money moves; a payment that could not be read has unknown figures. */
const previewOf =
  (action: MoneyAction): MoneySpec['preview'] =>
  (read, { paint, width, ...facts }) =>
    renderPaymentPreview(
      { payment: parseResponse(payment, read), action, ...facts },
      { paint, width, timeZone: undefined },
    )

/** What the service takes when no amount is given. */
const wholeOf =
  (action: MoneyAction): MoneySpec['whole'] =>
  (read) => {
    const paid = parseResponse(payment, read)
    if (paid === undefined) return undefined
    const { leftToCapture, leftToRefund } = deriveAmounts(paid)
    const whole = action === 'capture' ? leftToCapture : action === 'refund' ? leftToRefund : undefined
    return whole === 0 ? undefined : whole
  }
