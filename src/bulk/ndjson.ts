import { isUtf8 } from 'node:buffer'
import { recordsOf } from './blocks.ts'
import type { Block } from './blocks.ts'
import { JsonError } from '../json/json-error.ts'
import { parseJson } from '../json/json.ts'
import { notUtf8 } from './not-utf8.ts'

export interface JsonRow {
  readonly text: string
  /** undefined where the line is no JSON. */
  readonly value: unknown
  readonly problem: string | undefined
}

/** A JSON value on each line; empty lines count for nothing. A line that is no JSON is a bad row, not a bad file. */
export function ndjsonRows(block: Block): {
  readonly rows: readonly JsonRow[]
  readonly problem: Error | undefined
} {
  if (isUtf8(block.bytes)) return { rows: rowsIn(block.bytes), problem: undefined }
  const rows: JsonRow[] = []
  for (const record of recordsOf(block, false)) {
    if (!isUtf8(record.bytes)) return { rows, problem: notUtf8(record) }
    rows.push(...rowsIn(record.bytes))
  }
  return { rows, problem: undefined }
}

const rowsIn = (bytes: Buffer): readonly JsonRow[] =>
  bytes
    .toString()
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '')
    .map(jsonRow)

function jsonRow(text: string): JsonRow {
  try {
    return { text, value: parseJson(text), problem: undefined }
  } catch (error) {
    // A record is one line: its own place is said beside it, and what is wrong alike is one kind.
    return { text, value: undefined, problem: error instanceof JsonError ? error.reason : String(error) }
  }
}
