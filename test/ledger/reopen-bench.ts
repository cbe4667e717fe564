import { ONCE, REFUND } from './ledger-bench.ts'
import type { LedgerBench, SimulatedProcess } from './ledger-bench.ts'

export const HOUR_MS = 3_600_000

/** A record whose process has died, and its id. */
export async function orphan(bench: LedgerBench, dead = bench.process()): Promise<string> {
  const { id } = await dead.ledger.begin(REFUND, ONCE)
  bench.kill(dead)
  return id
}

/** A process that reads, then waits until another one has acted. */
export function slow(bench: LedgerBench, meanwhile: () => Promise<void>): SimulatedProcess {
  let isFirst = true
  return bench.process({
    disk: {
      ...bench.disk,
      link: async (from, to) => {
        if (isFirst) {
          isFirst = false
          await meanwhile()
        }
        return bench.disk.link(from, to)
      },
    },
  })
}
