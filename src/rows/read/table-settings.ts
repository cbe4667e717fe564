import type { CellOptions } from '../map/cell.ts'
import type { RowKinds } from '../map/mapping-file.ts'
import type { ColumnMapping } from '../map/mapping.ts'
import type { Delimiter } from './csv.ts'
import type { EncodingName } from './encodings.ts'

/** The settings for reading the rows of an input, from its flags and its mapping file. */
export interface TableSettings {
  readonly format: 'csv' | 'ndjson'
  readonly mapping: ColumnMapping
  /** The kinds of rows, if the mapping file names them and the job takes rows of several. */
  readonly kinds?: RowKinds | undefined
  readonly cells: CellOptions
  /** Whether a flag or the mapping file says in which units amounts are. */
  readonly areUnitsGiven: boolean
  /** Whether the user says that minor units are those of ISO 4217, which some providers' aren't. */
  readonly isoMinor: boolean
  /** undefined to recognize it. */
  readonly delimiter: Delimiter | undefined
  /** The number of lines before the header. */
  readonly skipLines: number
  /** undefined for UTF-8, or what the byte order mark says. */
  readonly encoding: EncodingName | undefined
}
