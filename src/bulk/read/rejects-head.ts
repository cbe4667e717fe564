import { isRecord } from '../../is-record.ts'
import { parseJson } from '../../json/json.ts'
import { firstRecords } from './csv.ts'

/**
 * Whether a file begins like rejects: with a header whose last column is the reason, or, as NDJSON, with an object that has
 * it. `delimiter`: undefined for NDJSON, where lines that aren't objects are passed over.
 */
export function isRejectsHead(head: Buffer, reasonName: string, delimiter: string | undefined): boolean {
  try {
    if (delimiter !== undefined)
      return firstRecords(head, { delimiter, bom: true, to: 1 })[0]?.cells.at(-1) === reasonName
    const object = head.toString().split('\n').map(jsonIn).find(isRecord)
    return object !== undefined && Object.hasOwn(object, reasonName)
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
