import type { RowResult } from '../../../src/batch/apply/row-result.ts'
import type { SimulatedPlan } from './batch-facts.ts'
import { JOURNALS } from './batch-world.ts'
import type { BatchMachine, BatchWorld } from './batch-world.ts'

/** Lines that are noted reach the disk with the next one, and are synced at the end: a kill may lose the last. */
export function journalOf({ scheduler }: BatchWorld, { disk }: BatchMachine, { planId }: SimulatedPlan) {
  const path = `${JOURNALS}/${planId}`
  let pending = ''
  return {
    results: () => {
      const results = new Map<number, RowResult>()
      for (const line of (disk.text(path) ?? '').split('\n')) {
        const noted = parsedLine(line)
        if (noted !== undefined) results.set(noted.row, noted)
      }
      return results
    },
    note: (row: number, result: RowResult) => {
      if (pending !== '') disk.append(path, pending, scheduler.nowMs)
      pending = `${JSON.stringify({ row, ...result })}\n`
    },
    flush: () => {
      if (pending !== '') disk.append(path, pending, scheduler.nowMs)
      pending = ''
      if (disk.has(path)) disk.sync(path)
      disk.sync(JOURNALS)
    },
  }
}

/** Undefined for a line that a power cut has damaged. */
function parsedLine(line: string): (RowResult & { readonly row: number }) | undefined {
  try {
    const noted: RowResult & { readonly row: number } = JSON.parse(line)
    return noted
  } catch {
    return undefined
  }
}
