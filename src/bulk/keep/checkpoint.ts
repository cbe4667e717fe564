import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { lazySchema, z } from '../../api/schema.ts'
import { UsageError } from '../../errors.ts'
import { syncPath } from '../../private-folder.ts'
import { fallbackOn } from '../../system-code.ts'
import type { Place } from '../read/csv.ts'
import type { Counts } from './counts.ts'
import type { InputDigest } from './input-hash.ts'

/** The progress of a run: every row up to `next` has an outcome and is in the output files. Constant in size. */
export interface Checkpoint {
  readonly version: 2
  /** A hash of what is sent where. Another file, mapping or target is another run. */
  readonly run: string
  /** Where the next row begins. */
  readonly next: Place
  /** The number of rows that are done. */
  readonly row: number
  readonly resultsBytes: number
  readonly rejectsBytes: number
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

/** @throws {UsageError} if the file is damaged; undefined if there is none */
export function readCheckpoint(path: string): Checkpoint | undefined {
  const text = fallbackOn('ENOENT', undefined, () => readFileSync(path, 'utf8'))
  if (text === undefined) return undefined
  const value: unknown = parsed(text)
  if (isCheckpoint(value)) return value
  throw new UsageError(`The checkpoint ${path} is damaged, or another version of pay wrote it`, {
    code: 'checkpoint_damaged',
    outcome: 'none',
    hint: 'Start over with --restart. That sends every row again.',
  })
}

/** Replaces the checkpoint in one step: after a crash or power cut, either the old or the new one is there. */
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
    counts: z.intersection(
      z.record(z.string(), count()),
      z.looseObject({ rows: count(), failed: count(), unknown: count(), retries: count() }),
    ),
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

export const isInputDigest = (value: unknown): value is InputDigest => seen().safeParse(value).success
