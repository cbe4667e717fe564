import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncPath } from '../../private-folder.ts'
import { isSeen } from './checkpoint.ts'
import type { Seen } from './input-proof.ts'
import { writeWhole } from './row-files.ts'
import type { RowOutcome } from '../row-outcome.ts'
import { systemCode } from '../../system-code.ts'
import { lazySchema, z } from '../../api/schema.ts'

/**
 * What has happened since the checkpoint: what was answered, in the order in which it was answered; how far rows have
 * been sent; what was read. It outlives a kill. A power cut may take answers, whose rows are sent once more, which this
 * operation allows; and how far rows have been sent, unless that is synced.
 */
export interface Journal {
  /** By an earlier run. */
  readonly answered: ReadonlyMap<number, RowOutcome>
  readonly seen: Seen | undefined
  /** Whether no earlier run has left anything. */
  readonly isFresh: boolean
  /** Whether an earlier run may have sent the row, which has no answer. */
  readonly maybeSent: (row: number) => boolean
  /** The row is sent next. */
  readonly start: (row: number) => void
  readonly see: (seen: Seen) => void
  readonly answer: (row: number, outcome: RowOutcome) => void
  /** The checkpoint has what is before these: only they are kept. */
  readonly startAnew: (kept: Kept) => void
  readonly close: () => void
}

export interface Kept {
  readonly ahead: readonly (readonly [row: number, outcome: RowOutcome])[]
  /**
   * Rows without an answer that may have been done, where nothing is under way any more. undefined while the run goes on:
   * then all may have been that were sent.
   */
  readonly inDoubt: readonly number[] | undefined
}

type Line =
  | readonly ['out', number]
  | readonly ['doubt', number]
  | readonly ['seen', Seen]
  | readonly ['row', number, RowOutcome]

export interface JournalOptions {
  /**
   * Whether it also outlives a power cut how far rows have been sent: where a record that is there already may otherwise
   * be taken for somebody else's.
   */
  readonly isSentSynced: boolean
}

/** Rows are noted as sent so many at a time: a write for each would cost more than it tells. */
const STEP = 32

export function openJournal(path: string, afterRow: number, { isSentSynced }: JournalOptions): Journal {
  const answered = new Map<number, RowOutcome>()
  const doubts = new Set<number>()
  let seen: Seen | undefined
  let sentBefore = 0
  const text = textAt(path)
  for (const line of linesOf(text)) {
    if (line[0] === 'out') sentBefore = Math.max(sentBefore, line[1])
    else if (line[0] === 'seen') seen = line[1]
    else if (line[1] <= afterRow) continue
    else if (line[0] === 'doubt') doubts.add(line[1])
    else answered.set(line[1], line[2])
  }
  const seenBefore = seen
  let sent = sentBefore
  let handle = openSync(path, 'a', 0o600)
  if (isSentSynced) syncPath(dirname(path))
  // What is added does not go on in a line that was cut short.
  let pending = text === '' || text.endsWith('\n') ? '' : '\n'
  let isPlanned = false
  let failure: unknown

  const flush = () => {
    const lines = pending
    pending = ''
    if (lines !== '') writeWhole(handle, lines)
  }
  // Told by the next call: nobody waits for this one.
  const flushLater = () => {
    isPlanned = false
    try {
      flush()
    } catch (error) {
      failure = error
    }
  }
  const add = (line: Line) => {
    if (failure !== undefined) throw failure
    pending += textOf(line)
    // One call for all that was answered in a turn.
    if (isPlanned) return
    isPlanned = true
    setImmediate(flushLater)
  }
  return {
    answered,
    seen: seenBefore,
    isFresh: text === '',
    maybeSent: (row) => row <= sentBefore || doubts.has(row),
    start: (row) => {
      if (row <= sent) return
      sent = row + STEP
      add(['out', sent])
      // On its way before the row is: one that was sent is never taken for one that was not.
      flush()
      if (isSentSynced) fsyncSync(handle)
    },
    see: (now) => {
      seen = now
      add(['seen', now])
    },
    answer: (row, outcome) => add(['row', row, outcome]),
    startAnew: ({ ahead, inDoubt }) => {
      const lines: readonly Line[] = [
        ['out', inDoubt === undefined ? sent : sentBefore],
        ...(seen === undefined ? [] : [['seen', seen] as const]),
        ...[...doubts, ...(inDoubt ?? [])].map((row) => ['doubt', row] as const),
        ...ahead.map(([row, outcome]) => ['row', row, outcome] as const),
      ]
      pending = ''
      writeFileSync(`${path}.next`, lines.map(textOf).join(''), { mode: 0o600 })
      if (isSentSynced) syncPath(`${path}.next`)
      closeSync(handle)
      renameSync(`${path}.next`, path)
      if (isSentSynced) syncPath(dirname(path))
      handle = openSync(path, 'a', 0o600)
    },
    close: () => {
      // A setImmediate that is still to come has nothing to write then.
      try {
        flush()
      } finally {
        closeSync(handle)
      }
    },
  }
}

function textOf(line: Line): string {
  // Nearly all of them: the same text, without a look at every key.
  if (line[0] === 'row' && isCreated(line[2])) return `["row",${line[1]},{"outcome":"created","retries":0}]\n`
  return `${JSON.stringify(line)}\n`
}

const isCreated = ({ outcome, errorId, message, retries }: RowOutcome): boolean =>
  outcome === 'created' && retries === 0 && errorId === undefined && message === undefined

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return ''
    throw error
  }
}

/** A line that was cut short is none. */
function linesOf(text: string): readonly Line[] {
  return text.split('\n').flatMap((line) => {
    const parsed: unknown = line === '' ? undefined : parse(line)
    return isLine(parsed) ? [parsed] : []
  })
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const journalLine = lazySchema(() =>
  z.union([
    z.tuple([z.enum(['out', 'doubt']), z.number()]),
    z.tuple([z.literal('seen'), z.custom<Seen>(isSeen)]),
    z.tuple([z.literal('row'), z.number(), z.looseObject({ outcome: z.string(), retries: z.number() })]),
  ]),
)

const isLine = (value: unknown): value is Line => journalLine().safeParse(value).success
