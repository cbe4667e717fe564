import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ONCE, REFUND } from '../ledger-bench.ts'
import type { LedgerBench } from '../ledger-bench.ts'

/** An open record of a running process, and its path. */
export async function openRecord(bench: LedgerBench) {
  const owner = bench.process()
  const { id } = await owner.ledger.begin(REFUND, ONCE)
  const [file = ''] = bench.openNames()
  const [target = ''] = file.split('.')
  return { id, target, file, path: join(bench.folder, 'open', file), owner }
}

export const put = (bench: LedgerBench, name: string, text: string) => {
  mkdirSync(join(bench.folder, 'open'), { recursive: true })
  writeFileSync(join(bench.folder, 'open', name), text)
}
