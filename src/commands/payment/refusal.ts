import { payment as paymentSchema } from '../../api/models/payment.ts'
import type { Payment } from '../../api/models/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import {
  refundPayment,
  capturePayment,
  cancelPayment,
  adjustAuthorization,
} from '../../api/operations/payment.ts'
import { PAYMENT_STATUSES } from '../../api/sets.ts'
import type { PaymentStatus } from '../../api/sets.ts'
import type { MoneySpec } from '../../cli/command/money-spec.ts'
import { EXIT, PayError } from '../../errors.ts'
import type { ExitCode } from '../../errors.ts'
import { formatMoney } from '../../money/format.ts'
import { deriveAmounts } from '../../views/payment/amounts.ts'
import type { MoneyAction } from '../../views/payment/action-effect.ts'

/** Refuses an action that the payment's status or amounts rule out. If the payment does not show it, the service decides. */

interface Rule {
  readonly operation: string
  readonly allowed: readonly PaymentStatus[]
  readonly participle: string
}

const RULES: Readonly<Record<MoneyAction, Rule>> = {
  capture: {
    operation: capturePayment.id,
    allowed: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
    participle: 'captured',
  },
  refund: {
    operation: refundPayment.id,
    allowed: ['SETTLED', 'PARTIALLY_SETTLED', 'SETTLING'],
    participle: 'refunded',
  },
  cancel: {
    operation: cancelPayment.id,
    allowed: ['PENDING', 'AUTHORIZED'],
    participle: 'cancelled',
  },
  adjust: {
    operation: adjustAuthorization.id,
    allowed: ['AUTHORIZED'],
    participle: 'adjusted',
  },
}

export const refusalOf =
  (action: MoneyAction): MoneySpec['refusal'] =>
  (response, amountMinor) => {
    const payment = parseResponse(paymentSchema, response)
    return payment === undefined
      ? undefined
      : (refuseByStatus(action, payment) ?? refuseByAmount(action, payment, amountMinor))
  }

function refuseByStatus(action: MoneyAction, { status, paymentMethod }: Payment): PayError | undefined {
  const { allowed, participle } = RULES[action]
  const knownStatus = PAYMENT_STATUSES.find((one) => one === status)
  // An unknown status may be one the service added later: let the service decide.
  if (knownStatus !== undefined && !allowed.includes(knownStatus))
    return refusalError(action, 'invalid_status', EXIT.conflict, {
      message: `The payment is ${knownStatus}, so it cannot be ${participle}`,
      paymentStatus: knownStatus,
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
    operation: RULES[action].operation,
    outcome: 'none',
    retryable: false,
    paymentStatus,
  })
