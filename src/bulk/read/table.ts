import { isUtf8 } from 'node:buffer'
import type { CellOptions } from '../map/cell.ts'
import { csvLine, withoutGuard } from './csv-line.ts'
import {
  DELIMITERS,
  LONGEST_RECORD_BYTES,
  firstRecords,
  lineBreaksIn,
  notUtf8,
  readRecords,
  tooLong,
  unreadable,
} from './csv.ts'
import type { Block, Chunks, Delimiter, Place } from './csv.ts'
import type { ReadRow } from '../send/run.ts'
import { planColumns } from '../map/mapping.ts'
import type { ColumnMapping, ColumnPlan } from '../map/mapping.ts'
import { createRowReader } from '../map/row-reader.ts'
import { REASON } from '../../import/record-fields.ts'
import type { RowWarnings } from '../map/row-warnings.ts'
import { unusableFile } from './unusable-file.ts'

/** A header, and where the rows begin. */
export interface Header {
  readonly names: readonly string[]
  readonly delimiter: Delimiter
  readonly start: Place
}

/** @throws {UsageError} where there is none */
export function readHeader(head: Buffer): Header {
  if (head.length === 0) throw unusableFile('The file is empty', WANTED)
  const firstLine = /^.*?(?:\r\n|\n|\r|$)/s.exec(head.toString('latin1'))?.[0] ?? ''
  refuseOtherEncoding(head.subarray(0, firstLine.length))
  const said = delimiterSaid(firstLine)
  const top = said === undefined ? 0 : firstLine.length
  const below = head.subarray(top)
  if (below.length === 0) throw unusableFile('The file has no header', WANTED)
  const { delimiter, cells, bytes } = readBest(below, {
    line: 1 + lineBreaksIn(head.subarray(0, top)),
    delimiters: said === undefined ? DELIMITERS : [said],
  })
  const read = head.subarray(0, top + bytes)
  refuseOtherEncoding(read)
  if (read.length >= LONGEST_RECORD_BYTES)
    throw tooLong(1 + lineBreaksIn(head.subarray(0, top)), read, delimiter)
  if (cells.every((cell) => cell === '') && cells.length === 1)
    throw unusableFile('The first line is empty', WANTED)
  const start = { byte: read.length, line: 1 + lineBreaksIn(read) }
  return { names: cells.map((name) => name.trim()), delimiter, start }
}

/** The first record by the delimiter that splits it into the most cells; by a comma where there is one cell only. */
function readBest(
  head: Buffer,
  { line, delimiters }: { readonly line: number; readonly delimiters: readonly Delimiter[] },
) {
  const read = delimiters.map((delimiter) => {
    try {
      const options = { delimiter, bom: true, skip_empty_lines: false, to: 1 }
      const [first] = firstRecords(head, options)
      return { delimiter, cells: first?.cells ?? [''], bytes: first?.bytes ?? head.length, error: undefined }
    } catch (error) {
      return { delimiter, cells: [], bytes: 0, error }
    }
  })
  const best = read.reduce((most, one) => (one.cells.length > most.cells.length ? one : most))
  if (best.error !== undefined) throw unreadable(best.error, head, { line, form: best.delimiter })
  return best
}

/** UTF-16 text can be valid UTF-8 too, with a zero byte in each character. */
function refuseOtherEncoding(bytes: Buffer): void {
  if (bytes.includes(0) || !isUtf8(bytes)) throw notUtf8(bytes, 1)
}

/**
 * What the first line of a file says of its delimiter, where it says nothing else: `sep=;`, as Excel writes and reads it.
 * undefined for any other line.
 */
function delimiterSaid(line: string): Delimiter | undefined {
  const said = /^(?:\u00EF\u00BB\u00BF)?"?sep=(.)"?[\r\n]*$/i.exec(line)?.[1]
  const known = DELIMITERS.find((delimiter) => delimiter === said)
  if (said === undefined || known !== undefined) return known
  throw unusableFile(
    `The first line says that ${JSON.stringify(said)} separates the columns`,
    'Save the file with commas, semicolons or tabs as separators.',
  )
}

const WANTED = 'It must start with a header. pay observability template prints one.'

const SAMPLE_BYTES = 64 * 1024
const SAMPLE_ROWS = 500

/** The first rows below a header. */
export function sampleRows(head: Buffer, { delimiter, start }: Header): readonly (readonly string[])[] {
  const bytes = head.subarray(start.byte, start.byte + SAMPLE_BYTES)
  const rows = firstRecords(bytes, { delimiter, to: SAMPLE_ROWS, skip_records_with_error: true })
  const isCut = start.byte + bytes.length < head.length || head.length >= SAMPLE_BYTES
  return rows.filter((row) => !isCut || row.bytes < bytes.length).map(({ cells }) => cells)
}

/** How the records of an input are read. */
export interface Reading {
  /** Where the rows begin. */
  readonly start: Place
  /** The records from a place on, where one begins. */
  readonly records: (chunks: Chunks, from: Place) => AsyncIterable<Block>
  readonly rowOf: (cells: readonly string[]) => ReadRow
  readonly rejects: Rejects
}

/** A CSV file whose header has been read. */
export interface Table extends Reading {
  readonly plan: ColumnPlan
  readonly header: Header
}

/** The rows that failed, as they came, each with the reason: to be mended and read again. */
export interface Rejects {
  readonly header: string
  readonly line: (cells: readonly string[], reason: string) => string
}

export function readTable(
  head: Buffer,
  words: ColumnMapping,
  options: CellOptions,
  rowWarnings: RowWarnings,
): Table {
  const header = readHeader(head)
  const isMapped = [...words.columns.values()].includes(REASON)
  // The rejects of an earlier run: the apostrophes that were put into them are taken away again.
  const reasonColumn = isMapped ? -1 : header.names.indexOf(REASON)
  const isRejects = reasonColumn !== -1
  const names = isRejects ? header.names.map(withoutGuard) : header.names
  const plan = planColumns(names, words, options)
  const read = createRowReader(plan, options, rowWarnings)
  const idColumn = plan.fields.find(({ path }) => path === 'paymentId')?.column ?? -1

  const rowOf = (raw: readonly string[]): ReadRow => {
    const cells = isRejects ? raw.map(withoutGuard) : raw
    const made = read(cells)
    const paymentId = cells[idColumn] ?? ''
    return 'body' in made
      ? { paymentId, prepared: made, problems: [], cells }
      : { paymentId, prepared: undefined, problems: made, cells }
  }
  // In a row of another length nobody knows which cell was the reason: all of them are kept.
  const withoutReason = (cells: readonly string[]): readonly string[] =>
    isRejects && cells.length === names.length ? cells.toSpliced(reasonColumn, 1) : cells
  const line = (cells: readonly string[], reason: string) =>
    csvLine([...withoutReason(cells), reason], header.delimiter)
  return {
    plan,
    header,
    start: header.start,
    records: (chunks, from) => readRecords(chunks, header.delimiter, from),
    rowOf,
    rejects: { header: line(names, isMapped ? MAPPED_REASON : REASON), line },
  }
}

/** Where the person's own `reason` goes somewhere. */
const MAPPED_REASON = 'rejected because'
