import type { InputRow } from '../map/row.ts'
import type { Block, Chunks, Place } from './csv.ts'
import type { Rejects } from './rejects.ts'

/** How to read the rows of an input and write its rejects: a CSV table or NDJSON. */
export interface InputFormat {
  /** Where the rows begin. */
  readonly start: Place
  /** The records from a place on; a record must begin there. */
  readonly records: (chunks: Chunks, from: Place) => AsyncIterable<Block>
  readonly rowOf: (cells: readonly string[]) => InputRow
  readonly rejects: Rejects
}
