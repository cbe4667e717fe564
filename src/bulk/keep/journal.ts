import { dirname } from 'node:path'
import { syncPath } from '../../private-folder.ts'
import type { RowOutcome } from '../row-outcome.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { InputDigest } from './input-hash.ts'
import { SENT_BATCH, contentOf, linesOf, textOf } from './journal-lines.ts'
import type { Line } from './journal-lines.ts'
import { openStateFile, replaceFile, textAt } from './state-file.ts'

/**
 * Everything since the checkpoint: outcomes in the order of the responses, the last row that may have been sent, and how
 * much was read. Survives a kill. A power cut may lose outcomes; their rows are then sent again, which must be safe. Unless
 * `isSentSynced`, it may also lose which rows were sent.
 */
export interface Journal {
  /** Outcomes from an earlier run, by row. */
  readonly answered: ReadonlyMap<number, RowOutcome>
  /** What an earlier run had read, again and again. */
  readonly seen: readonly InputDigest[]
  /** Where the rows that an earlier run has noted end in the input, which shows whether a line is about that row. */
  readonly ends: ReadonlyMap<number, number>
  /** Whether no earlier run has written anything. */
  readonly isFresh: boolean
  /** Whether an earlier run may have sent the row without getting a response. */
  readonly maybeSent: (row: number) => boolean
  /** Call it before sending the row. */
  readonly noteSent: (row: RowEnd) => void
  readonly noteRead: (seen: InputDigest) => void
  readonly noteOutcome: (row: RowEnd, outcome: RowOutcome) => void
  /** Drops everything that the new checkpoint covers. */
  readonly compact: (remaining: Remaining) => void
  readonly close: () => void
}

/** A row, and where the next one begins in the input. */
export interface RowEnd {
  readonly row: number
  readonly next: { readonly byte: number }
}

/** What a checkpoint doesn't cover. */
export interface Remaining {
  /** Rows that ended before an earlier row. */
  readonly ahead: readonly (readonly [row: RowEnd, outcome: RowOutcome])[]
  /** Rows without a response that may have been applied; undefined while rows are in flight: any row sent may be one. */
  readonly inDoubt: readonly RowEnd[] | undefined
}

export interface JournalOptions {
  /** The names of all outcomes. */
  readonly outcomes: readonly string[]
  /**
   * Whether `noteSent` survives a power cut. Needed if the run treats an existing record differently depending on whether
   * the run itself may have created it.
   */
  readonly isSentSynced: boolean
}

/**
 * Opens the journal of the rows after the checkpoint, or creates it.
 * @throws `run_damaged`
 */
export function openJournal(
  path: string,
  from: Pick<Checkpoint, 'row' | 'seen'> | undefined,
  { isSentSynced, outcomes }: JournalOptions,
): Journal {
  const before = textAt(path)
  const { lines, isCut } = linesOf(before, { path, readTo: from?.seen.bytes ?? 0 })
  const { answered, doubts, ends, digests, out } = contentOf(lines, {
    path,
    afterRow: from?.row ?? 0,
    outcomes,
  })
  const sentBefore = out === undefined ? 0 : out[1] + SENT_BATCH
  let seen = digests.at(-1)
  let last = out
  if (isCut) replaceFile(path, lines.map(textOf).join(''), { isSynced: isSentSynced })
  let file = openStateFile(path)
  if (isSentSynced) syncPath(dirname(path))
  let pending = ''
  let isScheduled = false
  let failure: unknown

  const flush = () => {
    const text = pending
    pending = ''
    if (text !== '') file.append(text)
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
    seen: digests,
    ends,
    isFresh: before === '',
    maybeSent: (row) => row <= sentBefore || doubts.has(row),
    noteSent: ({ row, next }) => {
      if (last !== undefined && row <= last[1] + SENT_BATCH) return
      last = ['out', row, next.byte]
      add(last)
      // Written before the row is sent: a row that was sent must never count as unsent.
      flush()
      if (isSentSynced) file.sync()
    },
    noteRead: (now) => {
      seen = now
      add(['seen', now])
    },
    noteOutcome: ({ row, next }, outcome) => add(['row', row, next.byte, outcome]),
    compact: ({ ahead, inDoubt }) => {
      const sent = inDoubt === undefined ? last : out
      const kept: readonly Line[] = [
        ...(sent === undefined ? [] : [sent]),
        ...(seen === undefined ? [] : [['seen', seen] as const]),
        ...[...doubts].map(([row, end]) => ['doubt', row, end] as const),
        ...(inDoubt ?? []).map(({ row, next }) => ['doubt', row, next.byte] as const),
        ...ahead.map(([{ row, next }, outcome]) => ['row', row, next.byte, outcome] as const),
      ]
      pending = ''
      replaceFile(path, kept.map(textOf).join(''), { isSynced: isSentSynced })
      file.close()
      file = openStateFile(path)
    },
    close: () => {
      // A scheduled flush then finds nothing to write.
      try {
        flush()
      } finally {
        file.close()
      }
    },
  }
}
