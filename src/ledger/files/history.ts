import type { DamagedLine } from './damaged-line.ts'
import type { Disk } from './disk.ts'
import type { RecordTest } from './record-filter.ts'
import { parseRecord } from './record-text.ts'
import { recordText } from './record-text.ts'
import type { StoredRecord } from './record.ts'

/** What has ended, a line each, in the order in which it ended; a file for each month. */
export interface History {
  /** @throws {PayError} exit 2 where what ends now could not be appended, since something else is in its place */
  readonly check: (now: Date) => Promise<void>
  /** Durable when it resolves. */
  readonly append: (record: StoredRecord) => Promise<void>
  /** Whether the end of that id is recorded. Durable when it says so: its writer may not have come so far. */
  readonly holds: (id: string) => Promise<boolean>
  /** The last line of that id. */
  readonly find: (id: string) => Promise<StoredRecord | undefined>
  /** The one with that id, or those whose ids begin so; no more than two, which is too many. */
  readonly beginningWith: (start: string) => Promise<readonly StoredRecord[]>
  /** Which of these have ended. */
  readonly endedAmong: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  /**
   * The latest that fits, of those that ended at that moment or later. `holding`: only lines with this text in them are
   * looked at, damaged or not: a write with a ticket goes through the whole history.
   */
  readonly latest: (since: Date, fits: RecordTest, holding?: string) => Promise<Latest>
  /** Everything that fits, last ended first, each record once. */
  readonly all: (fits: RecordTest) => Promise<HistoryContents>
}

export interface Latest {
  readonly record: StoredRecord | undefined
  /** What was met on the way to it. */
  readonly damaged: readonly DamagedLine[]
}

export interface HistoryContents {
  readonly records: readonly StoredRecord[]
  /** They were cut short, as by a full disk, or changed since they were written. */
  readonly damaged: readonly DamagedLine[]
}

/** As much of the end as most questions need; it doubles until it is enough. */
const TAIL_BYTES = 16 * 1024

