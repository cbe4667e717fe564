import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { usingFile } from '../../file-errors.ts'
import { createTemporaryRows } from '../../keep/temporary-rows.ts'
import { isComplete, isPlanHeader, isPlanRow, isPlannedInput } from '../plan.ts'
import type { PlanHeader, PlanRow, PlanTrailer, PlannedInput } from '../plan.ts'
import { notAPlan, otherVersion, planChanged, planCut } from './plan-errors.ts'
import { createTally, trailerLine } from './tally.ts'

/** A plan whose every byte has been checked. */
export interface PlanFile {
  readonly header: PlanHeader
  readonly trailer: PlanTrailer
  readonly input: PlannedInput
  /** The rows as they were checked, in the order of the file. */
  readonly rows: () => Generator<PlanRow, void, undefined>
}

const CHUNK_BYTES = 64 * 1024
/** The longest line of a plan: an input record has at most 1 MB, and JSON writes a byte in at most six. */
const MAX_LINE_BYTES = 8 * 1024 * 1024

/**
 * Reads a plan and checks all of it: version, every line, figures and digest.
 * @throws {UsageError} `unreadable_file`, `not_a_plan`, `plan_version` or `plan_changed`
 */
export function openPlan(path: string, shown: string): PlanFile {
  const hash = createHash('sha256')
  const tally = createTally()
  const rows = createTemporaryRows<PlanRow>()
  let header: PlanHeader | undefined
  let input: PlannedInput | undefined
  let end: Buffer | undefined
  let [lines, lastRow] = [0, 0]
  for (const line of linesOf(path, shown)) {
    lines += 1
    const bad = () => planChanged(shown, `line ${lines} is not as pay wrote it`)
    if (end !== undefined) throw bad()
    if (header !== undefined && beginsWith(line, END)) {
      end = line
      continue
    }
    hash.update(line)
    if (header === undefined) header = headerOf(line, shown)
    else if (input === undefined && beginsWith(line, INPUT)) {
      const value = parsed(line)
      if (!isPlannedInput(value)) throw bad()
      input = value
    } else {
      const row = parsed(line)
      if (input !== undefined || !isPlanRow(row) || row.row <= lastRow || !isComplete(header, row))
        throw bad()
      lastRow = row.row
      tally.add(row)
      rows.add(row)
    }
  }
  if (header === undefined) throw notAPlan(shown)
  if (input === undefined || end?.at(-1) !== LINE_FEED) throw planCut(shown)
  const counts = tally.counts()
  const digest = hash.digest('hex')
  if (end.toString() !== trailerLine(counts, digest))
    throw planChanged(shown, 'its rows do not match its digest')
  return { header, input, trailer: { type: 'end', ...counts, digest }, rows: rows.all }
}

/**
 * Reads only the header of a plan, whose rows may be damaged.
 * @throws {UsageError} `unreadable_file`, `not_a_plan`, `plan_version` or `plan_changed`
 */
export function readPlanHeader(path: string, shown: string): PlanHeader {
  for (const line of linesOf(path, shown)) return headerOf(line, shown)
  throw notAPlan(shown)
}

const LINE_FEED = 0x0a
const END = Buffer.from('{"type":"end",')
const INPUT = Buffer.from('{"type":"input",')

const beginsWith = (line: Buffer, start: Buffer): boolean => line.subarray(0, start.length).equals(start)

/** Flags that open a file without waiting for a pipe, which is no plan. */
const { O_NONBLOCK, O_RDONLY } = constants

/** The lines of the file with their line feeds; the last may lack it. */
function* linesOf(path: string, shown: string): Generator<Buffer, void, undefined> {
  const handle = usingFile(shown, 'read', () => openSync(path, O_RDONLY | O_NONBLOCK))
  try {
    const stats = fstatSync(handle)
    if (!stats.isFile() && !stats.isDirectory()) throw notAPlan(shown)
    yield* linesIn(handle, shown)
  } finally {
    closeSync(handle)
  }
}

function* linesIn(handle: number, shown: string): Generator<Buffer, void, undefined> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let rest = Buffer.alloc(0)
  for (let at = 0; ;) {
    const position = at
    const read = usingFile(shown, 'read', () => readSync(handle, chunk, 0, chunk.length, position))
    if (read === 0) break
    at += read
    // Copied: the chunk is used again.
    const bytes = Buffer.concat([rest, chunk.subarray(0, read)])
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      yield bytes.subarray(start, end + 1)
      start = end + 1
    }
    rest = bytes.subarray(start)
    if (rest.length > MAX_LINE_BYTES) throw notAPlan(shown)
  }
  if (rest.length > 0) yield rest
}

function headerOf(line: Buffer, shown: string): PlanHeader {
  const value = parsed(line)
  const isOurs = typeof value === 'object' && value !== null && 'type' in value && value.type === 'plan'
  if (!isOurs) throw notAPlan(shown)
  if (!('version' in value) || value.version !== 1)
    throw otherVersion(shown, 'version' in value ? value.version : undefined)
  if (!isPlanHeader(value)) throw planChanged(shown, 'line 1 is not as pay wrote it')
  return value
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch {
    return undefined
  }
}
