import type { Block, InputRecord, Place } from '../read/csv.ts'
import type { InputFormat } from '../read/input-format.ts'
import { START_OVER } from './checkpoint.ts'
import type { Checkpoint } from './checkpoint.ts'
import { InputHash, inputChanged } from './input-hash.ts'
import type { InputDigest } from './input-hash.ts'
import type { Journal } from './journal.ts'
import { runDamaged } from './run-damaged.ts'

/** Records of the input. */
export interface NumberedBlock extends Pick<Block, 'records' | 'problem'> {
  /** How many rows precede the first record. */
  readonly rowsBefore: number
  /** What has been read up to the end of the block. */
  readonly seen: InputDigest
}

export interface RecallOptions extends Pick<InputFormat, 'start' | 'records' | 'rowOf'> {
  /** The input from `start` on. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Whether this process handles the row. */
  readonly isOurs: (id: string, row: number) => boolean
  /** Called for every row that this process has handled. */
  readonly onRow: (id: string, row: number) => void
  readonly checkpointPath: string
  readonly from: Checkpoint | undefined
  readonly journalPath: string
  readonly journal: Pick<Journal, 'seen' | 'ends'>
  readonly halt: AbortSignal
}

/**
 * Reads again what earlier runs have read and compares it with what they remember: reading the rows is the only way to know
 * that none of them is left out. Returns the input after the checkpoint.
 * @throws `input_changed` or `run_damaged`
 */
export async function recall(options: RecallOptions): Promise<AsyncGenerator<NumberedBlock>> {
  const { start, from, journal, halt } = options
  const hash = new InputHash(start.byte, [...(from === undefined ? [] : [from.seen]), ...journal.seen])
  const blocks = numberedBlocks(options, hash)
  const memory = new Memory(options)
  const held: InputRecord[] = []
  let last: NumberedBlock | undefined
  // Even the rows after the checkpoint are held back: some may have ended in an earlier run.
  while (!hash.isRecalled && !halt.aborted) {
    const next = await blocks.next()
    if (next.done === true) throw inputChanged()
    last = next.value
    for (const [index, record] of last.records.entries()) {
      const row = last.rowsBefore + index + 1
      if (!memory.recall(row, record)) held.push(record)
    }
  }
  if (hash.isRecalled) memory.end(last === undefined ? 0 : last.rowsBefore + last.records.length)
  return (async function* () {
    if (last !== undefined) yield { ...last, rowsBefore: from?.row ?? 0, records: held }
    yield* blocks
  })()
}

async function* numberedBlocks(
  { records, chunks, start }: RecallOptions,
  hash: InputHash,
): AsyncGenerator<NumberedBlock> {
  let rows = 0
  for await (const block of records(chunks, start)) {
    hash.add(block.bytes)
    yield { records: block.records, problem: block.problem, rowsBefore: rows, seen: hash.digest }
    rows += block.records.length
  }
}

/** What earlier runs remember of the rows, compared with the rows of the input. */
class Memory {
  readonly #options: RecallOptions
  readonly #troubles: ReadonlyMap<number, string>
  #rows = 0
  #leftOut = 0
  #ends = 0
  #fault: Error | undefined

  constructor(options: RecallOptions) {
    this.#options = options
    this.#troubles = new Map(options.from?.troubles.map(({ row, paymentId }) => [row, paymentId]))
  }

  /** Returns whether the checkpoint covers the row. */
  recall(row: number, { cells, next }: InputRecord): boolean {
    const { journal, from } = this.#options
    const end = journal.ends.get(row)
    if (end !== undefined) this.#ends += 1
    if (end !== undefined && end !== next.byte) this.#doubtJournal(row)
    if (from === undefined || row > from.row) return false
    this.#count(row, cells)
    if (row === from.row) this.#compare(from, next)
    return true
  }

  /**
   * Call it after the last row that an earlier run has read. Before, a contradiction may mean that the input has changed.
   * @throws `run_damaged`
   */
  end(rows: number): void {
    const { from, journal } = this.#options
    if (from !== undefined && from.row > rows) this.#doubtCheckpoint(from.row)
    if (this.#ends < journal.ends.size) this.#doubtJournal(Math.max(...journal.ends.keys()))
    if (this.#fault !== undefined) throw this.#fault
  }

  #count(row: number, cells: readonly string[]): void {
    const { rowOf, isOurs, onRow } = this.#options
    const { id, isLeftOut } = rowOf(cells)
    if ((this.#troubles.get(row) ?? id) !== id) this.#doubtCheckpoint(row)
    if (!isOurs(id, row)) return
    if (isLeftOut === true) {
      this.#leftOut += 1
      return
    }
    this.#rows += 1
    onRow(id, row)
  }

  #compare({ row, next, counts }: Checkpoint, end: Place): void {
    const isSamePlace = next.byte === end.byte && next.line === end.line
    const isSameCount = counts.rows === this.#rows && (counts['leftOut'] ?? 0) === this.#leftOut
    if (!isSamePlace || !isSameCount) this.#doubtCheckpoint(row)
  }

  #doubtCheckpoint(row: number): void {
    this.#fault ??= contradiction(this.#options.checkpointPath, row)
  }

  #doubtJournal(row: number): void {
    this.#fault ??= contradiction(this.#options.journalPath, row)
  }
}

const contradiction = (path: string, row: number): Error =>
  runDamaged(path, `contradicts the input about row ${row}`, START_OVER)
