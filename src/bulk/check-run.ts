import { blocksOf } from './blocks.ts'
import type { Block } from './blocks.ts'
import type { ReadRow } from './import-run.ts'
import { lineOfRow } from './line-of-row.ts'

/** What is wrong in the same way, wherever it is. */
export interface ProblemGroup {
  /** undefined for what is wrong with whole rows. */
  readonly column: string | undefined
  readonly problem: string
  readonly hint: string | undefined
  readonly count: number
  readonly first: readonly {
    readonly row: number
    readonly line: number
    readonly value: string | undefined
  }[]
}

export interface Checked {
  readonly rows: number
  readonly bad: number
  /** The most frequent first. */
  readonly problems: readonly ProblemGroup[]
}

const SHOWN_OF_EACH = 3
/** Kinds of problems that are kept: a file that is wrong in more ways is another file. */
const MOST_GROUPS = 200

/** Reads every row and sends nothing. @throws {UsageError} where the file itself cannot be read on */
export async function checkRun(options: {
  readonly chunks: AsyncIterable<Uint8Array>
  readonly hasQuotes: boolean
  readonly rowsOf: (block: Block) => {
    readonly rows: readonly ReadRow[]
    readonly problem: Error | undefined
  }
  readonly isOurs: (paymentId: string, row: number) => boolean
  readonly start: { readonly byte: number; readonly line: number }
  readonly stop: AbortSignal
}): Promise<Checked> {
  const groups = new Map<string, { -readonly [K in keyof ProblemGroup]: ProblemGroup[K] }>()
  let [row, rows, bad] = [0, 0, 0]
  const from = { hasQuotes: options.hasQuotes, startByte: options.start.byte, startLine: options.start.line }
  for await (const block of blocksOf(options.chunks, from)) {
    if (options.stop.aborted) break
    const read = options.rowsOf(block)
    for (const [index, { paymentId, problems }] of read.rows.entries()) {
      row += 1
      if (!options.isOurs(paymentId, row)) continue
      rows += 1
      if (problems.length > 0) bad += 1
      for (const { column, kind, hint, value } of problems) {
        const key = `${column ?? ''}\n${kind}`
        const group = groups.get(key)
        if (group === undefined && groups.size >= MOST_GROUPS) continue
        const at = group ?? { column, problem: kind, hint, count: 0, first: [] }
        at.count += 1
        if (at.first.length < SHOWN_OF_EACH)
          at.first = [...at.first, { row, line: lineOfRow(block, index, options.hasQuotes), value }]
        groups.set(key, at)
      }
    }
    if (read.problem !== undefined) throw read.problem
  }
  return { rows, bad, problems: [...groups.values()].toSorted((a, b) => b.count - a.count) }
}
