import type { MoneyAction } from '../../api/actions/actions.ts'
import type { Payment } from '../../api/models/payment.ts'
import type { PaymentAmounts } from './amounts.ts'

/** Formats an amount; `unknown` for undefined. */
type Money = (amountMinor: number | undefined) => string

/** What an action does to the payment's amounts, in words for the preview. */
interface ActionEffect {
  readonly describeAmount: (money: Money) => string
  readonly describeRemainder: (money: Money) => string
}

export interface EffectInput {
  readonly figures: PaymentAmounts
  readonly status: Payment['status']
  /** Undefined: everything that is left. */
  readonly amountMinor: number | undefined
  readonly final: boolean | undefined
}

export const ACTION_EFFECTS: Readonly<Record<MoneyAction, (facts: EffectInput) => ActionEffect>> = {
  capture: captureEffect,
  refund: refundEffect,
  adjust: adjustEffect,
  cancel: cancelEffect,
}

function captureEffect({ figures: { leftToCapture: left }, amountMinor, final }: EffectInput): ActionEffect {
  return {
    describeAmount: amountOrAll(left, amountMinor),
    describeRemainder: (money) => describeCaptureRemainder(restOf(left, amountMinor), final, money),
  }
}

/** Names the amount that a final capture releases; without `--no-final`, a capture is final. */
function describeCaptureRemainder(
  rest: number | undefined,
  final: boolean | undefined,
  money: Money,
): string {
  if (rest !== undefined && rest <= 0) return describeRest(rest, money)
  if (final === false) return `${money(rest)}, still to capture`
  const unless = final === true ? '' : ' unless --no-final'
  return rest === undefined
    ? `nothing: releases the rest${unless}`
    : `${money(0)}: releases ${money(rest)}${unless}`
}

function refundEffect({ figures: { leftToRefund: left }, amountMinor }: EffectInput): ActionEffect {
  return {
    describeAmount: amountOrAll(left, amountMinor),
    describeRemainder: (money) => describeRest(restOf(left, amountMinor), money),
  }
}

/** An adjustment sets the new total, not a difference. */
function adjustEffect({ figures: { authorized, captured }, amountMinor }: EffectInput): ActionEffect {
  const change = amountMinor === undefined || authorized === undefined ? undefined : amountMinor - authorized
  return {
    describeAmount: (money) => {
      if (change === undefined) return money(amountMinor)
      if (change === 0) return `${money(amountMinor)} (no change)`
      return `${money(amountMinor)} (${money(Math.abs(change))} ${change > 0 ? 'more' : 'less'})`
    },
    describeRemainder: (money) =>
      describeRest(
        amountMinor === undefined || captured === undefined ? undefined : amountMinor - captured,
        money,
      ),
  }
}

function cancelEffect({ figures: { leftToCapture: left }, status }: EffectInput): ActionEffect {
  return {
    describeAmount: (money) => {
      if (status === 'PENDING') return 'ends it before any money is reserved'
      return left === undefined ? 'releases the authorization' : `releases ${money(left)}`
    },
    describeRemainder: (money) => (left === undefined ? 'nothing' : money(0)),
  }
}

const amountOrAll = (left: number | undefined, amountMinor: number | undefined) => (money: Money) => {
  if (amountMinor !== undefined) return money(amountMinor)
  return left === undefined ? 'all that is left' : `${money(left)}, all that is left`
}

/** What is left after the action; undefined if unknown, negative if the request exceeds it. */
function restOf(left: number | undefined, amountMinor: number | undefined): number | undefined {
  if (amountMinor === undefined) return 0
  return left === undefined ? undefined : left - amountMinor
}

function describeRest(rest: number | undefined, money: Money): string {
  return rest !== undefined && rest < 0
    ? `! this exceeds the available amount by ${money(-rest)}`
    : money(rest)
}
