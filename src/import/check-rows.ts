import type { ReadRow } from '../bulk/send/run.ts'
import type { PreparedRow, RowProblem } from '../bulk/map/row-reader.ts'
import type { Reading } from '../bulk/read/table.ts'
import { createRepeatFinder } from './repeats.ts'
import type { Repeats } from './repeats.ts'

/** What is wrong in the same way, wherever it is. */
export interface ProblemGroup {
  /** undefined for what is wrong with whole rows. */
  readonly column: string | undefined
  /** Where it is not the name of the column. */
  readonly field?: string | undefined
  readonly problem: string
  readonly hint: string | undefined
  readonly count: number
  readonly first: readonly ProblemPlace[]
}

export interface ProblemPlace {
  readonly row: number
  readonly line: number
  readonly value: string | undefined
}

export interface Checked {
  readonly rows: number
  readonly bad: number
  /** The most frequent first. */
  readonly problems: readonly ProblemGroup[]
  /** Of further kinds, which are not kept. */
  readonly otherProblems: number
  readonly repeats: Repeats
  /** Why the input could not be read to its end. */
  readonly ended: Error | undefined
}

export interface CheckOptions extends Pick<Reading, 'start' | 'records' | 'rowOf'> {
  readonly chunks: AsyncIterable<Uint8Array>
  readonly isOurs: (paymentId: string, row: number) => boolean
  readonly stop: AbortSignal
  readonly onBad?: (row: ReadRow) => void
  readonly onGood?: (row: PreparedRow) => void
  readonly onProgress: (rows: number, bad: number) => void
}

const SHOWN_OF_EACH = 3
/** Kinds of problems that are kept: a file that is wrong in more ways is another file. */
const MOST_GROUPS = 200
const LONGEST_KEPT = 200

/** Reads every row and sends nothing. */
export async function checkRows(options: CheckOptions): Promise<Checked> {
  const { start, onProgress } = options
  const groups = createGroups()
  const repeats = createRepeatFinder()
  let [row, rows, bad] = [0, 0, 0]
  const readAll = async (): Promise<Error | undefined> => {
    for await (const { records, problem: end } of options.records(options.chunks, start)) {
      if (options.stop.aborted) return undefined
      for (const { cells, line } of records) {
        const one = options.rowOf(cells)
        const { paymentId, problems } = one
        row += 1
        if (!options.isOurs(paymentId, row)) continue
        rows += 1
        repeats.see(paymentId, row)
        if (one.prepared !== undefined) options.onGood?.(one.prepared)
        if (problems.length === 0) continue
        bad += 1
        options.onBad?.(one)
        for (const problem of problems) groups.add(problem, row, line)
      }
      if (end !== undefined) return end
      onProgress(rows, bad)
    }
    return undefined
  }
  const ended = await readAll().catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  )
  return { rows, bad, ...groups.all(), repeats: repeats.end(), ended }
}

/** Problems by kind. */
function createGroups() {
  const groups = new Map<string, { -readonly [K in keyof ProblemGroup]: ProblemGroup[K] }>()
  let otherProblems = 0
  return {
    add: ({ column, field, kind, hint, value }: RowProblem, row: number, line: number) => {
      const key = `${column ?? ''}\n${field ?? ''}\n${kind}\n${hint ?? ''}`
      const known = groups.get(key)
      if (known === undefined && groups.size >= MOST_GROUPS) {
        otherProblems += 1
        return
      }
      const group = known ?? {
        column,
        ...(field === undefined ? {} : { field }),
        problem: kind,
        hint,
        count: 0,
        first: [],
      }
      group.count += 1
      if (group.first.length < SHOWN_OF_EACH)
        group.first = [...group.first, { row, line, value: kept(value) }]
      groups.set(key, group)
    },
    all: () => ({
      problems: [...groups.values()].toSorted((a, b) => b.count - a.count),
      otherProblems,
    }),
  }
}

/** A copy: a piece of a text would keep all of the text it is cut from. */
const kept = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : Buffer.from(value.slice(0, LONGEST_KEPT)).toString()
