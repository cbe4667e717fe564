import { decodeInput, guessEncoding } from './decode.ts'
import type { EncodingName } from './encodings.ts'
import type { Delimiter } from './csv.ts'
import type { Input } from './input.ts'
import { readHeader, sampleRows } from './table.ts'
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
export async function fitTable(raw: Input, hint: string, named: Named): Promise<FittedTable> {
  const encoding = named.encoding ?? guessEncoding(raw.head)
  const { head } = (await decodeInput(raw, encoding)).input
  const header = headerOf(head, hint, named)
  const rows = sampleRows(head, header)
  const doubts =
    encoding === undefined || named.encoding !== undefined
      ? []
      : [`The file is not UTF-8, and is read as ${encoding.toLowerCase()}${exampleOf(head)}.`]
  return { names: header.names, rows, delimiter: header.flag, encoding, skipLines: named.skipLines, doubts }
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
