import type { InputRow } from '../map/row.ts'
import type { Block, Chunks, Place } from './csv.ts'

/** How to read the rows of an input and write its rejects: a CSV table or NDJSON. */
export interface InputFormat {
  /** Where the rows begin. */
  readonly start: Place
  /** The records from a place on; a record must begin there. */
  readonly records: (chunks: Chunks, from: Place) => AsyncIterable<Block>
  readonly rowOf: (cells: readonly string[]) => InputRow
  readonly rejects: Rejects
}

/** How rejects are written: as they were read, with the reason, so that you can correct and import them. */
export interface Rejects {
  readonly header: string
  readonly line: (cells: readonly string[], reason: string) => string
  /** Whether a file that begins like this is one of rejects. */
  readonly isSuch: (head: Buffer) => boolean
}
