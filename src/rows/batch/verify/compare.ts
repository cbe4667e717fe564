import { parseTimeMs } from '../../../text/local-time.ts'
import type { BatchOperation } from '../plan.ts'
import type { Figures, RefundFact } from '../../payments/payment-facts.ts'
import type { Reading } from '../../payments/payment-reader.ts'

/** The states of a row. `failed_later`: the refund was accepted, and then failed. `unread`: the payment could not be read. */
export const ROW_STATES = ['asPlanned', 'pending', 'failed_later', 'missing', 'more', 'unread'] as const
export type RowState = (typeof ROW_STATES)[number]

/** A ready row of a plan. */
export interface PlannedRow {
  readonly row: number
  readonly line: number
  /** The amount in minor units; undefined for a cancellation. */
  readonly amount: number | undefined
}

/** The ready rows of one payment, in file order, and the payment as it was planned. */
export interface PlannedPayment {
  readonly paymentId: string
  readonly orderId?: string | undefined
  readonly currencyCode: string | undefined
  readonly figures: Figures
  readonly rows: PlannedRow[]
}

/** A compared row: amounts in minor units, statuses for a cancellation. `found` is null if the payment could not be read. */
export interface VerifiedRow {
  readonly row: number
  /** The line where the row begins in the input. */
  readonly line: number
  readonly paymentId: string
  readonly orderId?: string | undefined
  readonly state: RowState
  readonly planned: number | string
  readonly found: number | string | null
  readonly currencyCode?: string | undefined
  /** Why the payment could not be read. */
  readonly message?: string | undefined
}

/**
 * Compares the rows of a payment with the payment as it is. What was refunded or captured since the plan fills the rows in
 * file order, but for those whose refund has failed; any excess over all rows counts as more in the last one.
 */
export function compareRows(
  operation: BatchOperation,
  payment: PlannedPayment,
  reading: Reading,
  plannedAt: Date,
): readonly VerifiedRow[] {
  const { orderId } = payment
  return compareOne(operation, payment, reading, plannedAt).map((row) => ({ ...row, orderId }))
}

function compareOne(
  operation: BatchOperation,
  payment: PlannedPayment,
  reading: Reading,
  plannedAt: Date,
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
  /** Whether a part of a refund or capture may still fail, until the service has settled it. */
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
  const failed =
    operation === 'refund' ? failedRows(rows, failedSince(facts.refunds, plannedAt), left) : NO_ROWS
  const last = rows.findLast((row) => !failed.has(row))
  return rows.map((planned) => {
    const { row, line, amount = 0 } = planned
    if (failed.has(planned))
      return { row, line, paymentId, state: 'failed_later', planned: amount, found: 0, currencyCode }
    const found = Math.max(0, planned === last ? left : Math.min(left, amount))
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

/** The amounts of the refunds that have failed, of those made since the plan. */
const failedSince = (refunds: readonly RefundFact[], plannedAt: Date): readonly (number | undefined)[] =>
  refunds.flatMap(({ state, amount, date }) =>
    state === 'failed' && (parseTimeMs(date) ?? Number.POSITIVE_INFINITY) >= plannedAt.getTime()
      ? [amount]
      : [],
  )

/** The rows whose amount is missing in what was refunded, and stands among the refunds that failed. */
function failedRows(
  rows: readonly PlannedRow[],
  failed: readonly (number | undefined)[],
  refunded: number,
): ReadonlySet<PlannedRow> {
  const amounts = [...failed]
  const found = new Set<PlannedRow>()
  let missing = rows.reduce((sum, { amount = 0 }) => sum + amount, 0) - refunded
  for (const row of rows) {
    const at = amounts.indexOf(row.amount)
    if (at === -1 || (row.amount ?? 0) > missing) continue
    amounts.splice(at, 1)
    missing -= row.amount ?? 0
    found.add(row)
  }
  return found
}

const NO_ROWS: ReadonlySet<PlannedRow> = new Set()
const CANCELLED = 'CANCELLED'
