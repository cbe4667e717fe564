import { openRowFile } from '../../bulk/keep/row-files.ts'
import type { RowFile } from '../../bulk/keep/row-files.ts'
import { csvLine } from '../../bulk/read/csv-line.ts'
import { isRecord } from '../../is-record.ts'
import { parseJson, stringifyJson } from '../../json/json.ts'
import type { PlanRow, PlanSource } from '../plan.ts'
import type { RowResult } from './row-result.ts'

export const RESULT_COLUMNS = [
  'row',
  'paymentId',
  'orderId',
  'verdict',
  'outcome',
  'amount',
  'currencyCode',
  'errorId',
  'message',
] as const

/** The column that says why a row is among the rejects. */
const REJECT_REASON = 'rejected because'

export interface FilePaths {
  readonly results: string | undefined
  readonly rejects: string | undefined
}

/**
 * Writes the outcome of each row, and the rows that were skipped or have failed as they came, so that they can be corrected
 * and planned again. Leaves out rows without an outcome.
 * @throws {UsageError} `unwritable_file`
 */
export function writeFiles(
  { results: resultsPath, rejects: rejectsPath }: FilePaths,
  source: PlanSource,
  rows: Iterable<PlanRow>,
  results: ReadonlyMap<number, RowResult>,
): void {
  const rejects = rejectsOf(source)
  const files: RowFile[] = []
  const open = (path: string | undefined, header: string): RowFile | undefined => {
    if (path === undefined) return undefined
    const file = openRowFile(path, header, undefined)
    files.push(file)
    return file
  }
  try {
    const resultsFile = open(resultsPath, csvLine(RESULT_COLUMNS))
    const rejectsFile = open(rejectsPath, rejects.header)
    for (const row of rows) {
      const result = row.verdict === 'ready' ? results.get(row.row) : undefined
      if (row.verdict === 'ready' && result === undefined) continue
      resultsFile?.add(resultLine(row, result))
      if (result?.outcome === 'skipped' || result?.outcome === 'failed')
        rejectsFile?.add(rejects.line(row.cells, result.message ?? result.outcome))
    }
    for (const file of files) file.sync()
  } finally {
    for (const file of files) file.close()
  }
}

function resultLine(row: PlanRow, result: RowResult | undefined): string {
  const { paymentId = '', orderId = '', verdict, amount = '', currencyCode = '' } = row
  const { outcome = 'not_ready', errorId = '', message } = result ?? { message: row.message }
  return csvLine([
    row.row,
    paymentId,
    orderId,
    verdict,
    outcome,
    amount,
    currencyCode,
    errorId,
    message ?? '',
  ])
}

function rejectsOf(source: PlanSource): {
  readonly header: string
  readonly line: (cells: readonly string[], reason: string) => string
} {
  if (source.format === 'ndjson')
    return {
      header: '',
      line: ([text = ''], reason) => {
        const value = jsonIn(text)
        return isRecord(value) ? `${stringifyJson({ ...value, [REJECT_REASON]: reason })}\n` : `${text}\n`
      },
    }
  const { columns, delimiter } = source
  // The rejects of an earlier run have the column already.
  const known = columns.indexOf(REJECT_REASON)
  const without = (cells: readonly string[]): readonly string[] =>
    known === -1 ? cells : cells.toSpliced(known, 1)
  const line = (cells: readonly string[], reason: string) => csvLine([...without(cells), reason], delimiter)
  return { header: line(columns, REJECT_REASON), line }
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
