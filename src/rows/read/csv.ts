import { isUtf8 } from 'node:buffer'
import { Parser } from 'csv-parse'
import type { Options } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { latinIn } from './encodings.ts'
import { unusableFile } from './unusable-file.ts'
import { messageOf } from '../../errors.ts'

/** The delimiters that are recognized without being named. The last one also occurs in names and titles. */
export const DELIMITERS = [',', ';', '\t', '|'] as const
/** A delimiter, which is one character. */
export type Delimiter = string

/**
 * The division of the input: into cells by a {@link Delimiter}, or into whole `lines`. A blank after the delimiter stands for blanks
 * around quoted cells, as in `"a", "b"`.
 */
export type Form = string

/** The form of a table, as its first bytes show it. */
export const formOf = (delimiter: Delimiter, head: Buffer): Form =>
  head.includes(`${delimiter} "`) ? `${delimiter} ` : delimiter

/** The place where a record begins in the decompressed input: the byte, counted from 0, and the line, counted from 1. */
export interface Place {
  readonly byte: number
  readonly line: number
}

export interface InputRecord {
  readonly cells: readonly string[]
  readonly line: number
  /** The place where the next record begins. */
  readonly next: Place
}

/** A block of complete records. If one cannot be read: the records before it, and the problem. */
export interface Block {
  readonly bytes: Buffer
  readonly startByte: number
  readonly records: readonly InputRecord[]
  readonly problem: Error | undefined
}

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** The longest record: a longer one has a quote that was never closed, or the file is not a table. */
export const MAX_RECORD_BYTES = 1024 * 1024

const LINE_FEED = 0x0a
const QUOTE = 0x22

/** Options that make a misplaced quote an error. The number of cells is checked later, against the header. */
const STRICT = {
  relax_column_count: true,
  skip_empty_lines: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  max_record_size: MAX_RECORD_BYTES,
} satisfies Options

/** A delimiter that never occurs in UTF-8, so that a line is one cell. */
const NO_DELIMITER = Buffer.from([0xff])

const optionsOf = (form: Form): Options =>
  form === 'lines'
    ? { ...STRICT, delimiter: NO_DELIMITER, quote: null }
    : { ...STRICT, delimiter: form.charAt(0), trim: form.length > 1 }

/** The first records of a buffer, each with the number of bytes up to its end. */
export function firstRecords(
  bytes: Buffer,
  options: Pick<
    Options,
    'bom' | 'delimiter' | 'relax_quotes' | 'skip_empty_lines' | 'skip_records_with_error' | 'to' | 'trim'
  >,
) {
  const records: { readonly cells: readonly string[]; readonly bytes: number }[] = []
  parse(bytes, {
    ...STRICT,
    ...options,
    on_record: (cells, info) => {
      records.push({ cells, bytes: info.bytes })
      return null
    },
  })
  return records
}

/** Reads records from `start`, where a record must begin. Stops at a record that cannot be read. */
export async function* readRecords(chunks: Chunks, form: Form, start: Place): AsyncGenerator<Block> {
  let found: InputRecord[] = []
  const open = (place: Place) => openParser(form, place, (record) => found.push(record))
  let parser = open(start)
  let at = start
  /** The bytes that were read and are not yet part of a complete record. */
  let rest: Buffer = Buffer.alloc(0)

  /** The records since the last block. `isAll`: no incomplete record follows them. */
  const take = (error: ParserError, isAll: boolean): Block => {
    const [records, from, bytes] = [found, at, rest]
    found = []
    at = records.at(-1)?.next ?? at
    rest = bytes.subarray(at.byte - from.byte)
    const problem = error ? unreadable(error, rest, { line: at.line, form }) : undefined
    if (isAll && problem === undefined) {
      at = { byte: from.byte + bytes.length, line: at.line + lineBreaksIn(rest) }
      rest = Buffer.alloc(0)
    }
    const block = { bytes: bytes.subarray(0, at.byte - from.byte), startByte: from.byte, records, problem }
    if (!isUtf8(block.bytes)) return beforeOtherEncoding(block, from)
    return isEndless(rest) ? { ...block, problem: tooLong(lineAfterBlank(rest, at.line), rest, form) } : block
  }

  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    let error = await written(parser, bytes)
    // The parser holds back its last bytes until more arrive, which may take long on a live stream; ending it flushes them.
    const isAll = !error && endsRecord(rest, form)
    if (isAll) error = await ended(parser)
    const block = take(error, isAll)
    if (block.bytes.length > 0 || block.problem !== undefined) yield block
    if (block.problem !== undefined) return
    if (isAll) parser = open(at)
  }
  yield take(await ended(parser), true)
}

/** Whether the bytes end a record. A carriage return is not enough: a line feed may follow it. */
const endsRecord = (bytes: Buffer, form: Form): boolean =>
  bytes.at(-1) === LINE_FEED && (form === 'lines' || quotesIn(bytes) % 2 === 0)

function quotesIn(bytes: Buffer): number {
  let quotes = 0
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) quotes += 1
  return quotes
}

type ParserError = Error | null | undefined
const written = (parser: Parser, bytes: Buffer) =>
  new Promise<ParserError>((resolve) => parser.write(bytes, resolve))
