import type { Block, Place } from './blocks.ts'
import { recordAt, recordsOf } from './blocks.ts'
import type { CellOptions } from './cell.ts'
import { csvLine, withoutGuard } from './csv-line.ts'
import { csvRows, delimiterOf, delimiterSaid } from './csv.ts'
import type { Delimiter } from './csv.ts'
import type { ReadRow } from './import-run.ts'
import { planOf } from './mapping.ts'
import type { MappingWords, Plan } from './mapping.ts'
import { notUtf8 } from './not-utf8.ts'
import { rowReader } from './prepare.ts'
import { REASON } from './record-fields.ts'
import type { Remarks } from './remarks.ts'
import { unusableFile } from './unusable-file.ts'

/** A header, and where the rows begin. */
export interface Header {
  readonly names: readonly string[]
  readonly delimiter: Delimiter
  readonly start: Place
}

/** @throws {UsageError} where there is none */
export function readHeader(head: Buffer): Header {
  const first = lineAt(head, { byte: 0, line: 1 })
  const mark = first.record.bytes.toString('latin1', 0, 3) === BYTE_ORDER_MARK ? 3 : 0
  const bytes = first.record.bytes.subarray(mark)
  const said = delimiterSaid(bytes.toString())
  const { record, next } =
    said === undefined ? { ...first, record: { ...first.record, bytes } } : lineAt(head, first.next)
  const delimiter = said ?? delimiterOf(record.bytes.toString())
  const { rows, problem } = csvRows(record, delimiter)
  if (problem !== undefined) throw problem
  const [header] = rows
  if (header === undefined) throw unusableFile('The first line is empty', WANTED)
  return { names: header.map((name) => name.trim()), delimiter, start: next }
}

function lineAt(head: Buffer, place: Place) {
  const found = recordAt(head, place, true)
  if (found === undefined)
    throw unusableFile(place.byte === 0 ? 'The file is empty' : 'The file has no header', WANTED)
  if (found.record.bytes.includes(0)) throw notUtf8(found.record)
  return found
}

const BYTE_ORDER_MARK = '\u00EF\u00BB\u00BF'
const WANTED = 'It must start with a header. pay observability template prints one.'

const SAMPLE_BYTES = 64 * 1024
const SAMPLE_ROWS = 500

/** The first rows below a header. */
export function sampleRows(head: Buffer, { delimiter, start }: Header): readonly (readonly string[])[] {
  const bytes = head.subarray(start.byte, start.byte + SAMPLE_BYTES)
  const records = recordsOf({ bytes, startByte: start.byte, startLine: start.line }, true)
  const isCut = start.byte + bytes.length < head.length || head.length >= SAMPLE_BYTES
  const whole = isCut ? records.slice(0, -1) : records
  return whole.slice(0, SAMPLE_ROWS).flatMap((record) => csvRows(record, delimiter).rows)
}

/** A CSV file whose header has been read. */
export interface Table {
  readonly plan: Plan
  readonly header: Header
  readonly rowsOf: (block: Block) => {
    readonly rows: readonly ReadRow[]
    readonly problem: Error | undefined
  }
  readonly rejects: Rejects
}

/** The rows that failed, as they came, each with the reason: to be mended and read again. */
export interface Rejects {
  readonly header: string
  readonly line: (cells: readonly string[], reason: string) => string
}

export function readTable(head: Buffer, words: MappingWords, options: CellOptions, remarks: Remarks): Table {
  const header = readHeader(head)
  const isMapped = [...words.columns.values()].includes(REASON)
  // The rejects of an earlier run: the apostrophes that were put into them are taken away again.
  const reasonColumn = isMapped ? -1 : header.names.indexOf(REASON)
  const isRejects = reasonColumn !== -1
  const names = isRejects ? header.names.map(withoutGuard) : header.names
  const plan = planOf(names, words, options)
  const read = rowReader(plan, options, remarks)
  const idColumn = plan.fields.find(({ path }) => path === 'paymentId')?.column ?? -1

  const readRow = (raw: readonly string[]): ReadRow => {
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
    rowsOf: (block) => {
      const { rows, problem } = csvRows(block, header.delimiter)
      return { problem, rows: rows.map(readRow) }
    },
    rejects: { header: line(names, isMapped ? MAPPED_REASON : REASON), line },
  }
}

/** Where the person's own `reason` goes somewhere. */
const MAPPED_REASON = 'rejected because'
