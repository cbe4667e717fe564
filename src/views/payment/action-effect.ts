import type { PaymentFigures } from './amounts.ts'

export type MoneyAction = 'capture' | 'refund' | 'adjust' | 'cancel'

/** Writes an amount, or that it is unknown. */
type Money = (amountMinor: number | undefined) => string

/** What an action will do to the figures, in labels and words. */
interface Plan {
  readonly remainingFor: 'to capture' | 'to refund'
  readonly remaining: number | undefined
  readonly amountLabel: string
  readonly amountWords: (money: Money) => string
  readonly afterWords: (money: Money) => string
}

export interface PlanFacts {
  readonly figures: PaymentFigures
  /** Undefined: all that is left. */
  readonly amountMinor: number | undefined
  readonly final: boolean | undefined
}

export const PLANS: Readonly<Record<MoneyAction, (facts: PlanFacts) => Plan>> = {
  capture: capturePlan,
  refund: refundPlan,
  adjust: adjustPlan,
  cancel: cancelPlan,
}

function capturePlan({ figures: { leftToCapture: left }, amountMinor, final }: PlanFacts): Plan {
  return {
    remainingFor: 'to capture',
    remaining: left,
    amountLabel: 'This capture',
    amountWords: amountOrAll(left, amountMinor),
    afterWords: (money) => captureRest(restOf(left, amountMinor), final, money),
  }
}

/** Says what becomes of the rest, so that nobody lets go of money by leaving a flag out. */
function captureRest(rest: number | undefined, final: boolean | undefined, money: Money): string {
  if (rest !== undefined && rest <= 0) return restWords(rest, money)
  if (final === false) return `${money(rest)}, still to capture`
  const unless = final === true ? '' : ' unless --no-final'
  return rest === undefined
    ? `nothing: releases the rest${unless}`
    : `${money(0)}: releases ${money(rest)}${unless}`
}

function refundPlan({ figures: { leftToRefund: left }, amountMinor }: PlanFacts): Plan {
  return {
    remainingFor: 'to refund',
    remaining: left,
    amountLabel: 'This refund',
    amountWords: amountOrAll(left, amountMinor),
    afterWords: (money) => restWords(restOf(left, amountMinor), money),
  }
}

/** An adjustment names the new total, not a difference. */
function adjustPlan({ figures: { authorized, captured, leftToCapture }, amountMinor }: PlanFacts): Plan {
  const change = amountMinor === undefined || authorized === undefined ? undefined : amountMinor - authorized
  return {
    remainingFor: 'to capture',
    remaining: leftToCapture,
    amountLabel: 'New amount',
    amountWords: (money) => {
      if (change === undefined) return money(amountMinor)
      if (change === 0) return `${money(amountMinor)} (no change)`
      return `${money(amountMinor)} (${money(Math.abs(change))} ${change > 0 ? 'more' : 'less'})`
    },
    afterWords: (money) =>
      restWords(
        amountMinor === undefined || captured === undefined ? undefined : amountMinor - captured,
        money,
      ),
  }
}

function cancelPlan({ figures: { leftToCapture: left } }: PlanFacts): Plan {
  return {
    remainingFor: 'to capture',
    remaining: left,
    amountLabel: 'This cancel',
    amountWords: (money) => (left === undefined ? 'releases what is authorized' : `releases ${money(left)}`),
    afterWords: (money) => (left === undefined ? 'nothing' : money(0)),
  }
}

const amountOrAll = (left: number | undefined, amountMinor: number | undefined) => (money: Money) => {
  if (amountMinor !== undefined) return money(amountMinor)
  return left === undefined ? 'all that is left' : `${money(left)}, all that is left`
}

/** Undefined where it cannot be known; below zero where more is asked for than is left. */
function restOf(left: number | undefined, amountMinor: number | undefined): number | undefined {
  if (amountMinor === undefined) return 0
  return left === undefined ? undefined : left - amountMinor
}

function restWords(rest: number | undefined, money: Money): string {
  return rest !== undefined && rest < 0 ? `! this is ${money(-rest)} more than there is` : money(rest)
}
