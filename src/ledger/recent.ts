import type { Disk } from './files/disk.ts'
import { parseRecord } from './files/record-text.ts'
import type { StoredRecord } from './files/record.ts'

/** Enough for some fifty records: whoever presses Tab is not to wait for a history of years. */
const TAIL_BYTES = 64 * 1024
const MOST_OPEN = 50
const MOST_MONTHS = 2

/** What was written lately and what is open, the latest first, from the ends of the files alone. Nothing is touched. */
export async function recentRecords(disk: Disk, folder: string): Promise<readonly StoredRecord[]> {
  const names = await disk.names(folder)
  const months = names
    .filter((name) => /^history-\d{4}-\d{2}\.ndjson$/.test(name))
    .toSorted()
    .slice(-MOST_MONTHS)
  const open = (await disk.names(`${folder}/open`))
    .filter((name) => name.endsWith('.json'))
    .slice(0, MOST_OPEN)
  const texts = [
    ...(await Promise.all(open.map((name) => disk.read(`${folder}/open/${name}`)))),
    ...(await Promise.all(months.map((name) => tailOf(disk, `${folder}/${name}`)))),
  ]
  const found = new Map<string, StoredRecord>()
  for (const line of texts.flatMap((text) => (text ?? '').split('\n'))) {
    const record = line === '' ? undefined : parseRecord(line)
    // A record that has ended is told by its end, whatever is left of its file.
    if (record !== undefined) found.set(record.id, record)
  }
  return [...found.values()].toSorted((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1))
}

/** The first line may be half a line: then it is no record. */
async function tailOf(disk: Disk, path: string): Promise<string | undefined> {
  const size = (await disk.size(path)) ?? 0
  return disk.read(path, Math.max(0, size - TAIL_BYTES))
}
