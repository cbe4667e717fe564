import type { Disk } from './disk.ts'
import { parseRecord, recordText } from './record.ts'
import type { StoredRecord } from './record.ts'

/** What has ended, a line each, in the order in which it ended; a file for each month. */
export interface History {
  /** Durable when it resolves. */
  readonly append: (record: StoredRecord) => Promise<void>
  /** The last line of that id. */
  readonly find: (id: string) => Promise<StoredRecord | undefined>
  /** The latest that fits, of those that ended at that moment or later. */
  readonly latest: (
    since: Date,
    fits: (record: StoredRecord) => boolean,
    holding?: string,
  ) => Promise<StoredRecord | undefined>
  /** Everything, latest first, and how many lines could not be read. */
  readonly all: (holding?: string) => Promise<HistoryContents>
}

export interface HistoryContents {
  readonly records: readonly StoredRecord[]
  /** Lines that were cut short, as by a full disk. */
  readonly damagedLines: number
}

/** As much of the end as most questions need; it doubles until it is enough. */
const TAIL_BYTES = 16 * 1024

export function openHistory(disk: Disk, folder: string): History {
  const pathOf = (name: string) => `${folder}/${name}`
  const nameFor = (record: StoredRecord) => `history-${record.updatedAt.slice(0, 7)}.ndjson`

  /** Newest month first. */
  const files = async (): Promise<readonly string[]> =>
    (await disk.names(folder))
      .filter((name) => /^history-\d{4}-\d{2}\.ndjson$/.test(name))
      .toSorted()
      .toReversed()

  /** Lines with these words in them, latest first. Looked for as text: parsing every line would take the longer part. */
  const linesOf = (text: string, holding: string | undefined): readonly string[] =>
    text
      .split('\n')
      .filter((line) => line !== '' && (holding === undefined || line.includes(holding)))
      .toReversed()

  return {
    async append(record) {
      const path = pathOf(nameFor(record))
      const size = await disk.size(path)
      // The last writer may have been cut short: its line is lost, and ours is not to be glued to it.
      const isCut = size !== undefined && size > 0 && (await disk.read(path, size - 1)) !== '\n'
      await disk.append(path, `${isCut ? '\n' : ''}${recordText(record)}\n`)
      await disk.sync(path)
      if (size === undefined) await disk.sync(folder)
    },

    async find(id) {
      for (const name of await files()) {
        const text = await disk.read(pathOf(name))
        for (const line of linesOf(text ?? '', JSON.stringify(id))) {
          const record = parseRecord(line)
          if (record?.id === id) return record
        }
      }
      return undefined
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

      function searched(text: string): { readonly record?: StoredRecord; readonly isOver: boolean } {
        for (const line of linesOf(text, holding)) {
          const record = parseRecord(line)
          if (record === undefined) continue
          if (new Date(record.updatedAt) < since) return { isOver: true }
          if (fits(record)) return { record, isOver: true }
        }
        return { isOver: false }
      }
    },

    async all(holding) {
      const records: StoredRecord[] = []
      let damagedLines = 0
      for (const name of await files()) {
        for (const line of linesOf((await disk.read(pathOf(name))) ?? '', holding)) {
          const record = parseRecord(line)
          if (record === undefined) damagedLines += 1
          else records.push(record)
        }
      }
      return { records, damagedLines }
    },
  }
}
