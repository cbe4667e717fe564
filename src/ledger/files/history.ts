import type { DamagedLine } from './damaged-line.ts'
import type { Disk } from '../disk/disk.ts'
import type { RecordTest } from './record-filter.ts'
import { parseRecord } from './record-text.ts'
import { recordText } from './record-text.ts'
import type { StoredRecord } from './record.ts'

/** The finished writes: one line each, in the order in which they ended; one file per month. */
export interface History {
  /** @throws {PayError} exit 2 if the month's file can't be used, for example because it is a symbolic link */
  readonly check: (now: Date) => Promise<void>
  /** Durable when it resolves. */
  readonly append: (record: StoredRecord) => Promise<void>
  /** Makes every outcome durable: a killed writer may not have synced its own. */
  readonly sync: () => Promise<void>
  /** Whether an outcome is recorded for the id. Syncs it before returning, because its writer may not have. */
  readonly holds: (id: string) => Promise<boolean>
  /** The last line of that id. */
  readonly find: (id: string) => Promise<StoredRecord | undefined>
  /** The record with that id, or up to two whose ids start with it: two are already ambiguous. */
  readonly findByPrefix: (start: string) => Promise<readonly StoredRecord[]>
  /** Which of these have ended. */
  readonly endedAmong: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  /**
   * The latest record that fits, of those that ended at `since` or later. With `holding`, reads only lines that contain this
   * text, damaged or not, which keeps a search through the whole history fast.
   */
  readonly latest: (since: Date, fits: RecordTest, holding?: string) => Promise<Latest>
  /** Every record that fits, last ended first, each once. */
  readonly all: (fits: RecordTest) => Promise<HistoryContents>
}

export interface Latest {
  readonly record: StoredRecord | undefined
  /** The damaged lines that were read on the way to it. */
  readonly damaged: readonly DamagedLine[]
}

export interface HistoryContents {
  readonly records: readonly StoredRecord[]
  /** Lines that were cut short, as by a full disk, or changed since. */
  readonly damaged: readonly DamagedLine[]
}

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

  /** The lines of all files that contain the text, latest first. */
  async function* linesHolding(text: string): AsyncGenerator<string> {
    for (const name of await files())
      for await (const part of disk.readBackwards(pathOf(name))) yield* linesContaining(part, text)
  }

  /** Dates each line; a file's last line was written when the file was last modified. */
  async function dated(lines: readonly UndatedLine[], path: string): Promise<readonly DamagedLine[]> {
    if (lines.length === 0) return []
    const last = (await disk.modifiedAt(path))?.toISOString() ?? LATEST_TIME
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
      // The last writer's line may be cut short: then start a new line.
      const isCut = size > 0 && (await disk.read(path, size - 1)) !== '\n'
      await disk.append(path, `${isCut ? '\n' : ''}${line}`)
      const since = `${size === 0 ? '\n' : ''}${(await disk.read(path, Math.max(0, size - 1))) ?? ''}`
      // Another writer's torn line may have come before this one, on the same line: then write this one again.
      if (!since.includes(`\n${line}`)) await disk.append(path, `\n${line}`)
      await disk.sync(path)
      // The process that created the file may not have synced its name yet; without the name, this line would be lost.
      await disk.sync(folder)
    },

    async sync() {
      const names = await files()
      for (const name of names) await disk.sync(pathOf(name))
      if (names.length > 0) await disk.sync(folder)
    },

    async holds(id) {
      const record = await this.find(id)
      if (record === undefined) return false
      await disk.sync(pathOf(fileFor(record.updatedAt)))
      await disk.sync(folder)
      return true
    },

    async find(id) {
      for await (const line of linesHolding(JSON.stringify(id))) {
        const record = parseRecord(line)
        if (record?.id === id) return record
      }
      return undefined
    },

    async findByPrefix(start) {
      const found = new Map<string, StoredRecord>()
      for await (const line of linesHolding(JSON.stringify(start).slice(0, -1))) {
        const record = parseRecord(line)
        if (record?.id === start) return [record]
        // An exact match may still follow. Two others are enough to be ambiguous.
        if (record?.id.startsWith(start) === true && !found.has(record.id) && found.size < 2)
          found.set(record.id, record)
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
        const undated: UndatedLine[] = []
        let found: StoredRecord | undefined
        let isOver = false
        let until: string | undefined
        for await (const part of disk.readBackwards(path)) {
          // Goes through the whole part, even past the first line older than `since`: after a clock change, lines may be out
          // of order.
          for (const line of holding === undefined ? linesOf(part) : linesContaining(part, holding)) {
            const record = parseRecord(line)
            if (record === undefined) {
              undated.push({ line, until })
              continue
            }
            until = record.updatedAt
            if (Date.parse(until) < since.getTime()) isOver = true
            else if (fits(record)) found = record
            if (found !== undefined) break
          }
          if (isOver || found !== undefined) break
        }
        damaged.push(...(await dated(undated, path)))
        if (isOver || found !== undefined) return { record: found, damaged }
      }
      return { record: undefined, damaged }
    },

    async all(fits) {
      const records: StoredRecord[] = []
      const damaged: DamagedLine[] = []
      const listed = new Set<string>()
      for (const name of await files()) {
        const path = pathOf(name)
        const undated: UndatedLine[] = []
        let until: string | undefined
        for await (const part of disk.readBackwards(path)) {
          for (const line of linesOf(part)) {
            const record = parseRecord(line)
            if (record === undefined) {
              undated.push({ line, until })
              continue
            }
            until = record.updatedAt
            if (!fits(record) || listed.has(record.id)) continue
            listed.add(record.id)
            records.push(record)
          }
        }
        damaged.push(...(await dated(undated, path)))
      }
      return { records, damaged }
    },
  }
}

/** The `until` of lines whose file has disappeared: they may have been written at any time. */
const LATEST_TIME = '9999-12-31T23:59:59.999Z'

/** A damaged line, and when the next one was written; undefined for the last of its file. */
type UndatedLine = Pick<DamagedLine, 'line'> & { readonly until: string | undefined }

/** The file for that time's month. */
const fileFor = (at: string): string => `history-${at.slice(0, 7)}.ndjson`

/** Latest first, without empty lines. */
const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .toReversed()

/** The lines that contain the text, latest first, without splitting the text into lines. */
function* linesContaining(text: string, held: string): Generator<string> {
  for (let at = text.lastIndexOf(held); at !== -1;) {
    const start = text.lastIndexOf('\n', at) + 1
    const end = text.indexOf('\n', at)
    yield text.slice(start, end === -1 ? undefined : end)
    if (start === 0) return
    at = text.lastIndexOf(held, start - 1)
  }
}
