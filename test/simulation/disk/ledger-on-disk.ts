import { parseRecord } from '../../../src/ledger/files/record-text.ts'
import type { StoredRecord } from '../../../src/ledger/files/record.ts'
import type { SimulatedDisk } from './simulated-disk.ts'

export const LEDGER = '/state/ledger'

/** Every outcome in the ledger's history, as processes read it. */
export const endsIn = (disk: SimulatedDisk): readonly StoredRecord[] =>
  disk
    .names(LEDGER)
    .filter(isHistory)
    .flatMap((name) => recordsIn(disk.text(`${LEDGER}/${name}`) ?? ''))

/** The outcomes that a power cut at this moment would leave. */
export const durableEndsIn = (disk: SimulatedDisk): readonly StoredRecord[] =>
  [...disk.certain(LEDGER)].flatMap(([name, text]) => (isHistory(name) ? recordsIn(text) : []))

/** The open records, as processes read them. */
export const openRecordsIn = (disk: SimulatedDisk): readonly StoredRecord[] =>
  disk
    .names(`${LEDGER}/open`)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => recordsIn(disk.text(`${LEDGER}/open/${name}`) ?? ''))

/** The open records that a power cut at this moment would leave. */
export const durableOpenIn = (disk: SimulatedDisk): readonly StoredRecord[] =>
  [...disk.certain(`${LEDGER}/open`)].flatMap(([name, text]) =>
    name.endsWith('.json') ? recordsIn(text) : [],
  )

const isHistory = (name: string): boolean => name.startsWith('history-')

/** The same lines are read at every check. */
const parsedLines = new Map<string, readonly StoredRecord[]>()

export const recordsIn = (text: string): readonly StoredRecord[] =>
  text.split('\n').flatMap((line) => {
    const parsed = parsedLines.get(line)
    if (parsed !== undefined) return parsed
    if (parsedLines.size > 200) parsedLines.clear()
    const record = parseRecord(line)
    const records = record === undefined ? [] : [record]
    parsedLines.set(line, records)
    return records
  })
