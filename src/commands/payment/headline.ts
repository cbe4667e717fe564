import { payment as paymentShape } from '../../api/models/payment.ts'
import type { Payment } from '../../api/models/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import { ownRefunds } from '../../cli/report/own-refunds.ts'
import { numberAt, textAt } from '../../cli/parse/field-path.ts'
import type { Headline } from '../../cli/command/money-spec.ts'
import { formatMoney } from '../../money/format.ts'
import { deriveAmounts } from '../../views/payment/amounts.ts'
import type { PaymentAmounts } from '../../views/payment/amounts.ts'
import type { MoneyAction } from '../../views/payment/action-effect.ts'

/** What was done, in one line, for the person who has just said yes to it. */
export function headlineOf(action: MoneyAction, request: unknown, answer: unknown): Headline | undefined {
  const paid = parseResponse(paymentShape, answer)
  return paid === undefined ? undefined : HEADLINES[action](paid, request, deriveAmounts(paid))
}

type Maker = (paid: Payment, request: unknown, figures: PaymentAmounts) => Headline | undefined

const HEADLINES: Readonly<Record<MoneyAction, Maker>> = {
  refund: (paid, request, { refunded, leftToRefund }) => {
    const [own, ...others] = ownRefunds(request, paid)
    const amount = numberAt(request, 'amount') ?? numberAt(own, 'amount') ?? refunded
    if (amount === undefined) return undefined
    const money = formatMoney(amount, paid.currencyCode)
    const isFinal = others.length === 0 && textAt(own, 'processorStatus') === 'SETTLED'
    const left = leftWords(leftToRefund, paid)
    return isFinal
      ? { words: `Refunded ${money}${left}`, isFinal }
      : { words: `Refund of ${money} accepted, not final yet${left}`, isFinal }
  },
  capture: (paid, request, { captured, leftToCapture }) => {
    const amount = numberAt(request, 'amount') ?? captured
    if (amount === undefined) return undefined
    const money = formatMoney(amount, paid.currencyCode)
    const left = leftToCapture === 0 ? '' : leftWords(leftToCapture, paid)
    return paid.status === 'SETTLING'
      ? { words: `Capture of ${money} accepted, not settled yet${left}`, isFinal: false }
      : { words: `Captured ${money}${left}`, isFinal: true }
  },
  adjust: (paid) =>
    paid.amount === undefined
      ? undefined
      : { words: `Authorized in all: ${formatMoney(paid.amount, paid.currencyCode)}`, isFinal: true },
  cancel: ({ status }) =>
    status === 'CANCELLED' ? { words: 'Cancelled: the authorization is released', isFinal: true } : undefined,
}

const leftWords = (left: number | undefined, { currencyCode }: Payment): string =>
  left === undefined ? '' : `, ${left === 0 ? 'nothing' : formatMoney(left, currencyCode)} left`
