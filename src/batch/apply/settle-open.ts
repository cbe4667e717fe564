import { getPayment } from '../../api/operations/payment.ts'
import { PayError, isInterruption } from '../../errors.ts'
import { differenceOf } from './difference.ts'
import { resultOfWrite } from './known-rows.ts'
import type { RecordedWrite } from './known-rows.ts'
import type { PlanIdentity, ReadyRow } from './ready-row.ts'
import { RowLeft } from './row-ports.ts'
import type { RowPorts } from './row-ports.ts'
import type { RowResult } from './row-result.ts'

/** An open write after the ledger's recovery has tried to find its outcome. */
export interface SettledWrite {
  readonly record: RecordedWrite
  /** How the outcome was found, or why it is still unknown. */
  readonly words: string
}

/** The ledger's recovery: reads the payment, and sends the same request with the same key only if `mayResend` agrees. */
export type SettleWrite = (recordId: string, mayResend: () => Promise<boolean>) => Promise<SettledWrite>

/**
 * Finds the outcome of a row that an earlier run has begun. Resends it only if the payment is as the plan expects: otherwise
 * somebody else may have done it meanwhile. Undefined if it was not done, so that the run begins it again.
 */
export async function settleOpen(
  ports: RowPorts & { readonly settleWrite: SettleWrite },
  plan: PlanIdentity,
  { row, recordId }: { readonly row: ReadyRow; readonly recordId: string },
  ownAmount: number,
): Promise<RowResult | undefined> {
  const mayResend = async (): Promise<boolean> => {
    const { json } = await ports.call({ operation: getPayment, params: { id: row.paymentId } })
    return differenceOf(plan.operation, row, ownAmount, json) === undefined
  }
  try {
    const { record, words } = await ports.settleWrite(recordId, mayResend)
    if (record.state === 'confirmed') return resultOfWrite(row, record)
    if (record.state === 'rejected' || record.state === 'abandoned') return undefined
    return { outcome: 'unknown', message: ports.clean(words) }
  } catch (error) {
    if (isInterruption(error)) throw new RowLeft()
    if (!(error instanceof PayError)) throw error
    return { outcome: 'unknown', message: ports.clean(error.message) }
  }
}
