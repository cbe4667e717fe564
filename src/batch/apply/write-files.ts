import type { OutputFile } from '../../bulk/keep/output-files.ts'
import { openRowFile } from '../../bulk/keep/row-files.ts'
import type { RowFile } from '../../bulk/keep/row-files.ts'
import { safeCell } from '../../bulk/keep/safe-cell.ts'
import { csvLine } from '../../bulk/read/csv-line.ts'
import type { Rejects } from '../../bulk/read/input-format.ts'
import { isRejectsHead } from '../../bulk/read/rejects-head.ts'
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

const RESULTS_HEADER = csvLine(RESULT_COLUMNS)

export interface FilePaths {
  readonly results: string | undefined
  readonly rejects: string | undefined
}

/** The files, for a check before anything is sent. */
export const outputFilesOf = ({ results, rejects }: FilePaths, source: PlanSource): readonly OutputFile[] => [
  ...(results === undefined ? [] : [{ flag: '--results', path: results, header: RESULTS_HEADER } as const]),
  ...(rejects === undefined ? [] : [{ flag: '--rejects', path: rejects, ...rejectsOf(source) } as const]),
]

/**
 * Writes the outcome of each row, and the rows that were skipped or have failed as they came, so that they can be corrected
 * and planned again. Leaves out rows without an outcome. `clean` makes text safe.
 * @throws {UsageError} `unwritable_file`
 */
export function writeFiles(
  { results: resultsPath, rejects: rejectsPath }: FilePaths,
  source: PlanSource,
  rows: Iterable<PlanRow>,
  results: ReadonlyMap<number, RowResult>,
  clean: (text: string) => string,
): void {
  const rejects = rejectsOf(source)
  const files: RowFile[] = []
  const open = (path: string | undefined, header: string): RowFile | undefined => {
    if (path === undefined) return undefined
    const file = openRowFile(path, header)
    files.push(file)
    return file
  }
  try {
    const resultsFile = open(resultsPath, RESULTS_HEADER)
    const rejectsFile = open(rejectsPath, rejects.header)
    for (const row of rows) {
      const result = row.verdict === 'ready' ? results.get(row.row) : undefined
      if (row.verdict === 'ready' && result === undefined) continue
      resultsFile?.add(resultLine(row, result, clean))
      if (result?.outcome === 'skipped' || result?.outcome === 'failed')
        rejectsFile?.add(rejects.line(row.cells, safeCell(result.message ?? result.outcome, clean)))
    }
    for (const file of files) file.sync()
  } finally {
    for (const file of files) file.close()
  }
}

function resultLine(row: PlanRow, result: RowResult | undefined, clean: (text: string) => string): string {
  const { paymentId = '', orderId = '', verdict, amount = '', currencyCode = '' } = row
  const { outcome = 'not_ready', errorId = '', message } = result ?? { message: row.message }
  const safe = (text: string) => safeCell(text, clean)
  return csvLine([
    row.row,
    safe(paymentId),
    safe(orderId),
    verdict,
    outcome,
    amount,
    safe(currencyCode),
    safe(errorId),
    safe(message ?? ''),
  ])
}

function rejectsOf(source: PlanSource): Rejects {
  if (source.format === 'ndjson')
    return {
      header: '',
      line: ([text = ''], reason) => {
        const value = jsonIn(text)
        return isRecord(value) ? `${stringifyJson({ ...value, [REJECT_REASON]: reason })}\n` : `${text}\n`
      },
      isSuch: (head) => isRejectsHead(head, REJECT_REASON, undefined),
    }
  const { columns, delimiter } = source
  // The rejects of an earlier run have the column already.
  const known = columns.indexOf(REJECT_REASON)
  const without = (cells: readonly string[]): readonly string[] =>
    known === -1 ? cells : cells.toSpliced(known, 1)
  const line = (cells: readonly string[], reason: string) => csvLine([...without(cells), reason], delimiter)
  const isSuch = (head: Buffer) => isRejectsHead(head, REJECT_REASON, delimiter)
  return { header: line(columns, REJECT_REASON), line, isSuch }
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
