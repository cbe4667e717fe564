import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { lazySchema, z } from '../../api/schema.ts'
import { UsageError } from '../../errors.ts'
import { syncPath } from '../../private-folder.ts'
import { NO_COUNTS } from './counts.ts'
import type { Counts, Trouble } from './counts.ts'
import type { Place } from '../read/csv.ts'
import type { Seen } from './input-proof.ts'
import { systemCode } from '../../system-code.ts'

/** Where a run stands: below it every row is answered, and told of in the files. Constant in size. */
export interface Checkpoint {
  readonly version: 2
  /** What is imported where, in one hash: another file, mapping or target is another run. */
  readonly run: string
  /** Where the next row begins. */
  readonly next: Place
  /** Rows of the file that are done. */
  readonly row: number
  readonly resultsBytes: number
  readonly rejectsBytes: number
  readonly counts: Counts
  /** What was read of the input by then, which may be more. */
  readonly seen: Seen
  /** The first rows that have become no record. */
  readonly troubles: readonly Trouble[]
  readonly seconds: number
  /** Where it is told of, so that it goes on in the same files. */
  readonly results: string | null
  readonly rejects: string | null
}

export function readCheckpoint(path: string): Checkpoint | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
  const value: unknown = parsed(text)
  if (isCheckpoint(value)) return value
  throw new UsageError(`The checkpoint ${path} is damaged, or from another version of pay`, {
    code: 'checkpoint_damaged',
    outcome: 'none',
    hint: 'Start over with --restart: existing records are updated with the same fields',
  })
}

/** In one step and for good: the old one stays until the new one is whole. */
export function writeCheckpoint(path: string, checkpoint: Checkpoint): void {
  const next = `${path}.next`
  writeFileSync(next, JSON.stringify(checkpoint), { mode: 0o600 })
  syncPath(next)
  renameSync(next, path)
  syncPath(dirname(path))
}

export const removeCheckpoint = (path: string): void => rmSync(path, { force: true })

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const count = () => z.number().check(z.minimum(0))

const seen = lazySchema(() => z.looseObject({ hash: z.string(), bytes: count() }))

const checkpoint = lazySchema(() =>
  z.looseObject({
    version: z.literal(2),
    run: z.string(),
    next: z.looseObject({ byte: count(), line: count() }),
    row: count(),
    resultsBytes: count(),
    rejectsBytes: count(),
    counts: z.looseObject(Object.fromEntries(Object.keys(NO_COUNTS).map((name) => [name, count()]))),
    seen: seen(),
    troubles: z.array(
      z.looseObject({ row: count(), paymentId: z.string(), outcome: z.string(), message: z.string() }),
    ),
    seconds: count(),
    results: z.nullable(z.string()),
    rejects: z.nullable(z.string()),
  }),
)

const isCheckpoint = (value: unknown): value is Checkpoint => checkpoint().safeParse(value).success

export const isSeen = (value: unknown): value is Seen => seen().safeParse(value).success
