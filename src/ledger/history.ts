import type { Disk } from './disk.ts'
import type { Entry, EntryTest } from './entry.ts'
import { parseRecord, recordText } from './record.ts'
import type { StoredRecord } from './record.ts'

/** What has ended, a line each, in the order in which it ended; a file for each month. */
export interface History {
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
  /** The latest that fits, of those that ended at that moment or later. */
  readonly latest: (
    since: Date,
    fits: (record: StoredRecord) => boolean,
    holding?: string,
  ) => Promise<StoredRecord | undefined>
  /** Everything that fits, last ended first, each record once. */
  readonly all: (fits: EntryTest) => Promise<HistoryContents>
}

export interface HistoryContents {
  readonly entries: readonly Entry[]
  /** How many lines cannot be read: they were cut short, as by a full disk. */
  readonly damagedLines: number
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

  return {
    async append(record) {
      const path = pathOf(nameFor(record))
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
      await disk.sync(pathOf(nameFor(record)))
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
      const ended = new Set<string>()
      for (const name of ids.length === 0 ? [] : await files()) {
        const text = (await disk.read(pathOf(name))) ?? ''
        for (const id of ids)
          for (const line of linesHolding(text, JSON.stringify(id)))
            if (parseRecord(line)?.id === id) ended.add(id)
      }
      return ended
    },

    async latest(since, fits, holding) {
      for (const name of await files()) {
        // A file of an earlier month holds nothing that ended in a later one.
        if (name < `history-${since.toISOString().slice(0, 7)}.ndjson`) return undefined
        const path = pathOf(name)
        const size = (await disk.size(path)) ?? 0
        for (let bytes = TAIL_BYTES; ; bytes *= 4) {
          const from = Math.max(0, size - bytes)
          const text = (await disk.read(path, from)) ?? ''
          // The first line is half a line unless it is the file's first.
          const whole = from === 0 ? text : text.slice(text.indexOf('\n') + 1)
          const found = searched(whole)
          if (found.record !== undefined || found.isOver) return found.record
          if (from === 0) break
        }
      }
      return undefined

      /** All that was read, past the first that is older: a clock that stepped has put the lines out of order. */
      function searched(text: string): { readonly record?: StoredRecord; readonly isOver: boolean } {
        let isOver = false
        for (const line of linesOf(text, holding)) {
          const record = parseRecord(line)
          if (record === undefined) continue
          if (new Date(record.updatedAt) < since) isOver = true
          else if (fits(record)) return { record, isOver: true }
        }
        return { isOver }
      }
    },

    async all(fits) {
      // A write has no use for it.
      const { entryOfLine } = await import('./entry.ts')
      const entries: Entry[] = []
      const listed = new Set<string>()
      let damagedLines = 0
      for (const name of await files()) {
        for (const line of linesOf((await disk.read(pathOf(name))) ?? '', undefined)) {
          if (line === '') continue
          const entry = entryOfLine(line)
          if (entry === undefined) damagedLines += 1
          else if (fits(entry) && !listed.has(entry.id)) {
            listed.add(entry.id)
            entries.push(entry)
          }
        }
      }
      return { entries, damagedLines }
    },
  }
}

const nameFor = (record: StoredRecord) => `history-${record.updatedAt.slice(0, 7)}.ndjson`

/** Latest first; where words are given, only lines that hold them. Empty lines are no records. */
const linesOf = (text: string, holding: string | undefined): Iterable<string> =>
  holding === undefined ? text.split('\n').toReversed() : linesHolding(text, holding)

/** Lines with these words in them, latest first, without looking at any other line. */
function* linesHolding(text: string, words: string): Generator<string> {
  for (let at = text.lastIndexOf(words); at !== -1;) {
    const start = text.lastIndexOf('\n', at) + 1
    const end = text.indexOf('\n', at)
    yield text.slice(start, end === -1 ? undefined : end)
    if (start === 0) return
    at = text.lastIndexOf(words, start - 1)
  }
}
