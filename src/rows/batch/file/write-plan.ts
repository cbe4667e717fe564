import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs'
import { usingFile } from '../../file-errors.ts'
import { writeWhole } from '../../keep/state-file.ts'
import { putIfFree, putInPlace, removeFile } from '../../../files/replace-file.ts'
import type { PlanHeader, PlanRow, PlanTrailer, PlannedInput } from '../plan.ts'
import { planExists } from './plan-errors.ts'
import { createTally, trailerLine } from './tally.ts'

/** A plan under construction, in a file next to its final path. */
export interface PlanWriter {
  readonly add: (row: PlanRow) => void
  /** Writes the end, makes the plan durable and gives it its name, in one step. `replaces`: what is known by then. */
  readonly finish: (input: PlannedInput, replaces?: boolean) => PlanTrailer
  /** Removes what was written so far. Does nothing after `finish`. */
  readonly discard: () => void
}

export interface PlanWriterOptions {
  /** The absolute path. */
  readonly path: string
  /** The path as typed, for messages. */
  readonly shown: string
  readonly header: PlanHeader
  /** Whether a file at `path` may be replaced. */
  readonly replaces: boolean
}

const FLUSH_LENGTH = 64 * 1024

/**
 * Starts a plan that only its owner can read. The file appears at `path` complete or not at all.
 * @throws {UsageError} `plan_exists`, `unwritable_file` or `total_too_large`
 */
export function writePlan({ path, shown, header, replaces }: PlanWriterOptions): PlanWriter {
  if (!replaces && existsSync(path)) throw planExists(shown)
  const draft = `${path}.${header.planId}.draft`
  const hash = createHash('sha256')
  const tally = createTally()
  const attempt = <T>(work: () => T): T => usingFile(shown, 'written', work)
  const handle = attempt(() => openSync(draft, 'wx', 0o600))
  let pending = ''
  let isOpen = true

  const flush = () => {
    writeWhole(handle, pending)
    hash.update(pending)
    pending = ''
  }
  const close = () => {
    if (isOpen) closeSync(handle)
    isOpen = false
  }
  const discard = () => {
    close()
    removeFile(draft)
  }
  pending = `${JSON.stringify(header)}\n`
  return {
    add: (row) => {
      tally.add(row)
      pending += `${JSON.stringify(row)}\n`
      if (pending.length >= FLUSH_LENGTH) attempt(flush)
    },
    finish: ({ bytes, hash: inputHash }, mayReplace = replaces) =>
      attempt(() => {
        pending += `${JSON.stringify({ type: 'input', bytes, hash: inputHash })}\n`
        flush()
        const counts = tally.counts()
        const digest = hash.digest('hex')
        writeWhole(handle, trailerLine(counts, digest))
        fsyncSync(handle)
        close()
        if (mayReplace) putInPlace(draft, path)
        else if (!putIfFree(draft, path)) throw planExists(shown)
        return { type: 'end', ...counts, digest }
      }),
    discard,
  }
}
