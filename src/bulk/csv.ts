import { isUtf8 } from 'node:buffer'
import { parse } from 'csv-parse/sync'
import { recordsOf } from './blocks.ts'
import type { Block } from './blocks.ts'
import { notUtf8 } from './not-utf8.ts'
import { unusableFile } from './unusable-file.ts'
import { systemCode } from '../system-code.ts'

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

const parseCsv = (bytes: Buffer, delimiter: Delimiter): readonly (readonly string[])[] =>
  bytes.includes('"') ? parseQuoted(bytes, delimiter) : splitPlain(bytes.toString(), delimiter)

/** Strict: a quote where none belongs is an error. How many cells a row has is judged with the header in hand. */
const parseQuoted = (bytes: Buffer, delimiter: Delimiter): readonly (readonly string[])[] =>
  parse(bytes, {
    delimiter,
    columns: false,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  })

/** Without quotes there is nothing to parse, and this takes a tenth of the time. */
const splitPlain = (text: string, delimiter: Delimiter): readonly (readonly string[])[] =>
  (text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n'))
    .filter((line) => line !== '')
    .map((line) => line.split(delimiter))

function broken({ startLine }: Block, cause: unknown): Error {
  const code = systemCode(cause) ?? ''
  const why = PROBLEMS.get(code) ?? (cause instanceof Error ? cause.message : String(cause))
  return unusableFile(
    `Line ${startLine} cannot be read: ${why}`,
    'Put a cell that contains quotes in quotes, and double each quote inside it: "5"" pipe"',
  )
}

const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'a quote is never closed'],
  ['INVALID_OPENING_QUOTE', 'there is a quote in the middle of a cell'],
  ['CSV_INVALID_CLOSING_QUOTE', 'there is text after the closing quote of a cell'],
])

/** The one that splits the header into the most cells; a comma where there is one cell only. */
export function delimiterOf(header: string): Delimiter {
  const outside = header.replaceAll(/"[^"]*"/g, '')
  const counts = ([',', ';', '\t'] as const).map((sign) => ({ sign, cells: outside.split(sign).length }))
  return counts.reduce((best, one) => (one.cells > best.cells ? one : best)).sign
}

/**
 * What the first line of a file says of its delimiter, where it says nothing else: `sep=;`, as Excel writes and reads it.
 * undefined for any other line.
 */
export function delimiterSaid(line: string): Delimiter | undefined {
  const said = /^"?sep=(.)"?\r?\n?$/i.exec(line)?.[1]
  if (said === undefined || said === ',' || said === ';' || said === '\t') return said
  throw unusableFile(
    `The first line says that ${JSON.stringify(said)} separates the columns`,
    'Save the file with commas, semicolons or tabs as separators.',
  )
}
