import type { LeftOutTally } from '../left-out.ts'
import type { Block, InputRecord } from '../read/csv.ts'
import type { InputFormat } from '../read/input-format.ts'
import { InputHash, inputChanged } from './input-hash.ts'
import { damaged } from './run-store.ts'
import type { RunStore, SeenInput } from './run-store.ts'

/** A block of records, with their rows. */
export interface NumberedBlock extends Pick<Block, 'records' | 'problem'> {
  /** The row of the record at an index. */
  readonly rowAt: (index: number) => number
  /** What has been read up to the end of the block. */
  readonly seen: SeenInput
}

export interface RecallOptions extends Pick<InputFormat, 'start' | 'records' | 'rowOf'> {
  /** The input from `start` on. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Whether this process handles the row. */
  readonly isOurs: (id: string, row: number) => boolean
  readonly store: Pick<RunStore, 'path' | 'seen' | 'isFresh' | 'doneBetween'>
  readonly leftOut: LeftOutTally
  readonly halt: AbortSignal
}

export interface Recalled {
  /** The rows that earlier runs have read without an outcome, then the rest of the input. */
  readonly blocks: AsyncIterable<NumberedBlock>
}

/**
 * Reads again what earlier runs have read: only the same bytes have the same rows. Nothing may be sent before it has returned.
 * @throws `input_changed` or `run_damaged`
 */
export async function recall(options: RecallOptions): Promise<Recalled> {
  const { start, store, halt, rowOf, isOurs } = options
  const hash = new InputHash(start.byte, store.seen.hash === '' ? undefined : store.seen)
  const blocks = numberedBlocks(options, hash)
  const held: { readonly row: number; readonly record: InputRecord }[] = []
  let last: NumberedBlock | undefined
  // Before everything is read again, a contradiction may mean that the input has changed.
  let doubtful: number | undefined
  while (!hash.isRecalled && !halt.aborted) {
    const next = await blocks.next()
    if (next.done === true) throw inputChanged()
    last = next.value
    const done = store.doneBetween(last.rowAt(0), last.seen.rows)
    for (const [index, record] of last.records.entries()) {
      const row = last.rowAt(index)
      const { id, leftOut } = rowOf(record.cells)
      const doneId = done.get(row)
      if (doneId !== undefined && (doneId !== id || !isOurs(id, row))) doubtful ??= row
      if (doneId !== undefined || !isOurs(id, row)) continue
      if (leftOut !== undefined) options.leftOut.note(leftOut)
      else held.push({ row, record })
    }
  }
  if (hash.isRecalled && (last?.seen.rows ?? 0) < store.seen.rows) doubtful ??= store.seen.rows
  if (hash.isRecalled && doubtful !== undefined) throw contradiction(store.path, doubtful)
  return {
    blocks: (async function* () {
      if (last !== undefined)
        yield {
          ...last,
          records: held.map(({ record }) => record),
          rowAt: (index: number) => held[index]?.row ?? 0,
        }
      yield* blocks
    })(),
  }
}

async function* numberedBlocks(
  { records, chunks, start }: RecallOptions,
  hash: InputHash,
): AsyncGenerator<NumberedBlock> {
  let rows = 0
  for await (const block of records(chunks, start)) {
    hash.add(block.bytes)
    const rowsBefore = rows
    rows += block.records.length
    yield {
      records: block.records,
      problem: block.problem,
      rowAt: (index) => rowsBefore + index + 1,
      seen: { ...hash.digest, rows },
    }
  }
}

const contradiction = (path: string, row: number): Error =>
  damaged(path, `contradicts the input about row ${row}`)
