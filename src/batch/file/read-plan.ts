import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { PlanHeader, PlanRow, PlanTrailer, PlannedInput } from '../plan.ts'
import { notAPlan, otherVersion, planChanged, planCut, unreadablePlan } from './plan-errors.ts'
import { isComplete, isPlanHeader, isPlanRow, isPlannedInput } from './plan-schema.ts'
import { createTally, trailerLine } from './tally.ts'

/** A plan whose every byte has been checked. */
export interface PlanFile {
  readonly header: PlanHeader
  readonly trailer: PlanTrailer
  readonly input: PlannedInput
  /**
   * The rows, in the order of the file. Reads the file again, a part at a time, and compares each part with what was
   * checked before it yields a row of it.
   * @throws {UsageError} `plan_changed` if the file was changed since
   */
  readonly rows: () => Generator<PlanRow, void, undefined>
  readonly close: () => void
}

/** Rows are compared in parts of this many lines. */
const PART_LINES = 1_000
const CHUNK_BYTES = 64 * 1024
/** No line of a plan is longer: an input record has at most 1 MB, and JSON writes a byte in at most six. */
const MAX_LINE_BYTES = 8 * 1024 * 1024

/**
 * Opens a plan and checks all of it: version, every line, figures and digest. Close it.
 * @throws {UsageError} `unreadable_file`, `not_a_plan`, `plan_version` or `plan_changed`
 */
export function openPlan(path: string, shown: string): PlanFile {
  const handle = openFile(path, shown)
  try {
    const { header, input, trailer, parts } = check(handle, shown)
    let isOpen = true
    const close = () => {
      if (isOpen) closeSync(handle)
      isOpen = false
    }
    return { header, trailer, input, rows: () => rowsOf(handle, parts, shown), close }
  } catch (error) {
    closeSync(handle)
    throw error
  }
}

/**
 * Reads only the header of a plan, whose rows may be damaged.
 * @throws {UsageError} `unreadable_file`, `not_a_plan`, `plan_version` or `plan_changed`
 */
export function readPlanHeader(path: string, shown: string): PlanHeader {
  const handle = openFile(path, shown)
  try {
    for (const line of linesOf(handle, shown)) return headerOf(line, shown)
    throw notAPlan(shown)
  } finally {
    closeSync(handle)
  }
}

/** Doesn't wait for a pipe, which is no plan. */
function openFile(path: string, shown: string): number {
  const handle = reading(shown, () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK))
  const stats = fstatSync(handle)
  if (stats.isFile() || stats.isDirectory()) return handle
  closeSync(handle)
  throw notAPlan(shown)
}

/** @returns the hash of the file up to the end of each part */
function check(handle: number, shown: string) {
  const hash = createHash('sha256')
  const parts: string[] = []
  const tally = createTally()
  let header: PlanHeader | undefined
  let input: PlannedInput | undefined
  let last: Buffer | undefined
  let lastRow = 0
  let lines = 0
  const take = (line: Buffer) => {
    if (header === undefined) header = headerOf(line, shown)
    else if (input !== undefined) throw badLine(shown, lines + 1)
    else if (isInput(line)) input = inputOf(line, shown, lines + 1)
    else {
      const row = rowOf(line, shown, lines + 1)
      if (row.row <= lastRow || !isComplete(header, row)) throw badLine(shown, lines + 1)
      lastRow = row.row
      tally.add(row)
    }
    hash.update(line)
    lines += 1
    if (lines % PART_LINES === 0) parts.push(soFar(hash))
  }
  for (const line of linesOf(handle, shown)) {
    if (last !== undefined) take(last)
    // Report a file that isn't a plan as such, not as a truncated plan.
    else headerOf(line, shown)
    last = line
  }
  if (last === undefined) throw notAPlan(shown)
  if (
    header === undefined ||
    input === undefined ||
    last.at(-1) !== LINE_FEED ||
    !TRAILER.test(last.toString('latin1', 0, 20))
  )
    throw planCut(shown)
  const digest = soFar(hash)
  const counts = tally.counts()
  parts.push(digest)
  if (last.toString() !== trailerLine(counts, digest))
    throw planChanged(shown, 'its rows do not match its digest')
  return { header, input, trailer: { type: 'end', ...counts, digest } as const, parts }
}

function* rowsOf(
  handle: number,
  parts: readonly string[],
  shown: string,
): Generator<PlanRow, void, undefined> {
  const hash = createHash('sha256')
  let held: PlanRow[] = []
  let [lines, part] = [0, 0]
  let last: Buffer | undefined
  for (const line of linesOf(handle, shown)) {
    if (last !== undefined) {
      hash.update(last)
      if (lines > 0 && !isInput(last)) held.push(rowOf(last, shown, lines + 1))
      lines += 1
      if (lines % PART_LINES === 0) {
        if (soFar(hash) !== parts[part]) throw changedMeanwhile(shown)
        part += 1
        yield* held
        held = []
      }
    }
    last = line
  }
  if (part !== parts.length - 1 || soFar(hash) !== parts[part]) throw changedMeanwhile(shown)
  yield* held
}

const LINE_FEED = 0x0a
const TRAILER = /^\{"type":"end",/

const INPUT = Buffer.from('{"type":"input",')

const isInput = (line: Buffer): boolean => line.subarray(0, INPUT.length).equals(INPUT)

const soFar = (hash: Hash): string => hash.copy().digest('hex')

/** The lines of the file with their line feeds; the last may lack it. */
function* linesOf(handle: number, shown: string): Generator<Buffer, void, undefined> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let rest = Buffer.alloc(0)
  for (let at = 0; ;) {
    const position = at
    const read = reading(shown, () => readSync(handle, chunk, 0, chunk.length, position))
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
  if (!isPlanHeader(value)) throw badLine(shown, 1)
  return value
}

function inputOf(line: Buffer, shown: string, number: number): PlannedInput {
  const value = parsed(line)
  if (!isPlannedInput(value)) throw badLine(shown, number)
  return value
}

function rowOf(line: Buffer, shown: string, number: number): PlanRow {
  const value = parsed(line)
  if (!isPlanRow(value)) throw badLine(shown, number)
  return value
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch {
    return undefined
  }
}

function reading<T>(shown: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw unreadablePlan(shown, error)
  }
}

const badLine = (shown: string, number: number) => planChanged(shown, `line ${number} is not as pay wrote it`)

const changedMeanwhile = (shown: string) => planChanged(shown, 'another process writes to it')
