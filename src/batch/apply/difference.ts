import { formatMoney } from '../../money/format.ts'
import { figuresOf } from '../figures.ts'
import type { BatchOperation, Figures } from '../plan.ts'
import { currencyOf } from './ready-row.ts'
import type { PlanIdentity, ReadyRow } from './ready-row.ts'

/** How a payment differs from what the plan expects right before a row is sent. */
export interface Difference {
  /** Each figure that differs, found and expected. */
  readonly words: string
  /** What the payment shows; undefined if a figure is missing. */
  readonly seen: Figures | undefined
  /** How much more was captured, or refunded, than expected; minor units. */
  readonly growth: number
}

const CAPTURED = ['SETTLING', 'PARTIALLY_SETTLED', 'SETTLED']

/**
 * Compares a payment with the plan's figures, plus the rows of this plan that are done: `ownAmount`, in minor units.
 * Undefined if they are equal.
 */
export function differenceOf(
  operation: BatchOperation,
  row: ReadyRow,
  ownAmount: number,
  payment: unknown,
): Difference | undefined {
  const seen = figuresOf(payment)
  if (seen === undefined) return { words: 'the service does not show all of its figures', seen, growth: 0 }
  const { figures } = row
  const currencyCode = currencyOf(payment)
  const expected: Figures = {
    ...figures,
    amountCaptured: figures.amountCaptured + (operation === 'capture' ? ownAmount : 0),
    amountRefunded: figures.amountRefunded + (operation === 'refund' ? ownAmount : 0),
  }
  const money = (amount: number) => formatMoney(amount, row.currencyCode)
  const differs = (what: string, name: 'amount' | 'amountCaptured' | 'amountRefunded') =>
    seen[name] === expected[name] ? [] : [`${what} is ${money(seen[name])}, planned ${money(expected[name])}`]
  const words = [
    ...(isStatusExpected(operation, expected.status, seen.status, ownAmount)
      ? []
      : [`its status is ${seen.status}, planned ${expected.status}`]),
    ...(row.currencyCode === undefined || currencyCode === row.currencyCode
      ? []
      : [`its currency is ${String(currencyCode)}, planned ${row.currencyCode}`]),
    ...differs('its amount', 'amount'),
    ...differs('the amount captured', 'amountCaptured'),
    ...differs('the amount refunded', 'amountRefunded'),
  ]
  if (words.length === 0) return undefined
  const growth =
    operation === 'capture'
      ? seen.amountCaptured - expected.amountCaptured
      : seen.amountRefunded - expected.amountRefunded
  return { words: words.join('; '), seen, growth }
}

function isStatusExpected(
  operation: BatchOperation,
  planned: string,
  found: string,
  ownAmount: number,
): boolean {
  if (found === planned) return true
  // The processor confirmed what was captured before.
  if (planned === 'SETTLING' && found === 'SETTLED') return true
  return operation === 'capture' && ownAmount > 0 && CAPTURED.includes(found)
}

/** Whether a difference may come from this row, done on another machine. */
export const mayBeDone = (
  { operation }: PlanIdentity,
  { amount = 0 }: ReadyRow,
  growth: number,
  { status }: Figures,
): boolean => (operation === 'cancel' ? status === 'CANCELLED' : growth >= amount)
