import { actionOf } from '../../api/actions/actions.ts'
import type { MoneyAction } from '../../api/actions/actions.ts'
import type { Payment } from '../../api/models/payment.ts'
import { knownStatus } from '../../api/payment-states.ts'
import type { PaymentStatus } from '../../api/sets.ts'
import { EXIT, PayError } from '../../errors.ts'
import type { ExitCode } from '../../errors.ts'
import { formatMoney } from '../../money/format.ts'
import { deriveAmounts } from '../../views/payment/amounts.ts'

/** The error for an action that the payment's status or amounts rule out. If the payment does not show it, the service decides. */
export const refusalOf = (
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
