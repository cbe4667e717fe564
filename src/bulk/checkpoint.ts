import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../errors.ts'
import { syncPath } from '../private-folder.ts'
import { NO_COUNTS } from './counts.ts'
import type { Counts, Trouble } from './counts.ts'
import type { Place } from './csv.ts'
import type { Seen } from './input-proof.ts'
import { isRecord } from '../is-record.ts'
import { systemCode } from '../system-code.ts'

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

const NUMBERS = ['row', 'resultsBytes', 'rejectsBytes', 'seconds']

function isCheckpoint(value: unknown): value is Checkpoint {
  if (!isRecord(value) || value['version'] !== 2) return false
  return (
    typeof value['run'] === 'string' &&
    isSeen(value['seen']) &&
    isRecord(value['next']) &&
    hasNumbers(value['next'], ['byte', 'line']) &&
    Array.isArray(value['troubles']) &&
    value['troubles'].every(isTrouble) &&
    [value['results'], value['rejects']].every((path) => path === null || typeof path === 'string') &&
    isRecord(value['counts']) &&
    hasNumbers(value['counts'], Object.keys(NO_COUNTS)) &&
    hasNumbers(value, NUMBERS)
  )
}

const hasNumbers = (value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean =>
  names.every((name) => typeof value[name] === 'number' && value[name] >= 0)

export const isSeen = (value: unknown): value is Seen =>
  isRecord(value) && typeof value['hash'] === 'string' && hasNumbers(value, ['bytes'])

const isTrouble = (value: unknown): value is Trouble =>
  isRecord(value) &&
  hasNumbers(value, ['row']) &&
  ['paymentId', 'outcome', 'message'].every((name) => typeof value[name] === 'string')
