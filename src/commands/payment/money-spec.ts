import { actionOf } from '../../api/actions/actions.ts'
import type { MoneyAction } from '../../api/actions/actions.ts'
import { payment as paymentSchema } from '../../api/models/payment.ts'
import type { Payment } from '../../api/models/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import { ownRefunds } from '../../cli/report/own-refunds.ts'
import { numberAt, textAt } from '../../json/fields.ts'
import type { Headline, MoneySpec } from '../../cli/command/spec.ts'
import { formatMoney } from '../../money/format.ts'
import { deriveAmounts } from '../../views/payment/amounts.ts'
import type { PaymentAmounts } from '../../views/payment/amounts.ts'
import { renderPaymentPreview } from '../../views/payment/preview.ts'
import { knownStatus } from '../../api/payment-states.ts'
import type { PaymentStatus } from '../../api/sets.ts'
import { EXIT, PayError } from '../../errors.ts'
import type { ExitCode } from '../../errors.ts'

/** What the engine needs to know about a money action, except how to ask for its amount. */
export const moneySpecOf = (action: MoneyAction): Omit<MoneySpec, 'asksAmount'> => ({
  // If the payment could not be read, its figures are unknown.
  preview: (response, { paint, width, timeZone, ...facts }) =>
    renderPaymentPreview({ payment: paymentIn(response), action, ...facts }, { paint, width, timeZone }),
  refusal: (response, amountMinor) => {
    const payment = paymentIn(response)
    return payment && refusalOf(action, payment, amountMinor)
  },
  headline: (request, answer) => {
    const payment = paymentIn(answer)
    return payment && SUCCESS_LINES[action](payment, request, deriveAmounts(payment))
  },
  fullAmount: (response) => {
    const { left } = actionOf(action)
    const payment = paymentIn(response)
    return payment === undefined || left === null ? undefined : deriveAmounts(payment)[left] || undefined
  },
})

const paymentIn = (response: unknown): Payment | undefined => parseResponse(paymentSchema, response)

type SuccessLine = (payment: Payment, request: unknown, figures: PaymentAmounts) => Headline | undefined

const SUCCESS_LINES: Readonly<Record<MoneyAction, SuccessLine>> = {
  refund: (payment, request, { refunded, leftToRefund }) => {
    const [own, ...others] = ownRefunds(request, payment)
    const amount = numberAt(request, 'amount') ?? numberAt(own, 'amount') ?? refunded
    if (amount === undefined) return undefined
    const money = formatMoney(amount, payment.currencyCode)
    const isFinal = others.length === 0 && textAt(own, 'processorStatus') === 'SETTLED'
    const left = describeLeft(leftToRefund, payment)
    return isFinal
      ? { text: `Refunded ${money}${left}`, isFinal }
      : { text: `Refund of ${money} accepted, not final yet${left}`, isFinal }
  },
  capture: (payment, request, { captured, leftToCapture }) => {
    const amount = numberAt(request, 'amount') ?? captured
    if (amount === undefined) return undefined
    const money = formatMoney(amount, payment.currencyCode)
    const left = leftToCapture === 0 ? '' : describeLeft(leftToCapture, payment)
    return payment.status === 'SETTLING'
      ? { text: `Capture of ${money} accepted, not settled yet${left}`, isFinal: false }
      : { text: `Captured ${money}${left}`, isFinal: true }
  },
  adjust: (payment) =>
    payment.amount === undefined
      ? undefined
      : { text: `Authorized amount: ${formatMoney(payment.amount, payment.currencyCode)}`, isFinal: true },
  cancel: ({ status }) =>
    status === 'CANCELLED' ? { text: 'Cancelled: the authorization is released', isFinal: true } : undefined,
}

const describeLeft = (left: number | undefined, { currencyCode }: Payment): string =>
  left === undefined ? '' : `, ${left === 0 ? 'nothing' : formatMoney(left, currencyCode)} left`

/** The error for an action that the payment's status or amounts rule out. If the payment does not show it, the service decides. */
const refusalOf = (
  action: MoneyAction,
  payment: Payment,
  amountMinor: number | undefined,
): PayError | undefined => refuseByStatus(action, payment) ?? refuseByAmount(action, payment, amountMinor)

function refuseByStatus(action: MoneyAction, { status, paymentMethod }: Payment): PayError | undefined {
  const known = knownStatus(status)
  // An unknown status may be one the service added later: let the service decide.
  if (known !== undefined && actionOf(action).states[known] !== 'allowed')
    return refusalError(action, 'invalid_status', EXIT.conflict, {
      message: `The payment is ${known}, so it cannot be ${actionOf(action).participle}`,
      paymentStatus: known,
    })
  if (action === 'adjust' && paymentMethod?.authorizationType === 'FINAL')
    return refusalError(action, 'not_estimated', EXIT.rejected, {
      message: 'The payment was not created with authorizationType ESTIMATED',
    })
  return undefined
}

function refuseByAmount(
  action: MoneyAction,
  payment: Payment,
  amountMinor: number | undefined,
): PayError | undefined {
  const figures = deriveAmounts(payment)
  const { authorized, captured, refunded, leftToCapture, leftToRefund } = figures
  const money = (minor: number | undefined) =>
    minor === undefined ? 'an unknown amount' : formatMoney(minor, payment.currencyCode)
  // While a payment settles, its captured amount may lag behind: 0 proves nothing.
  if (action === 'refund' && leftToRefund !== undefined && captured !== 0) {
    const state = `${money(captured)} captured, ${money(refunded)} refunded`
    if (leftToRefund === 0)
      return refusalError(action, 'already_refunded', EXIT.conflict, {
        message: `Nothing is left to refund: ${state}`,
      })
    if (amountMinor !== undefined && amountMinor > leftToRefund)
      return refusalError(action, 'refund_exceeds_remaining', EXIT.rejected, {
        message: `${money(amountMinor)} is more than the ${money(leftToRefund)} left to refund (${state})`,
      })
  }
  if (action === 'capture' && leftToCapture !== undefined && amountMinor !== undefined) {
    if (amountMinor > leftToCapture)
      return refusalError(action, 'capture_exceeds_remaining', EXIT.rejected, {
        message: `${money(amountMinor)} is more than the ${money(leftToCapture)} left to capture (${money(authorized)} authorized, ${money(captured)} captured)`,
      })
  }
  return undefined
}

const refusalError = (
  action: MoneyAction,
  code: string,
  exitCode: ExitCode,
  { message, paymentStatus }: { readonly message: string; readonly paymentStatus?: PaymentStatus },
): PayError =>
  new PayError(code, exitCode, message, {
    operation: actionOf(action).operation,
    outcome: 'none',
    retryable: false,
    paymentStatus,
  })
