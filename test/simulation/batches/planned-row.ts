import type { ReadyRow } from '../../../src/rows/batch/apply/ready-row.ts'
import type { SimulatedPlan } from './batch-facts.ts'
import type { BatchWrite } from './batch-write.ts'

export interface PlannedRow {
  readonly plan: SimulatedPlan
  readonly row: ReadyRow
}

/** Whether a write does what a row is planned to do. */
export const isSame = (
  write: BatchWrite,
  { operation }: SimulatedPlan,
  { paymentId, amount = 0 }: ReadyRow,
) => write.operation === operation && write.paymentId === paymentId && write.amount === amount

/** A service takes a capture as the last one unless the request says otherwise. */
export function isExactly(write: BatchWrite, { plan, row }: PlannedRow): boolean {
  const isLast = !plan.rows.some((other) => other.paymentId === row.paymentId && other.row > row.row)
  return isSame(write, plan, row) && write.isFinal === (plan.operation === 'capture' && isLast)
}
