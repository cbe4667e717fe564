import { inOrder } from '../../send/row-loop.ts'
import type { BatchOperation, PlanRow } from '../plan.ts'
import type { PaymentReader } from '../../payments/payment-reader.ts'
import { compareRows } from './compare.ts'
import type { PlannedPayment, VerifiedRow } from './compare.ts'

export interface VerifyOptions {
  readonly operation: BatchOperation
  /** When the payments were read for the plan, by this machine's clock. */
  readonly plannedAt: Date
  /** Returns all rows of the plan, each time it is called. */
  readonly rows: () => Iterable<PlanRow>
  readonly reader: PaymentReader
  /** Called with each ready row, in file order. */
  readonly onRow: (row: VerifiedRow) => void
  /** Called now and then, to show progress. */
  readonly onProgress: () => void
}

/** The most payments that are read concurrently. */
const WINDOW = 128

/** Reads the payments of all ready rows again, and compares them. */
export async function verifyRows(options: VerifyOptions): Promise<void> {
  const { operation, plannedAt, rows, reader, onRow, onProgress } = options
  const repeated = repeatedPayments(rows)
  /** The rows of a payment are compared together with its first row, and wait here for their place in the file. */
  const compared = new Map<number, VerifiedRow>()
  const compare = async (planned: PlannedPayment): Promise<readonly VerifiedRow[]> => {
    const payment = repeated.get(planned.paymentId) ?? planned
    const isFirst = payment.rows[0]?.row === planned.rows[0]?.row
    return isFirst ? compareRows(operation, payment, await reader.byId(payment.paymentId), plannedAt) : []
  }
  for await (const [{ rows: planned }, found] of inOrder([readyPayments(rows())], compare, WINDOW)) {
    for (const row of found) compared.set(row.row, row)
    for (const { row } of planned) {
      const result = compared.get(row)
      if (result !== undefined) onRow(result)
      compared.delete(row)
    }
    onProgress()
  }
}

/** The payments of ready rows, each with the one row. */
function* readyPayments(rows: Iterable<PlanRow>): Generator<PlannedPayment> {
  for (const { verdict, row, line, paymentId, orderId, amount, currencyCode, figures } of rows)
    if (verdict === 'ready' && paymentId !== undefined && figures !== undefined)
      yield { paymentId, orderId, currencyCode, figures, rows: [{ row, line, amount }] }
}

/** The payments with several ready rows, and all of these. Only theirs are kept, because a plan may have 100,000 rows. */
function repeatedPayments(rows: VerifyOptions['rows']): ReadonlyMap<string, PlannedPayment> {
  const [seen, again] = [new Set<string>(), new Set<string>()]
  for (const { paymentId } of readyPayments(rows())) (seen.has(paymentId) ? again : seen).add(paymentId)
  const repeated = new Map<string, PlannedPayment>()
  if (again.size === 0) return repeated
  for (const payment of readyPayments(rows())) {
    const { paymentId } = payment
    if (!again.has(paymentId)) continue
    const known = repeated.get(paymentId)
    if (known === undefined) repeated.set(paymentId, payment)
    else known.rows.push(...payment.rows)
  }
  return repeated
}
