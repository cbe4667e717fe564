import { isUtf8 } from 'node:buffer'
import { recordsOf } from './blocks.ts'
import type { Block } from './blocks.ts'
import { parseJson } from '../json/json.ts'
import { unusableFile } from './unusable-file.ts'

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
  const rows: JsonRow[] = []
  if (isUtf8(block.bytes)) {
    for (const line of block.bytes.toString().split('\n')) {
      const text = line.replace(/^\uFEFF/, '').trim()
      if (text !== '') rows.push(jsonRow(text))
    }
    return { rows, problem: undefined }
  }
  for (const record of recordsOf(block, false)) {
    if (!isUtf8(record.bytes)) return { rows, problem: unusableFile(`Line ${record.startLine} is not UTF-8`) }
    const text = record.bytes.toString().trim()
    if (text !== '') rows.push(jsonRow(text))
  }
  return { rows, problem: undefined }
}

function jsonRow(text: string): JsonRow {
  try {
    return { text, value: parseJson(text), problem: undefined }
  } catch (error) {
    return { text, value: undefined, problem: error instanceof Error ? error.message : String(error) }
  }
}
