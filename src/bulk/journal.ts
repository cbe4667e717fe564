import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import type { RowOutcome } from './sender.ts'

/**
 * What was answered since the checkpoint, in the order in which it was answered, and how far rows were handed out. Not
 * synced: it outlives a kill, and what a power cut takes of it is sent once more, which this operation allows.
 */
export interface Journal {
  readonly answered: ReadonlyMap<number, RowOutcome>
  /** Rows up to this one may have been sent by an earlier run. */
  readonly handedOut: number
  readonly handOut: (row: number) => void
  readonly answer: (row: number, outcome: RowOutcome) => void
  /** The checkpoint has what is before these: only they are kept. */
  readonly startAnew: (ahead: readonly (readonly [number, RowOutcome])[], inDoubtUpTo?: number) => void
  readonly close: () => void
}

type Line = readonly ['out', number] | readonly ['row', number, RowOutcome]

export function openJournal(path: string, afterRow: number): Journal {
  const answered = new Map<number, RowOutcome>()
  let handedOut = 0
  for (const line of linesOf(path)) {
    if (line[0] === 'out') handedOut = Math.max(handedOut, line[1])
    else if (line[1] > afterRow) answered.set(line[1], line[2])
  }
  let out = handedOut
  let handle = openSync(path, 'a', 0o600)
  let pending = ''
  let isPlanned = false

  // One call for all that was answered in a turn.
  const flush = () => {
    isPlanned = false
    if (pending === '') return
    writeSync(handle, pending)
    pending = ''
  }
  const add = (line: Line) => {
    pending += `${JSON.stringify(line)}\n`
    if (isPlanned) return
    isPlanned = true
    setImmediate(flush)
  }
  return {
    answered,
    handedOut,
    handOut: (row) => {
      out = row
      pending += `${JSON.stringify(['out', row])}\n`
      // On its way before the rows are: a row that was sent is never taken for one that was not.
      flush()
    },
    answer: (row, outcome) => add(['row', row, outcome]),
    startAnew: (ahead, inDoubtUpTo = out) => {
      const lines: readonly Line[] = [
        ['out', inDoubtUpTo],
        ...ahead.map(([row, outcome]) => ['row', row, outcome] as const),
      ]
      pending = ''
      writeFileSync(`${path}.next`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
        mode: 0o600,
      })
      closeSync(handle)
      renameSync(`${path}.next`, path)
      handle = openSync(path, 'a', 0o600)
    },
    close: () => {
      flush()
      closeSync(handle)
    },
  }
}

/** A last line that was cut short is none. */
function linesOf(path: string): readonly Line[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
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

const isLine = (value: unknown): value is Line =>
  Array.isArray(value) &&
  typeof value[1] === 'number' &&
  (value[0] === 'out' || (value[0] === 'row' && typeof value[2] === 'object' && value[2] !== null))
