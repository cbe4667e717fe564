import { mkdirSync } from 'node:fs'
import type { Disk } from '../../../src/ledger/disk/disk.ts'
import { openHistory } from '../../../src/ledger/files/history.ts'
import { ended, newRecord } from '../../../src/ledger/files/record.ts'
import type { StoredRecord } from '../../../src/ledger/files/record.ts'
import { AGAIN, DONE, REFUND } from '../ledger-bench.ts'
import type { LedgerBench } from '../ledger-bench.ts'

/** A record that ended at that moment. */
export function endedAt(at: string, id: string, more: Partial<StoredRecord> = {}): StoredRecord {
  const owner = { pid: 1, startedAt: 'x', machine: 'desk' }
  const record = newRecord(REFUND, AGAIN, { id, now: new Date(at), user: 'ana', version: '1', owner })
  return { ...ended(record, DONE, new Date(at)), ...more }
}

export function historyOf(bench: LedgerBench, disk: Disk = bench.disk) {
  mkdirSync(bench.folder, { recursive: true })
  return openHistory(disk, bench.folder)
}

export const idsIn = async (history: ReturnType<typeof openHistory>) =>
  (await history.all(() => true)).records.map(({ id }) => id)
