import type { OutputFile } from '../../keep/output-files.ts'
import { openRowFile } from '../../keep/row-files.ts'
import type { RowFile } from '../../keep/row-files.ts'
import { safeCell } from '../../keep/safe-cell.ts'
import { csvLine } from '../../read/csv-line.ts'
import type { Rejects } from '../../read/rejects.ts'
import { PAYMENT_MOVED } from '../plan.ts'
import type { PlanRow } from '../plan.ts'
import type { InputRows } from './input-rows.ts'
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

const RESULTS_HEADER = csvLine(RESULT_COLUMNS)

export interface FilePaths {
  readonly results: string | undefined
  readonly rejects: string | undefined
}

/** The files, for a check before anything is sent. */
export const outputFilesOf = (
  { results, rejects: path }: FilePaths,
  { header, isSuch }: Rejects,
): readonly OutputFile[] => [
  ...(results === undefined ? [] : [{ flag: '--results', path: results, header: RESULTS_HEADER } as const]),
  ...(path === undefined ? [] : [{ flag: '--rejects', path, header, isSuch } as const]),
]

/**
 * Writes the outcome of each row, and the rows that aren't done, to correct and plan again. The results leave out rows without
 * an outcome. `clean` makes text safe.
 * @throws {UsageError} `unwritable_file`
 */
export async function writeFiles(
  { results: resultsPath, rejects: rejectsPath }: FilePaths,
  { rejects, cellsOf }: Pick<InputRows, 'rejects' | 'cellsOf'>,
  rows: Iterable<PlanRow>,
  resultOf: (row: number) => RowResult | undefined,
  clean: (text: string) => string,
): Promise<void> {
  const files: RowFile[] = []
  const open = (path: string | undefined, header: string, encode?: Rejects['encode']) => {
    if (path === undefined) return undefined
    const file = openRowFile(path, header, encode)
    files.push(file)
    return file
  }
  try {
    const resultsFile = open(resultsPath, RESULTS_HEADER)
    const rejectsFile = open(rejectsPath, rejects.header, rejects.encode)
    for (const row of rows) {
      const isReady = row.verdict === 'ready'
      const result = isReady ? resultOf(row.row) : undefined
      if (!isReady || result !== undefined) resultsFile?.add(resultLine(row, result, clean))
      if (rejectsFile !== undefined && result?.outcome !== 'done')
        rejectsFile.add(rejects.line(await cellsOf(row), reasonOf(row, result, clean)))
    }
    for (const file of files) file.sync()
  } finally {
    for (const file of files) file.close()
  }
}

/** Why a row isn't done: its verdict or outcome, and the words for it. */
export function reasonOf(
  { verdict, message }: PlanRow,
  result: RowResult | undefined,
  clean: (text: string) => string,
): string {
  if (result?.isMoved === true) return PAYMENT_MOVED
  const [code, words] =
    verdict === 'ready' ? [result?.outcome ?? 'not_begun', result?.message] : [verdict, message]
  return safeCell(words === undefined ? code : `${code}: ${words}`, clean)
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
