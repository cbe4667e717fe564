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
  readonly line: (cells: readonly string[], reason: string) => string
  /** Whether a file that begins like this is one of rejects. */
  readonly isSuch: (head: Buffer) => boolean
  /** The encoder; UTF-8 by default. */
  readonly encode?: Encode
}

/**
 * Writes rejects with the columns of a table, and the reason in the last one. The column `reasonName` of earlier rejects is
 * replaced.
 */
export function tableRejects(names: readonly string[], delimiter: Delimiter, reasonName: string): Rejects {
  const earlier = names.indexOf(reasonName)
  // In a row of another length, any cell may be the reason, so the row keeps all of them.
  const withoutReason = (cells: readonly string[]): readonly string[] =>
    earlier !== -1 && cells.length === names.length ? cells.toSpliced(earlier, 1) : cells
  const line = (cells: readonly string[], reason: string) =>
    csvLine([...withoutReason(cells), reason], delimiter)
  return {
    header: line(names, reasonName),
    line,
    isSuch: (head) =>
      orFalse(() => firstRecords(head, { delimiter, bom: true, to: 1 })[0]?.cells.at(-1) === reasonName),
  }
}

/** Writes rejects as lines of JSON. The reason goes into the object if the line has one. */
export const ndjsonRejects = (reasonName: string): Rejects => ({
  header: '',
  line: ([text = ''], reason) => {
    const value = jsonIn(text)
    return isRecord(value) ? `${stringifyJson({ ...value, [reasonName]: reason })}\n` : `${text}\n`
  },
  isSuch: (head) => {
    const object = head.toString().split('\n').map(jsonIn).find(isRecord)
    return object !== undefined && Object.hasOwn(object, reasonName)
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
