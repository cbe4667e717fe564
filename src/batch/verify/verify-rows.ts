import type { BatchOperation, PlanRow } from '../plan.ts'
import type { PaymentReader, Reading } from '../read/payment-reader.ts'
import { compareRows } from './compare.ts'
import type { PlannedPayment, PlannedRow, VerifiedRow } from './compare.ts'

export interface VerifyOptions {
  readonly operation: BatchOperation
  /** All rows of the plan. */
  readonly rows: Iterable<PlanRow>
  readonly reader: PaymentReader
  readonly onProgress: (rows: number, deviating: number) => void
}

/** The most payments that are read concurrently. */
const WINDOW = 128

/** Reads the payments of all ready rows again, and compares them. Returns the rows in file order. */
export async function verifyRows({
  operation,
  rows,
  reader,
  onProgress,
}: VerifyOptions): Promise<readonly VerifiedRow[]> {
  const payments = [...groupByPayment(rows).values()].toReversed()
  const verified: VerifiedRow[] = []
  let deviating = 0
  while (payments.length > 0) {
    // Not kept: the compared rows take their place.
    const part = payments.splice(-WINDOW)
    const readings: readonly Reading[] = await Promise.all(
      part.map(({ paymentId }) => reader.byId(paymentId)),
    )
    for (const [at, payment] of part.entries()) {
      const reading = readings[at]
      if (reading === undefined) continue
      for (const row of compareRows(operation, payment, reading)) {
        verified.push(row)
        if (row.state !== 'asPlanned') deviating += 1
      }
    }
    onProgress(verified.length, deviating)
  }
  return verified.toSorted((one, other) => one.row - other.row)
}

interface GrowingPayment extends PlannedPayment {
  readonly rows: PlannedRow[]
}

function groupByPayment(rows: Iterable<PlanRow>): ReadonlyMap<string, PlannedPayment> {
  const payments = new Map<string, GrowingPayment>()
  for (const { verdict, row, paymentId, amount, currencyCode, figures } of rows) {
    if (verdict !== 'ready' || paymentId === undefined || figures === undefined) continue
    const known = payments.get(paymentId)
    if (known !== undefined) known.rows.push({ row, amount })
    else payments.set(paymentId, { paymentId, currencyCode, figures, rows: [{ row, amount }] })
  }
  return payments
}
