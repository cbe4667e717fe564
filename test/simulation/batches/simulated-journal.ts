import type { RowResult } from '../../../src/batch/apply/row-result.ts'
import type { SimulatedPlan } from './batch-facts.ts'
import type { BatchMachine, NotedRow } from './batch-world.ts'

/** What is noted reaches the disk with the next note: a kill may lose the last, a power cut several. */
export function journalOf({ journals }: BatchMachine, { planId }: SimulatedPlan) {
  const noted = journals.get(planId) ?? []
  journals.set(planId, noted)
  let pending: NotedRow | undefined
  const write = () => {
    if (pending !== undefined) noted.push(pending)
    pending = undefined
  }
  return {
    results: () => new Map<number, RowResult>(noted.map((row) => [row.row, row])),
    note: (row: number, result: RowResult) => {
      write()
      pending = { row, ...result }
    },
    flush: write,
  }
}
