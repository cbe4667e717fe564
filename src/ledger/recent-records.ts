import type { Disk } from './disk/disk.ts'
import { parseRecord } from './files/record-text.ts'
import type { StoredRecord } from './files/record.ts'

/** About fifty records. Reading more would slow down Tab completion. */
const TAIL_BYTES = 64 * 1024
const MAX_OPEN = 50
const MAX_MONTHS = 2

/** Open records and the latest of the history, latest first, for Tab completion. Changes nothing. */
export async function recentRecords(disk: Disk, folder: string): Promise<readonly StoredRecord[]> {
  const names = await disk.names(folder)
  const months = names
    .filter((name) => /^history-\d{4}-\d{2}\.ndjson$/.test(name))
    .toSorted()
    .slice(-MAX_MONTHS)
  const open = (await disk.names(`${folder}/open`))
    .filter((name) => name.endsWith('.json'))
    .slice(0, MAX_OPEN)
  const texts = [
    ...(await Promise.all(open.map((name) => disk.read(`${folder}/open/${name}`)))),
    ...(await Promise.all(months.map((name) => tailOf(disk, `${folder}/${name}`)))),
  ]
  const found = new Map<string, StoredRecord>()
  for (const line of texts.flatMap((text) => (text ?? '').split('\n'))) {
    const record = line === '' ? undefined : parseRecord(line)
    // The history's line replaces an open file with the same id: that record has ended.
    if (record !== undefined) found.set(record.id, record)
  }
  return [...found.values()].toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1))
}

/** The first line may be incomplete; it does not parse, and is skipped. */
async function tailOf(disk: Disk, path: string): Promise<string | undefined> {
  const size = (await disk.size(path)) ?? 0
  return disk.read(path, Math.max(0, size - TAIL_BYTES))
}
