import { rowKey } from '../../../src/rows/batch/apply/ready-row.ts'
import type { ReadyRow } from '../../../src/rows/batch/apply/ready-row.ts'
import type { SimulatedPlan } from './batch-facts.ts'
import { ticketName } from './batch-write.ts'

/** Computed once, because the facts are checked at every step. */
const names = new WeakMap<ReadyRow, string>()

/** What identifies the write of a row: its key, or its ticket. */
export function rowName(plan: SimulatedPlan, row: ReadyRow): string {
  const known = names.get(row)
  if (known !== undefined) return known
  const name = row.ticket === undefined ? rowKey(plan, row) : ticketName(plan.operation, row)
  names.set(row, name)
  return name
}
