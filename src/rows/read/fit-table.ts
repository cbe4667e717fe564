import { decodeInput, guessEncoding } from './decode.ts'
import type { EncodingName } from './encodings.ts'
import type { Input } from './input.ts'
import type { Block, Chunks, Delimiter, Place } from './csv.ts'
import { readRecords } from './csv.ts'
import { linesAboveHeader, readHeader, sampleRows, withoutSurplus } from './table.ts'
import type { Header } from './table.ts'

/** The way to read the first bytes of a table. */
export interface FittedTable {
  readonly names: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** The delimiter; undefined where it is recognized without being named. */
  readonly delimiter: Delimiter | undefined
  readonly encoding: EncodingName | undefined
  readonly skipLines: number
  /** What may be wrong, for the user. */
  readonly doubts: readonly string[]
}

interface Named {
  readonly delimiter: Delimiter | undefined
  readonly encoding: EncodingName | undefined
  readonly skipLines: number
}

const DELIMITERS = [',', ';', '\t', '|']

/**
 * Finds out how a table is read, as far as the user has not named it.
 * @throws {UsageError} if there is no header
 */
export async function fitTable(
  raw: Input,
  hint: string,
  named: Named,
  isKnown: (name: string) => boolean,
): Promise<FittedTable> {
  const encoding = named.encoding ?? guessEncoding(raw.head)
  const { input } = await decodeInput(raw, encoding)
  const { head } = input
  const skipLines = named.skipLines === 0 ? linesAbove(head, named, isKnown) : named.skipLines
  const header = headerOf(head, hint, { ...named, skipLines })
  const rows: (readonly string[])[] = []
  const records = (chunks: Chunks, from: Place) => readRecords(chunks, header.delimiter, from)
  for await (const cells of firstRows(input, records, header.start, header.names.length))
    if (cells.length === header.names.length && cells.some((cell) => cell.trim() !== '')) rows.push(cells)
  const doubts = [
    ...(encoding === undefined || named.encoding !== undefined
      ? []
      : [`The file is not UTF-8, and is read as ${encoding.toLowerCase()}${exampleOf(head)}.`]),
    ...(skipLines === named.skipLines ? [] : [`Line ${skipLines + 1} looks like the header.`]),
  ]
  return { names: header.names, rows, delimiter: header.flag, encoding, skipLines, doubts }
}

/** How many rows are judged before the others are read. */
export const SAMPLE_ROWS = 10_000
const LINE_FEED = 0x0a

/** The cells of the first rows, as far as they can be read without waiting. Empty cells beyond the header are left out. */
export async function* firstRows(
  input: Input,
  records: (chunks: Chunks, from: Place) => AsyncIterable<Block>,
  start: Place,
  columns: number,
): AsyncGenerator<readonly string[]> {
  const isWhole = input.head.length === input.textSize
  let row = 0
  for await (const block of records(input.ahead(start.byte), start)) {
    // The head may end within a record.
    const whole = isWhole || block.bytes.at(-1) === LINE_FEED ? block.records : block.records.slice(0, -1)
    for (const { cells } of whole) {
      yield withoutSurplus(cells, columns)
      row += 1
      if (row >= SAMPLE_ROWS) return
    }
  }
}

/** The number of lines before the header: 0, unless a later line looks more like it. */
function linesAbove(head: Buffer, { delimiter }: Named, isKnown: (name: string) => boolean): number {
  const count = (names: readonly string[]): number => names.filter(isKnown).length
  const names = attempt(() => readHeader(head, '', { delimiter }))?.names ?? []
  return count(names) > 1 ? 0 : (linesAboveHeader(head, names, { delimiter }, count) ?? 0)
}

function exampleOf(head: Buffer): string {
  const words = head.toString().match(/[\p{L}\p{N}]+/gu) ?? []
  const word = words.find((each) => /[^\p{ASCII}]/u.test(each))
  return word === undefined ? '' : `: check that "${word}" is right`
}

/** The header. `flag`: the delimiter, unless it is recognized without being named. */
function headerOf(
  head: Buffer,
  hint: string,
  { delimiter: named, skipLines }: Named,
): Header & { readonly flag: Delimiter | undefined } {
  if (named !== undefined) return { ...readHeader(head, hint, { delimiter: named, skipLines }), flag: named }
  const recognized = attempt(() => readHeader(head, hint, { skipLines }))
  const scored = DELIMITERS.flatMap((delimiter) => {
    const header = attempt(() => readHeader(head, hint, { delimiter, skipLines }))
    return header === undefined ? [] : [{ header, score: scoreOf(head, header) }]
  }).toSorted((one, other) => other.score - one.score)
  const best = scored[0]
  if (best === undefined || best.score === 0)
    return { ...readHeader(head, hint, { skipLines }), flag: undefined }
  const isRecognized = recognized?.delimiter === best.header.delimiter
  return { ...best.header, flag: isRecognized ? undefined : best.header.delimiter }
}

/** The number of cells in rows that are as long as the header. */
function scoreOf(head: Buffer, header: Header): number {
  const { length } = header.names
  if (length === 1) return 0
  const rows = attempt(() => sampleRows(head, header)) ?? []
  return length * (1 + rows.filter((row) => row.length === length).length)
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
