import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerBench } from './ledger-bench.ts'

export const MINUTE_MS = 60_000

export const historyPath = (bench: LedgerBench, month = '2026-03'): string =>
  join(bench.folder, `history-${month}.ndjson`)

/** Changes the text of the history; its file was written at the bench's own time. */
export function rewrite(bench: LedgerBench, change: (text: string) => string): void {
  const path = historyPath(bench)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
  touch(bench)
}

export const touch = (bench: LedgerBench): void =>
  utimesSync(historyPath(bench), bench.clock.now, bench.clock.now)
