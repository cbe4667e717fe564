import { ONCE, REFUND } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'

export const HOUR_MS = 3_600_000

/** A record whose process has died, and its id. */
export async function orphan(bench: LedgerBench, dead = bench.process()): Promise<string> {
  const { id } = await dead.ledger.begin(REFUND, ONCE)
  bench.kill(dead)
  return id
}
