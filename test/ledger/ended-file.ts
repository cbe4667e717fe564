import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AGAIN, DONE, REFUND } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'

/** Ends a record but leaves its open file, as a process does that is killed between the two steps. */
export async function leaveEndedFile(
  bench: LedgerBench,
): Promise<{ readonly path: string; readonly text: string }> {
  const dead = bench.process()
  const intent = await dead.ledger.begin(REFUND, AGAIN)
  const path = join(bench.folder, 'open', bench.openNames()[0] ?? '')
  const text = readFileSync(path, 'utf8')
  await intent.settle(DONE)
  bench.kill(dead)
  writeFileSync(path, text)
  return { path, text }
}
