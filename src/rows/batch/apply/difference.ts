import { stateOf } from '../../../api/payment-states.ts'
import { formatMoney } from '../../../money/format.ts'
import { figuresOf } from '../../payments/payment-facts.ts'
import type { BatchOperation } from '../plan.ts'
import type { Figures } from '../../payments/payment-facts.ts'
import { currencyOf } from './ready-row.ts'
import type { ReadyRow } from './ready-row.ts'

/**
 * How a payment differs from the plan's figures, plus what the rows of this plan may have moved (`moved`, in minor units, the
 * likeliest first): each figure, found and expected. Undefined if they are equal.
 */
export function differenceOf(
  operation: BatchOperation,
  row: ReadyRow,
  moved: readonly number[],
  payment: unknown,
): string | undefined {
  const differences = moved.map((one) => differenceFrom(operation, row, one, payment))
  return differences.includes(undefined) ? undefined : differences[0]
}

function differenceFrom(
  operation: BatchOperation,
  row: ReadyRow,
  ownAmount: number,
  payment: unknown,
): string | undefined {
  const seen = figuresOf(payment)
  if (seen === undefined) return 'the service does not show all of its figures'
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
  return words.length === 0 ? undefined : words.join('; ')
}

/** Whether a payment differs from what {@link differenceOf} expects by exactly this row, as if it had been done. */
export function differsByRow(
  operation: BatchOperation,
  row: ReadyRow,
  moved: readonly number[],
  payment: unknown,
): boolean {
  const { figures, amount = 0 } = row
  const expected = operation === 'cancel' ? { ...row, figures: { ...figures, status: 'CANCELLED' } } : row
  const withRow = moved.map((one) => one + amount)
  return differenceOf(operation, expected, withRow, payment) === undefined
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
  const captured = stateOf(found)?.captured
  return operation === 'capture' && ownAmount > 0 && (captured === 'part' || captured === 'all')
}
