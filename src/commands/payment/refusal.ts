import { payment as paymentShape } from '../../api/models/payment.ts'
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

/** What the payment itself says against an action. What it does not tell is left to the service. */

interface Rule {
  readonly operation: string
  readonly allowed: readonly PaymentStatus[]
  readonly deed: string
  /** What to do instead, by status. */
  readonly instead: Partial<Readonly<Record<PaymentStatus, string>>>
}

const RULES: Readonly<Record<MoneyAction, Rule>> = {
  capture: {
    operation: capturePayment.id,
    allowed: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
    deed: 'captured',
    instead: {},
  },
  refund: {
    operation: refundPayment.id,
    allowed: ['SETTLED', 'PARTIALLY_SETTLED', 'SETTLING'],
    deed: 'refunded',
    instead: { AUTHORIZED: 'Nothing is captured yet: cancel the payment instead.' },
  },
  cancel: {
    operation: cancelPayment.id,
    allowed: ['PENDING', 'AUTHORIZED'],
    deed: 'cancelled',
    instead: {
      SETTLED: 'It is captured: refund it instead.',
      SETTLING: 'It is captured: refund it instead.',
      PARTIALLY_SETTLED: 'A part of it is captured: refund that part instead.',
    },
  },
  adjust: {
    operation: adjustAuthorization.id,
    allowed: ['AUTHORIZED'],
    deed: 'adjusted',
    instead: {},
  },
}

export const refusalOf =
  (action: MoneyAction): MoneySpec['refusal'] =>
  (read, amountMinor) => {
    const paid = parseResponse(paymentShape, read)
    return paid === undefined ? undefined : (byStatus(action, paid) ?? byFigures(action, paid, amountMinor))
  }

function byStatus(action: MoneyAction, { status, paymentMethod }: Payment): PayError | undefined {
  const { allowed, deed, instead } = RULES[action]
  const known = PAYMENT_STATUSES.find((one) => one === status)
  // A status that is not known here may be a newer one of the service.
  if (known !== undefined && !allowed.includes(known))
    return refusal(action, 'invalid_status', EXIT.conflict, {
      message: `The payment is ${known}, so it can't be ${deed}`,
      hint: instead[known],
    })
  if (action === 'adjust' && paymentMethod?.authorizationType === 'FINAL')
    return refusal(action, 'not_estimated', EXIT.rejected, {
      message: 'The payment was not created with authorizationType ESTIMATED',
    })
  return undefined
}

function byFigures(
  action: MoneyAction,
  paid: Payment,
  amountMinor: number | undefined,
): PayError | undefined {
  const figures = deriveAmounts(paid)
  const { authorized, captured, refunded, leftToCapture, leftToRefund } = figures
  const money = (minor: number | undefined) =>
    minor === undefined ? 'an unknown amount' : formatMoney(minor, paid.currencyCode)
  // Of a payment that is being settled the captured figure may still lag behind: 0 tells nothing there.
  if (action === 'refund' && leftToRefund !== undefined && captured !== 0) {
    const is = `${money(captured)} captured, ${money(refunded)} refunded`
    if (leftToRefund === 0)
      return refusal(action, 'already_refunded', EXIT.conflict, {
        message: `Nothing is left to refund: ${is}`,
      })
    if (amountMinor !== undefined && amountMinor > leftToRefund)
      return refusal(action, 'refund_exceeds_remaining', EXIT.rejected, {
        message: `${money(amountMinor)} is more than the ${money(leftToRefund)} that is left to refund (${is})`,
      })
  }
  if (action === 'capture' && leftToCapture !== undefined && amountMinor !== undefined) {
    if (amountMinor > leftToCapture)
      return refusal(action, 'capture_exceeds_remaining', EXIT.rejected, {
        message: `${money(amountMinor)} is more than the ${money(leftToCapture)} that is left to capture (${money(authorized)} authorized, ${money(captured)} captured)`,
      })
  }
  return undefined
}

const refusal = (
  action: MoneyAction,
  code: string,
  exitCode: ExitCode,
  { message, hint }: { readonly message: string; readonly hint?: string | undefined },
): PayError =>
  new PayError(code, exitCode, message, {
    operation: RULES[action].operation,
    outcome: 'none',
    retryable: false,
    hint,
  })
