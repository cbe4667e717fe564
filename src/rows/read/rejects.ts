import { isRecord } from '../../json/is-record.ts'
import { parseJson, stringifyJson } from '../../json/json.ts'
import { csvLine } from './csv-line.ts'
import { firstRecords } from './csv.ts'
import type { Delimiter } from './csv.ts'
import { decodedHead, decoderOf, encoderOf } from './decode.ts'
import type { Encode } from './decode.ts'
import type { EncodingName } from './encodings.ts'

/** The way to write rejects: as they were read, with the reason, so that you can correct and read them again. */
export interface Rejects {
  readonly header: string
  /** A line of rejects; `reasons` in the order of their columns. */
  readonly line: (cells: readonly string[], ...reasons: readonly string[]) => string
  /** Whether a file that begins like this is one of rejects. */
  readonly isSuch: (head: Buffer) => boolean
  /** The encoder; UTF-8 by default. */
  readonly encode?: Encode
}

/**
 * Writes rejects with the columns of a table, and the reasons in the last ones. The columns of earlier reasons are replaced.
 */
export function tableRejects(
  names: readonly string[],
  delimiter: Delimiter,
  ...reasonNames: readonly string[]
): Rejects {
  const earlier = reasonNames.map((name) => names.indexOf(name))
  const kept = [...names.keys()].filter((at) => !earlier.includes(at))
  // In a row of another length, any cell may be a reason, so the row keeps all of them.
  const withoutReasons = (cells: readonly string[]): readonly string[] =>
    cells.length === names.length ? kept.map((at) => cells[at] ?? '') : cells
  const line = (cells: readonly string[], ...reasons: readonly string[]) =>
    csvLine([...withoutReasons(cells), ...reasons], delimiter)
  return {
    header: line(names, ...reasonNames),
    line,
    isSuch: (head) =>
      orFalse(() => {
        const cells = firstRecords(head, { delimiter, bom: true, to: 1 })[0]?.cells ?? []
        return reasonNames.every((name, at) => cells[cells.length - reasonNames.length + at] === name)
      }),
  }
}

/** Writes rejects as lines of JSON. The reasons go into the object if the line has one. */
export const ndjsonRejects = (...reasonNames: readonly string[]): Rejects => ({
  header: '',
  line: ([text = ''], ...reasons) => {
    const value = jsonIn(text)
    return isRecord(value)
      ? `${stringifyJson({ ...value, ...Object.fromEntries(reasonNames.map((name, at) => [name, reasons[at]])) })}\n`
      : `${text}\n`
  },
  isSuch: (head) => {
    const object = head.toString().split('\n').map(jsonIn).find(isRecord)
    return object !== undefined && reasonNames.every((name) => Object.hasOwn(object, name))
  },
})

/** The same rejects in another encoding, and with a byte order mark if the input has one. */
export async function encodedRejects(
  rejects: Rejects,
  { encoding, hasMark }: { readonly encoding: EncodingName; readonly hasMark: boolean },
): Promise<Rejects> {
  const open = await decoderOf(encoding)
  return {
    header: `${hasMark ? '\uFEFF' : ''}${rejects.header}`,
    line: rejects.line,
    isSuch: (head) => rejects.isSuch(decodedHead(head, open())),
    encode: await encoderOf(encoding),
  }
}

function orFalse(work: () => boolean): boolean {
  try {
    return work()
  } catch {
    return false
  }
}

function jsonIn(line: string): unknown {
  try {
    return parseJson(line)
  } catch {
    return undefined
  }
}
