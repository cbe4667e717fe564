import type { LeftOutTally } from '../left-out.ts'
import type { InputRow } from '../map/row.ts'
import type { RowWarnings } from '../map/row-warnings.ts'
import type { Block, Chunks } from '../read/csv.ts'
import type { AmountForms } from '../read/evidence.ts'
import type { InputFormat } from '../read/input-format.ts'
import { InputHash, inputChanged } from './input-hash.ts'
import { damaged } from './run-store.ts'
import type { Mark, RunStore, SeenInput } from './run-store.ts'

/** A row of the input, as it was read. */
export interface NumberedRow {
  readonly row: number
  readonly line: number
  readonly read: InputRow
  /** The byte where the row ends in the input. */
  readonly endByte: number
}

/** A block of rows. Iterating over them reads them. */
export interface NumberedBlock extends Pick<Block, 'problem'> {
  readonly rows: Iterable<NumberedRow>
  /** What has been read up to the end of the block. */
  readonly seen: SeenInput
  /** The end of the block. Call it once its rows are read, before those of the next one. */
  readonly mark: () => Mark
}

export interface RecallOptions extends Pick<InputFormat, 'start' | 'records' | 'rowOf'> {
  /** The input from `start` on. */
  readonly chunks: Chunks
  /** Whether this process handles the row. */
  readonly isOurs: (id: string, row: number) => boolean
  readonly store: Pick<RunStore, 'path' | 'seen' | 'mark' | 'doneBetween'>
  readonly leftOut: LeftOutTally
  readonly rowWarnings: RowWarnings
  readonly amountForms?: AmountForms | undefined
  readonly halt: AbortSignal
}

export interface Recalled {
  /** The rows that earlier runs have read without an outcome, then the rest of the input. */
  readonly blocks: AsyncIterable<NumberedBlock>
}

/**
 * Compares the input with what earlier runs have read: only the same bytes have the same rows. Up to the mark, the bytes are enough;
 * the rows after it are read again. Nothing may be sent before it has returned.
 * @throws `input_changed` or `run_damaged`
 */
export async function recall(options: RecallOptions): Promise<Recalled> {
  const { start, store, halt } = options
  const hash = new InputHash(start.byte, store.seen.hash === '' ? undefined : store.seen)
  options.leftOut.restore(store.mark?.leftOut ?? [])
  options.rowWarnings.restore(store.mark?.warnings ?? [])
  options.amountForms?.restore(store.mark?.forms ?? [])
  const blocks = numberedBlocks(options, hash)
  const held: NumberedRow[] = []
  let last: NumberedBlock | undefined
  let rows = store.mark?.rows ?? 0
  // Before everything is read again, a contradiction may mean that the input has changed.
  let doubtful: number | undefined
  while (!hash.isRecalled && !halt.aborted) {
    const next = await blocks.next()
    if (next.done === true) throw inputChanged()
    last = next.value
    const done = new Map(store.doneBetween(rows + 1, last.seen.rows))
    rows = last.seen.rows
    for (const one of last.rows) {
      const doneId = done.get(one.row)
      if (doneId === undefined) held.push(one)
      else if (doneId === one.read.id) done.delete(one.row)
    }
    // What is left is another's row, or none to be sent.
    for (const row of done.keys()) doubtful ??= row
  }
  if (hash.isRecalled && rows < store.seen.rows) doubtful ??= store.seen.rows
  if (hash.isRecalled && doubtful !== undefined) throw contradiction(store.path, doubtful)
  return {
    blocks: (async function* () {
      if (last !== undefined) yield { ...last, rows: held }
      yield* blocks
    })(),
  }
}

async function* numberedBlocks(options: RecallOptions, hash: InputHash): AsyncGenerator<NumberedBlock> {
  const { store, start, leftOut, rowWarnings, amountForms } = options
  let { rows, end } = store.mark ?? { rows: 0, end: start }
  for await (const block of options.records(unmarked(options, hash, end.byte - start.byte), end)) {
    hash.add(block.bytes)
    const first = rows + 1
    rows += block.records.length
    end = block.records.at(-1)?.next ?? end
    const reached = { rows, end }
    yield {
      rows: rowsIn(block, first, options),
      problem: block.problem,
      seen: { ...hash.digest, rows },
      mark: () => ({
        ...reached,
        leftOut: leftOut.all(),
        warnings: rowWarnings.saved(),
        forms: amountForms?.saved() ?? [],
      }),
    }
  }
}

/** The chunks after the first `length` bytes, which are only hashed. */
async function* unmarked(
  { chunks, halt }: RecallOptions,
  hash: InputHash,
  length: number,
): AsyncGenerator<Uint8Array> {
  let left = length
  for await (const chunk of chunks) {
    if (halt.aborted) return
    const marked = Math.min(left, chunk.length)
    left -= marked
    if (marked > 0) hash.add(chunk.subarray(0, marked))
    if (marked < chunk.length) yield chunk.subarray(marked)
  }
}

/** The rows that this process handles and the mapping doesn't leave out. */
function* rowsIn(
  { records }: Block,
  first: number,
  { rowOf, isOurs, leftOut }: RecallOptions,
): Generator<NumberedRow> {
  for (const [index, { cells, line, next }] of records.entries()) {
    const row = first + index
    const read = rowOf(cells)
    if (!isOurs(read.id, row)) continue
    if (read.leftOut === undefined) yield { row, line, read, endByte: next.byte }
    else leftOut.note(read.leftOut)
  }
}

const contradiction = (path: string, row: number): Error =>
  damaged(path, `contradicts the input about row ${row}`)
