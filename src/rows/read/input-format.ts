import type { InputRow } from '../map/row.ts'
import type { Block, Chunks, Place } from './csv.ts'
import type { Rejects } from './rejects.ts'

/** The format of an input, a CSV table or NDJSON: how to read its rows and write its rejects. */
export interface InputFormat {
  /** The place where the rows begin. */
  readonly start: Place
  /** The records from a place on; a record must begin there. */
  readonly records: (chunks: Chunks, from: Place) => AsyncIterable<Block>
  readonly rowOf: (cells: readonly string[]) => InputRow
  readonly rejects: Rejects
}
