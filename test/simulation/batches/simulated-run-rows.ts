import type { RunRow, RunRows } from '../../../src/rows/batch/apply/run-rows.ts'
import { createRunRows } from '../../support/batch-plan.ts'
import { InvariantViolation } from '../invariant-violation.ts'
import type { SimulatedPlan } from './batch-facts.ts'
import type { BatchMachine } from './batch-world.ts'

/** What is noted reaches the disk with the next note: a kill may lose the last, a power cut several. */
export function runRowsOf(
  { runs }: BatchMachine,
  { planId }: SimulatedPlan,
): { readonly runRows: RunRows; readonly flush: () => void } {
  const noted = runs.get(planId) ?? []
  runs.set(planId, noted)
  const runRows = createRunRows(noted)
  let pending: RunRow | undefined
  const flush = () => {
    if (pending !== undefined) noted.push(pending)
    pending = undefined
  }
  return {
    runRows: {
      ...runRows,
      note: (row, result) => {
        runRows.note(row, result)
        flush()
        pending = { row, result }
      },
      damaged: (why) => new InvariantViolation('A run agrees with its ledger.', why),
    },
    flush,
  }
}
