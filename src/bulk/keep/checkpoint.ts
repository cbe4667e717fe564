import { existsSync, rmSync } from 'node:fs'
import { lazySchema, z } from '../../api/schema.ts'
import type { Place } from '../read/csv.ts'
import { MAX_PROBLEM_ROWS, outcomesIn } from './counts.ts'
import type { Counts } from './counts.ts'
import type { InputDigest } from './input-hash.ts'
import { runDamaged } from './run-damaged.ts'
import { replaceFile, textAt } from './state-file.ts'

/** The progress of a run: every row up to `next` has an outcome and is in the output files. Constant in size. */
export interface Checkpoint {
  readonly version: 3
  /** A hash of what is sent where. Another file, mapping or target is another run. */
  readonly run: string
  /** Where the next row begins. */
  readonly next: Place
  /** The number of rows that are done. */
  readonly row: number
  readonly counts: Counts
  /** What has been read of the input, which may be more than is done. */
  readonly seen: InputDigest
  /** The first rows that need a person's attention. `paymentId` is the ID of the row. */
  readonly troubles: readonly {
    readonly row: number
    readonly paymentId: string
    readonly outcome: string
    readonly message: string
  }[]
  readonly seconds: number
  /** Absolute paths of the output files; a resumed run continues them. */
  readonly results: string | null
  readonly rejects: string | null
}

export const START_OVER = 'Start over with --restart. That sends every row again.'

/**
 * Reads the checkpoint of a run; undefined if there is none. `noCounts` has the counts that it must have. Only the input shows
 * whether it is about these rows; see `recall.ts`.
 * @throws `run_damaged`
 */
export function readCheckpoint(path: string, noCounts: Counts): Checkpoint | undefined {
  const text = textAt(path)
  if (text === '' && !existsSync(path)) return undefined
  const read = checkpoint().safeParse(parsed(text))
  if (!read.success) throw runDamaged(path, 'is cut short, or another version of pay wrote it', START_OVER)
  const contradiction = contradictionIn(read.data, noCounts)
  if (contradiction === undefined) return read.data
  throw runDamaged(path, `contradicts itself about ${contradiction}`, START_OVER)
}

/** Replaces the checkpoint in one step: after a crash or power cut, either the old or the new one is there. */
export function writeCheckpoint(path: string, checkpoint: Checkpoint): void {
  replaceFile(path, JSON.stringify(checkpoint))
}

export const removeCheckpoint = (path: string): void => rmSync(path, { force: true })

/** What two fields disagree about. */
function contradictionIn(
  { row, next, seen, counts, troubles }: Checkpoint,
  noCounts: Counts,
): string | undefined {
  const outcomes = outcomesIn(noCounts)
  const sum = outcomes.reduce((total, outcome) => total + (counts[outcome] ?? 0), 0)
  const names = Object.keys(noCounts)
  if (Object.keys(counts).length !== names.length || names.some((name) => counts[name] === undefined))
    return 'the outcomes of rows'
  if (sum !== counts.rows || counts.rows + (counts['leftOut'] ?? 0) > row) return 'the number of rows'
  if (next.byte > seen.bytes) return 'how much was read'
  const rows = troubles.map((trouble) => trouble.row)
  const isInOrder = rows.every((one, index) => one > (rows[index - 1] ?? 0) && one <= row)
  const isKnown = troubles.every(({ outcome }) => outcomes.includes(outcome))
  return isInOrder && isKnown && rows.length <= MAX_PROBLEM_ROWS ? undefined : 'the rows that need attention'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const count = () => z.int().check(z.minimum(0))

export const inputDigest = lazySchema(() => z.strictObject({ hash: z.string(), bytes: count() }))

const checkpoint = lazySchema(() =>
  z.strictObject({
    version: z.literal(3),
    run: z.string(),
    next: z.strictObject({ byte: count(), line: count() }),
    row: z.int().check(z.minimum(1)),
    counts: z.intersection(
      z.record(z.string(), count()),
      z.looseObject({ rows: count(), failed: count(), unknown: count(), retries: count() }),
    ),
    seen: inputDigest(),
    troubles: z.array(
      z.strictObject({ row: count(), paymentId: z.string(), outcome: z.string(), message: z.string() }),
    ),
    seconds: z.number().check(z.minimum(0)),
    results: z.nullable(z.string()),
    rejects: z.nullable(z.string()),
  }),
)
