import { createLeftOutTally } from '../left-out.ts'
import type { LeftOutCount } from '../left-out.ts'
import type { InputRow, PreparedRow, RowProblem } from '../map/row.ts'
import type { InputFormat } from '../read/input-format.ts'
import { repeatsIn } from '../keep/repeats.ts'
import type { Repeats } from '../keep/repeats.ts'
import { openTemporaryDatabase } from '../keep/temporary-rows.ts'

/** A group of rows with the same problem. */
export interface ProblemGroup {
  /** The column; undefined if the problem concerns whole rows. */
  readonly column: string | undefined
  /** The field, set only if it differs from the column name. */
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

export interface CheckResult {
  readonly rows: number
  readonly bad: number
  /** The rows that the service may refuse because of a value outside the API's set for its field. */
  readonly doubtful: number
  /** The rows that the mapping leaves out. */
  readonly leftOut: readonly LeftOutCount[]
  /** The problems, the most frequent first. */
  readonly problems: readonly ProblemGroup[]
  /** The number of problems that are in no group. */
  readonly otherProblems: number
  readonly repeats: Repeats
  /** Why the input could not be read to its end. */
  readonly ended: Error | undefined
}

export interface CheckOptions extends Pick<InputFormat, 'start' | 'records' | 'rowOf'> {
  readonly chunks: AsyncIterable<Uint8Array>
  /** Whether this process handles the row. */
  readonly isOurs: (paymentId: string, row: number) => boolean
  readonly stop: AbortSignal
  readonly onBad?: (row: InputRow) => void
  readonly onGood?: (row: PreparedRow) => void
  readonly onProgress: (rows: number, bad: number) => void
}

const EXAMPLES_PER_GROUP = 3
/** The most groups: a file with more kinds of problems is probably the wrong file. */
const MAX_GROUPS = 200
const MAX_VALUE_LENGTH = 200

/** Reads every row and sends none. */
export async function checkRows(options: CheckOptions): Promise<CheckResult> {
  const { start, onProgress } = options
  const groups = createGroups()
  const repeats = createRepeatFinder()
  const leftOut = createLeftOutTally()
  let [row, rows, bad, doubtful] = [0, 0, 0, 0]
  const readAll = async (): Promise<Error | undefined> => {
    for await (const { records, problem: end } of options.records(options.chunks, start)) {
      if (options.stop.aborted) return undefined
      for (const { cells, line } of records) {
        const read = options.rowOf(cells)
        const { id, problems } = read
        row += 1
        if (!options.isOurs(id, row)) continue
        if (read.leftOut !== undefined) {
          leftOut.note(read.leftOut)
          continue
        }
        rows += 1
        repeats.add(id, row)
        if (read.prepared?.isDoubtful === true) doubtful += 1
        if (read.prepared !== undefined) options.onGood?.(read.prepared)
        if (problems.length === 0) continue
        bad += 1
        options.onBad?.(read)
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
  return { rows, bad, doubtful, leftOut: leftOut.all(), ...groups.all(), repeats: repeats.end(), ended }
}

function createGroups() {
  const groups = new Map<string, { -readonly [K in keyof ProblemGroup]: ProblemGroup[K] }>()
  let otherProblems = 0
  return {
    add: ({ column, field, kind, hint, value }: RowProblem, row: number, line: number) => {
      const key = `${column ?? ''}\n${field ?? ''}\n${kind}\n${hint ?? ''}`
      const known = groups.get(key)
      if (known === undefined && groups.size >= MAX_GROUPS) {
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
      if (group.first.length < EXAMPLES_PER_GROUP)
        group.first = [...group.first, { row, line, value: detachedStart(value) }]
      groups.set(key, group)
    },
    all: () => ({
      problems: [...groups.values()].toSorted((a, b) => b.count - a.count),
      otherProblems,
    }),
  }
}

/** The start of a value, copied: a slice would keep the whole text in memory. */
const detachedStart = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : Buffer.from(value.slice(0, MAX_VALUE_LENGTH)).toString()

/** The number of rows that are written at a time. */
const PART = 4096

/** Finds every repeat of a check. */
export function createRepeatFinder(path?: string) {
  const database = openTemporaryDatabase(path)
  database.run('CREATE TABLE rows(row INTEGER NOT NULL PRIMARY KEY, id TEXT NOT NULL)')
  let pending: (readonly [row: number, id: string])[] = []
  const save = () => {
    const rows = pending
    pending = []
    database.transaction(() => {
      for (const row of rows) database.run('INSERT INTO rows VALUES (?, ?)', ...row)
    })
  }
  return {
    add: (paymentId: string, row: number): void => {
      pending.push([row, paymentId])
      if (pending.length === PART) save()
    },
    /** Ends the check, and returns the repeats. Call it once. */
    end: (): Repeats => {
      try {
        save()
        return repeatsIn(database)
      } finally {
        database.close()
      }
    },
  }
}
