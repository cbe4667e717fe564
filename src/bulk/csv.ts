import { isUtf8 } from 'node:buffer'
import { parse } from 'csv-parse/sync'
import { recordsOf } from './blocks.ts'
import type { Block } from './blocks.ts'
import { unusableFile } from './unusable-file.ts'

export type Delimiter = ',' | ';' | '\t'

export const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
}

/** The cells of every record of a block. Where one cannot be read, those before it and the reason. */
export interface CsvRows {
  readonly rows: readonly (readonly string[])[]
  readonly problem: Error | undefined
}

export function csvRows(block: Block, delimiter: Delimiter): CsvRows {
  if (!isUtf8(block.bytes)) return recordByRecord(block, delimiter)
  try {
    return { rows: parseCsv(block.bytes, delimiter), problem: undefined }
  } catch {
    return recordByRecord(block, delimiter)
  }
}

/** Slow, and only for the block that something is wrong with: it finds the line. */
function recordByRecord(block: Block, delimiter: Delimiter): CsvRows {
  const rows: (readonly string[])[] = []
  for (const record of recordsOf(block, true)) {
    if (!isUtf8(record.bytes)) return { rows, problem: notUtf8(record) }
    try {
      rows.push(...parseCsv(record.bytes, delimiter))
    } catch (error) {
      return { rows, problem: broken(record, error) }
    }
  }
  return { rows, problem: undefined }
}

/** Strict: a quote where none belongs is an error. How many cells a row has is judged with the header in hand. */
const parseCsv = (bytes: Buffer, delimiter: Delimiter): readonly (readonly string[])[] =>
  parse(bytes, {
    delimiter,
    bom: true,
    columns: false,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  })

function notUtf8({ bytes, startLine }: Block): Error {
  const lines = bytes.toString('latin1').split('\n')
  const at = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')))
  return unusableFile(
    `Line ${startLine + Math.max(0, at)} is not UTF-8`,
    'Save the file as UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE',
  )
}

function broken({ startLine }: Block, cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const why = PROBLEMS[code] ?? (cause instanceof Error ? cause.message : String(cause))
  return unusableFile(
    `Line ${startLine} cannot be read: ${why}`,
    'A quote inside a quoted cell is written twice: ""',
  )
}

const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  INVALID_OPENING_QUOTE: 'a quote stands in the middle of a cell',
  CSV_INVALID_CLOSING_QUOTE: 'something stands behind the closing quote of a cell',
}

/** The one that splits the header into the most cells; a comma where there is one cell only. */
export function delimiterOf(header: string): Delimiter {
  const outside = header.replaceAll(/"[^"]*"/g, '')
  const counts = ([',', ';', '\t'] as const).map((sign) => ({ sign, cells: outside.split(sign).length }))
  return counts.reduce((best, one) => (one.cells > best.cells ? one : best)).sign
}
