import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { lazySchema, z } from '../../api/schema.ts'
import { syncPath } from '../../private-folder.ts'
import type { RowOutcome } from '../row-outcome.ts'
import { isInputDigest } from './checkpoint.ts'
import type { InputDigest } from './input-hash.ts'
import { writeWhole } from './row-files.ts'
import { textAt } from './text-at.ts'

/**
 * Everything since the checkpoint: outcomes in the order of the responses, the last row that may have been sent, and how
 * much was read. Survives a kill. A power cut may lose outcomes; their rows are then sent again, which must be safe. Unless
 * `isSentSynced`, it may also lose which rows were sent.
 */
export interface Journal {
  /** Outcomes from an earlier run, by row. */
  readonly answered: ReadonlyMap<number, RowOutcome>
  /** What an earlier run had read. */
  readonly seen: InputDigest | undefined
  /** Whether no earlier run has written anything. */
  readonly isFresh: boolean
  /** Whether an earlier run may have sent the row without getting an answer. */
  readonly maybeSent: (row: number) => boolean
  /** Call it before sending the row. */
  readonly noteSent: (row: number) => void
  readonly noteRead: (seen: InputDigest) => void
  readonly noteOutcome: (row: number, outcome: RowOutcome) => void
  /** Drops everything that the new checkpoint covers. */
  readonly compact: (remaining: Remaining) => void
  readonly close: () => void
}

/** What a checkpoint doesn't cover. */
export interface Remaining {
  /** Rows that were answered before an earlier row. */
  readonly ahead: readonly (readonly [row: number, outcome: RowOutcome])[]
  /** Rows without a response that may have been applied; undefined while rows are in flight: any row sent may be one. */
  readonly inDoubt: readonly number[] | undefined
}

type Line =
  | readonly ['out', number]
  | readonly ['doubt', number]
  | readonly ['seen', InputDigest]
  | readonly ['row', number, RowOutcome]

export interface JournalOptions {
  /**
   * Whether `noteSent` survives a power cut. Needed if the run treats an existing record differently depending on whether
   * the run itself may have created it.
   */
  readonly isSentSynced: boolean
}

/** Notes rows as sent in batches; a write for each row would cost too much. */
const SENT_BATCH = 32

/** Opens the journal of the rows after `afterRow`, or creates it. */
export function openJournal(path: string, afterRow: number, { isSentSynced }: JournalOptions): Journal {
  const answered = new Map<number, RowOutcome>()
  const doubts = new Set<number>()
  let seen: InputDigest | undefined
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
  // A crash may have cut the last line short.
  let pending = text === '' || text.endsWith('\n') ? '' : '\n'
  let isScheduled = false
  let failure: unknown

  const flush = () => {
    const lines = pending
    pending = ''
    if (lines !== '') writeWhole(handle, lines)
  }
  // Nothing awaits this write, so the next call throws its error.
  const flushLater = () => {
    isScheduled = false
    try {
      flush()
    } catch (error) {
      failure = error
    }
  }
  const add = (line: Line) => {
    if (failure !== undefined) throw failure
    pending += textOf(line)
    // One write for all responses of one turn of the event loop.
    if (isScheduled) return
    isScheduled = true
    setImmediate(flushLater)
  }
  return {
    answered,
    seen: seenBefore,
    isFresh: text === '',
    maybeSent: (row) => row <= sentBefore || doubts.has(row),
    noteSent: (row) => {
      if (row <= sent) return
      sent = row + SENT_BATCH
      add(['out', sent])
      // Written before the row is sent: a row that was sent must never count as unsent.
      flush()
      if (isSentSynced) fsyncSync(handle)
    },
    noteRead: (now) => {
      seen = now
      add(['seen', now])
    },
    noteOutcome: (row, outcome) => add(['row', row, outcome]),
    compact: ({ ahead, inDoubt }) => {
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
      // A scheduled flush then finds nothing to write.
      try {
        flush()
      } finally {
        closeSync(handle)
      }
    },
  }
}

function textOf(line: Line): string {
  // Fast path for nearly every line; the text is what JSON.stringify would write.
  if (line[0] === 'row' && isPlain(line[2]))
    return `["row",${line[1]},{"outcome":"${line[2].outcome}","retries":0}]\n`
  return `${JSON.stringify(line)}\n`
}

const isPlain = ({ errorId, message, retries }: RowOutcome): boolean =>
  retries === 0 && errorId === undefined && message === undefined

/** Skips a line that was cut short. */
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
    z.tuple([z.literal('seen'), z.custom<InputDigest>(isInputDigest)]),
    z.tuple([z.literal('row'), z.number(), z.looseObject({ outcome: z.string(), retries: z.number() })]),
  ]),
)

const isLine = (value: unknown): value is Line => journalLine().safeParse(value).success
