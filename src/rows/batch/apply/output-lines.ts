import type { OutputForms, OutputLines } from '../../keep/row-files.ts'
import { safeCell } from '../../keep/safe-cell.ts'
import { csvLine } from '../../read/csv-line.ts'
import type { Rejects } from '../../read/rejects.ts'
import { PAYMENT_MOVED } from '../plan.ts'
import type { PlanRow } from '../plan.ts'
import type { InputRows } from './input-rows.ts'
import type { RowResult } from './row-result.ts'

const RESULT_COLUMNS = [
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

/** How a batch writes its files. */
export const formsOf = (rejects: Rejects): OutputForms => ({
  resultsHeader: csvLine(RESULT_COLUMNS),
  rejects,
})

/**
 * The outcome of each row, and the rows that aren't done, to correct and plan again. The results leave out rows without an
 * outcome. `clean` makes text safe.
 */
export async function* linesOf(
  { rejects, cellsOf }: Pick<InputRows, 'rejects' | 'cellsOf'>,
  rows: Iterable<PlanRow>,
  resultOf: (row: number) => RowResult | undefined,
  clean: (text: string) => string,
): AsyncGenerator<OutputLines> {
  for (const row of rows) {
    const isReady = row.verdict === 'ready'
    const result = isReady ? resultOf(row.row) : undefined
    yield {
      result: !isReady || result !== undefined ? resultLine(row, result, clean) : undefined,
      reject:
        result?.outcome === 'done'
          ? undefined
          : rejects.line(await cellsOf(row), reasonOf(row, result, clean)),
    }
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