export function openHistory(disk: Disk, folder: string): History {
  const pathOf = (name: string) => `${folder}/${name}`

  /** Newest month first. */
  const files = async (): Promise<readonly string[]> =>
    (await disk.names(folder))
      .filter((name) => /^history-\d{4}-\d{2}\.ndjson$/.test(name))
      .toSorted()
      .toReversed()

  const filesSince = async (since: Date): Promise<readonly string[]> => {
    // A file of an earlier month holds nothing that ended in a later one.
    const first = fileFor(since.toISOString())
    return (await files()).filter((name) => name >= first)
  }

  /** The last line of a file was written when the file was. */
  async function dated(lines: readonly Undated[], path: string): Promise<readonly DamagedLine[]> {
    if (lines.length === 0) return []
    const last = (await disk.modifiedAt(path))?.toISOString() ?? NOT_YET
    return lines.map(({ line, until = last }) => ({ line, path, until }))
  }

  return {
    async check(now) {
      await disk.size(pathOf(fileFor(now.toISOString())))
    },

    async append(record) {
      const path = pathOf(fileFor(record.updatedAt))
      const line = `${recordText(record)}\n`
      const size = (await disk.size(path)) ?? 0
      // The last writer may have been cut short: its line is lost, and ours is not to be glued to it.
      const isCut = size > 0 && (await disk.read(path, size - 1)) !== '\n'
      await disk.append(path, `${isCut ? '\n' : ''}${line}`)
      const since = `${size === 0 ? '\n' : ''}${(await disk.read(path, Math.max(0, size - 1))) ?? ''}`
      // Or it was cut short only now, between our look and our line.
      if (!since.includes(`\n${line}`)) await disk.append(path, `\n${line}`)
      await disk.sync(path)
      // Whoever has made the file may not have come so far: ours is not to be lost with its name.
      await disk.sync(folder)
    },

    async holds(id) {
      const record = await this.find(id)
      if (record === undefined) return false
      await disk.sync(pathOf(fileFor(record.updatedAt)))
      await disk.sync(folder)
      return true
    },

    async find(id) {
      for (const name of await files()) {
        const text = (await disk.read(pathOf(name))) ?? ''
        for (const line of linesHolding(text, JSON.stringify(id))) {
          const record = parseRecord(line)
          if (record?.id === id) return record
        }
      }
      return undefined
    },

    async beginningWith(start) {
      const found = new Map<string, StoredRecord>()
      for (const name of await files()) {
        const text = (await disk.read(pathOf(name))) ?? ''
        for (const line of linesHolding(text, JSON.stringify(start).slice(0, -1))) {
          const record = parseRecord(line)
          if (record?.id === start) return [record]
          // One that is whole may still come; two of them are too many, however many more there are.
          if (record?.id.startsWith(start) === true && !found.has(record.id) && found.size < 2)
            found.set(record.id, record)
        }
      }
      return [...found.values()]
    },

    async endedAmong(ids) {
      if (ids.length === 0) return new Set()
      const wanted = new Set(ids)
      const { records } = await this.all(({ id }) => wanted.has(id))
      return new Set(records.map(({ id }) => id))
    },

    async latest(since, fits, holding) {
      const damaged: DamagedLine[] = []
      for (const name of await filesSince(since)) {
        const path = pathOf(name)
        const size = (await disk.size(path)) ?? 0
        for (let bytes = TAIL_BYTES; ; bytes *= 4) {
          const from = Math.max(0, size - bytes)
          const text = (await disk.read(path, from)) ?? ''
          // The first line is half a line unless it is the file's first.
          const whole = from === 0 ? text : text.slice(text.indexOf('\n') + 1)
          const lines = holding === undefined ? linesOf(whole) : linesHolding(whole, holding)
          const found = search(lines, since, fits)
          if (!found.isOver && from > 0) continue
          damaged.push(...(await dated(found.damaged, path)))
          if (found.isOver) return { record: found.record, damaged }
          break
        }
      }
      return { record: undefined, damaged }
    },

    async all(fits) {
      const records: StoredRecord[] = []
      const damaged: DamagedLine[] = []
      const listed = new Set<string>()
      for (const name of await files()) {
        const path = pathOf(name)
        const undated: Undated[] = []
        let after: StoredRecord | undefined
        for (const line of linesOf((await disk.read(path)) ?? '')) {
          const record = parseRecord(line)
          if (record === undefined) {
            undated.push({ line, until: after?.updatedAt })
            continue
          }
          after = record
          if (!fits(record) || listed.has(record.id)) continue
          listed.add(record.id)
          records.push(record)
        }
        damaged.push(...(await dated(undated, path)))
      }
      return { records, damaged }
    },
  }
}

/** Of a file that was moved away meanwhile: any time is possible. */
const NOT_YET = '9999-12-31T23:59:59.999Z'

/** A damaged line, and when the next one was written; undefined for the last of its file. */
type Undated = Pick<DamagedLine, 'line'> & { readonly until: string | undefined }

interface Searched {
  readonly record: StoredRecord | undefined
  /** Whether it is found, or nothing can be found any more. */
  readonly isOver: boolean
  readonly damaged: readonly Undated[]
}

/** All of these lines, past the first that is older: a clock that stepped has put them out of order. */
function search(lines: Iterable<string>, since: Date, fits: RecordTest): Searched {
  const damaged: Undated[] = []
  let isOver = false
  let until: string | undefined
  for (const line of lines) {
    const record = parseRecord(line)
    if (record === undefined) {
      damaged.push({ line, until })
      continue
    }
    until = record.updatedAt
    if (Date.parse(until) < since.getTime()) isOver = true
    else if (fits(record)) return { record, isOver: true, damaged }
  }
  return { record: undefined, isOver, damaged }
}

/** Of the month of that moment. */
const fileFor = (at: string): string => `history-${at.slice(0, 7)}.ndjson`

/** Latest first; empty lines are no records. */
const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .toReversed()

/** Lines with this text in them, latest first, without looking at any other line. */
function* linesHolding(text: string, held: string): Generator<string> {
  for (let at = text.lastIndexOf(held); at !== -1;) {
    const start = text.lastIndexOf('\n', at) + 1
    const end = text.indexOf('\n', at)
    yield text.slice(start, end === -1 ? undefined : end)
    if (start === 0) return
    at = text.lastIndexOf(held, start - 1)
  }
}