const ended = (parser: Parser) => new Promise<ParserError>((resolve) => parser.end(resolve))
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

function openParser(form: Form, start: Place, onRecord: (record: InputRecord) => void): Parser {
  const placeOf = createLineCounter(start.line)
  const parser = new Parser({
    ...optionsOf(form),
    on_record: (cells, { bytes, lines }) => {
      const { line, nextLine } = placeOf(cells, lines)
      onRecord({ cells, line, next: { byte: start.byte + bytes, line: nextLine } })
      // Bypasses the stream: on an error, it would drop the records before the unreadable one.
      return null
    },
  })
  // Every write's callback gets the error as well.
  return parser.on('error', () => {})
}

/** Finds the line where a record begins. The parser reports the line where it ends, and counts a CRLF in a cell twice. */
function createLineCounter(startLine: number) {
  let before = 0
  let surplus = 0
  return (cells: readonly string[], lines: number) => {
    const isPlain = lines === before + 1
    before = lines
    const end = startLine - 1 + lines - surplus
    if (isPlain) return { line: end, nextLine: end + 1 }
    const breaks = cells.reduce((sum, cell) => sum + countOf(cell, /[\r\n]/g), 0)
    const pairs = cells.reduce((sum, cell) => sum + countOf(cell, /\r\n/g), 0)
    surplus += pairs
    return { line: end - breaks, nextLine: end - pairs + 1 }
  }
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

export const lineBreaksIn = (bytes: Buffer): number => countOf(bytes.toString('latin1'), /\r\n|\n|\r/g)

const blankStart = (bytes: Buffer): Buffer => {
  const end = bytes.findIndex((byte) => byte !== 0x0a && byte !== 0x0d)
  return end === -1 ? bytes : bytes.subarray(0, end)
}
/** Whether a record is endless: the parser limits only the text, so a record of empty cells could go on forever. */
const isEndless = (bytes: Buffer): boolean =>
  bytes.length > 2 * MAX_RECORD_BYTES && bytes.length - blankStart(bytes).length > 2 * MAX_RECORD_BYTES
/** The line where a record begins after empty lines. */
const lineAfterBlank = (bytes: Buffer, line: number): number => line + lineBreaksIn(blankStart(bytes))

const PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'a quote is never closed'],
  ['INVALID_OPENING_QUOTE', 'there is a quote in the middle of an unquoted cell'],
  ['CSV_INVALID_CLOSING_QUOTE', 'there is text after the closing quote of a cell'],
])

/** Explains the parser's error about the first record of `bytes`, which may begin after empty lines. */
export function unreadable(
  error: unknown,
  bytes: Buffer,
  { line, form }: { readonly line: number; readonly form: Form },
): Error {
  const code = codeOf(error)
  const message = messageOf(error)
  const startLine = lineAfterBlank(bytes, line)
  if (code === 'CSV_MAX_RECORD_SIZE') return tooLong(startLine, bytes, form)
  return unusableFile(
    `Line ${startLine} cannot be read: ${PROBLEMS.get(code) ?? message}`,
    'Put a cell that contains quotes in quotes, and double each quote inside it: "5"" pipe"',
  )
}

export const tooLong = (line: number, bytes: Buffer, form: Form): Error =>
  unusableFile(
    `The record that starts on line ${line} is longer than ${MAX_RECORD_BYTES / 1024 / 1024} MB`,
    form !== 'lines' && bytes.includes(QUOTE)
      ? 'Check the quotes there: an unclosed quote takes in everything after it.'
      : 'Check that this is a text file with one record per line.',
  )

/** Cuts a block before the first record that is not UTF-8. Slow, so it runs only for a block that has one. */
function beforeOtherEncoding({ bytes, startByte, records }: Block, start: Place): Block {
  let [from, good] = [start, 0]
  const bytesTo = (byte: number) => bytes.subarray(from.byte - startByte, byte - startByte)
  for (const { next } of records) {
    if (!isUtf8(bytesTo(next.byte))) break
    from = next
    good += 1
  }
  return {
    bytes: bytes.subarray(0, from.byte - startByte),
    startByte,
    records: records.slice(0, good),
    problem: notUtf8(bytesTo(startByte + bytes.length), from.line),
  }
}

/** The error for bytes that are not UTF-8. `line` is the number of their first line. */
export function notUtf8(bytes: Buffer, line: number): Error {
  const lines = bytes.toString('latin1').split(/\r\n|\n|\r/)
  const at = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1')))
  return unusableFile(
    `Line ${line + Math.max(0, at)} is not UTF-8`,
    `Name the encoding, such as --encoding ${likelyEncoding(bytes)}, or save the file as UTF-8`,
  )
}

/** The likely encoding. Plain text has no zero bytes; in UTF-16, they are the upper half of each character of a header. */
function likelyEncoding(bytes: Buffer): string {
  const zero = bytes.indexOf(0)
  return zero === -1
    ? (latinIn(bytes) ?? 'windows-1251 or shift_jis')
    : zero % 2 === 1
      ? 'utf-16le'
      : 'utf-16be'
}
