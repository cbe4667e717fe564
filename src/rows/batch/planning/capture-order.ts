import { UsageError } from '../../../errors.ts'
import type { Figures } from '../../payments/payment-facts.ts'
import { leftOf } from './payment-state.ts'
import type { BatchRow } from './batch-row.ts'
import type { EarlierRow } from './judge.ts'

type NamedRow = Pick<BatchRow, 'row' | 'paymentId' | 'orderId' | 'final'>

/**
 * Finds the final captures of a file. A final capture releases the rest of the authorization, so it must be the last row of
 * its payment. A row that isn't ready counts too: released, its amount could not be captured once the row is corrected.
 */
export interface CaptureOrder {
  /** Notes a row. Call it with every row of the file before anything else. */
  readonly note: (row: NamedRow) => void
  /** Why the row's `final` can't be right, in words. */
  readonly problemOf: (row: NamedRow) => string | undefined
  readonly isFinal: (row: NamedRow) => boolean
}

/** Makes an order of captures. `noFinal`: no capture is final, whatever its place (`--no-final`). */
export function createCaptureOrder(noFinal: boolean): CaptureOrder {
  /** The last row that names a payment, by its ID and by its order. */
  const [byId, byOrder] = [new Map<string, number>(), new Map<string, number>()]
  const lastRowOf = ({ paymentId = '', orderId = '' }: NamedRow): number =>
    Math.max(byId.get(paymentId) ?? 0, byOrder.get(orderId) ?? 0)
  return {
    note: ({ row, paymentId, orderId, final }) => {
      if (noFinal && final !== undefined) throw twoSources()
      if (paymentId !== undefined) byId.set(paymentId, row)
      if (orderId !== undefined) byOrder.set(orderId, row)
    },
    problemOf: (named) => {
      const last = lastRowOf(named)
      return named.final === true && last > named.row
        ? `final is true, but row ${last} captures the same payment: clear final, or move this row to the end`
        : undefined
    },
    isFinal: (named) => !noFinal && named.final !== false && lastRowOf(named) <= named.row,
  }
}

/** The error for the field `final` next to the flag: both say which captures are final. */
export const twoSources = (): UsageError =>
  new UsageError('The input has final, and --no-final is given', {
    code: 'two_sources',
    outcome: 'none',
    hint: 'Leave out --no-final, or the column.',
  })

/** How much of the authorization a final capture releases, in minor units. */
export function releasedBy(figures: Figures, earlier: readonly EarlierRow[], amount: number): number {
  const captured = earlier.reduce((sum, row) => sum + row.amount, amount)
  return leftOf('capture', figures) - captured
}
