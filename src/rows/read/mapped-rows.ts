import type { LeftOutTally } from '../left-out.ts'
import type { InputRow } from '../map/row.ts'
import type { Chunks } from './csv.ts'
import type { InputFormat } from './input-format.ts'

/** A row's number, from 1, the line where it begins, and its cells as in the file. */
interface RowPlace {
  readonly row: number
  readonly line: number
  readonly cells: readonly string[]
}

/**
 * Reads the rows of an input, a part at a time. Counts those that the mapping leaves out.
 * @throws {UsageError} after the last row that can be read, if the input can't be read to its end
 */
export async function* readMappedRows<Row>(
  source: Pick<InputFormat, 'start' | 'records' | 'rowOf'>,
  chunks: Chunks,
  leftOut: LeftOutTally,
  read: (row: InputRow, place: RowPlace) => Row,
): AsyncGenerator<readonly Row[]> {
  let row = 0
  for await (const { records, problem } of source.records(chunks, source.start)) {
    const rows: Row[] = []
    for (const { cells, line } of records) {
      row += 1
      const input = source.rowOf(cells)
      if (input.leftOut === undefined) rows.push(read(input, { row, line, cells }))
      else leftOut.note(input.leftOut)
    }
    yield rows
    if (problem !== undefined) throw problem
  }
}
