import type { BatchOperation, Figures } from '../plan.ts'
import type { Reading } from '../read/payment-reader.ts'

/** `unread`: the payment could not be read. */
export const ROW_STATES = ['asPlanned', 'pending', 'missing', 'more', 'unread'] as const
export type RowState = (typeof ROW_STATES)[number]

/** A ready row of a plan. */
export interface PlannedRow {
  readonly row: number
  readonly line: number
  /** In minor units; undefined for a cancellation. */
  readonly amount: number | undefined
}

/** The ready rows of one payment, in file order, and the payment as it was planned. */
export interface PlannedPayment {
  readonly paymentId: string
  readonly currencyCode: string | undefined
  readonly figures: Figures
  readonly rows: PlannedRow[]
}

/** Amounts in minor units; statuses for a cancellation. `found` is null for a payment that could not be read. */
export interface VerifiedRow {
  readonly row: number
  /** Where it begins in the input. */
  readonly line: number
  readonly paymentId: string
  readonly state: RowState
  readonly planned: number | string
  readonly found: number | string | null
  readonly currencyCode?: string | undefined
  /** Why it could not be read. */
  readonly message?: string | undefined
}

/**
 * Compares the rows of a payment with the payment as it is. What was refunded or captured since the plan fills the rows in
 * file order; any excess over all rows counts as more in the last one.
 */
export function compareRows(
  operation: BatchOperation,
  payment: PlannedPayment,
  reading: Reading,
): readonly VerifiedRow[] {
  const { paymentId, currencyCode, figures, rows } = payment
  const facts = reading.kind === 'payment' ? reading.facts : undefined
  const now = facts?.figures
  if (facts === undefined || now === undefined) {
    const message = reading.kind === 'payment' ? 'the payment does not show its amounts' : reading.message
    return rows.map(({ row, line, amount }) => ({
      row,
      line,
      paymentId,
      state: 'unread',
      planned: amount ?? CANCELLED,
      found: null,
      currencyCode,
      message,
    }))
  }
  if (operation === 'cancel')
    return rows.map(({ row, line }) => ({
      row,
      line,
      paymentId,
      state: now.status === CANCELLED ? 'asPlanned' : 'missing',
      planned: CANCELLED,
      found: now.status,
    }))
  const pending = facts.refunds.flatMap(({ state, amount }) => (state === 'pending' ? [amount] : []))
  /** Until the service has settled it, part of a refund or capture may still fail. */
  const isPending = (amount: number | undefined, isWhole: boolean): boolean => {
    if (operation === 'capture') return now.status === 'SETTLING'
    const at = isWhole ? pending.indexOf(amount) : -1
    if (at !== -1) pending.splice(at, 1)
    return at !== -1
  }
  let left =
    operation === 'refund'
      ? now.amountRefunded - figures.amountRefunded
      : now.amountCaptured - figures.amountCaptured
  return rows.map(({ row, line, amount = 0 }, at) => {
    const isLast = at === rows.length - 1
    const found = Math.max(0, isLast ? left : Math.min(left, amount))
    left -= found
    const state =
      found > amount
        ? 'more'
        : isPending(amount, found === amount)
          ? 'pending'
          : found < amount
            ? 'missing'
            : 'asPlanned'
    return { row, line, paymentId, state, planned: amount, found, currencyCode }
  })
}

const CANCELLED = 'CANCELLED'
