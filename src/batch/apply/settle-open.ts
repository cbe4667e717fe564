import type { ForbidResend } from '../../calls/client-port.ts'
import { PayError, isInterruption } from '../../errors.ts'
import { differenceOf, differsByRow } from './difference.ts'
import { resultOfWrite } from './known-rows.ts'
import type { OpenRow, RecordedWrite } from './known-rows.ts'
import type { PlanIdentity } from './ready-row.ts'
import { RowLeft } from './row-ports.ts'
import type { RowPorts } from './row-ports.ts'
import type { RowResult } from './row-result.ts'

export interface SettlePorts extends RowPorts {
  readonly settleWrite: SettleWrite
}

/** The ledger's recovery: reads the payment, asks `forbidResend`, and may send the same request with the same key. */
export type SettleWrite = (recordId: string, forbidResend: ForbidResend) => Promise<SettledWrite>

/** An open write after the ledger's recovery has tried to find its outcome. */
export interface SettledWrite {
  readonly record: RecordedWrite
  /** How the outcome was found, or why it is still unknown. */
  readonly words: string
}

/**
 * Finds the outcome of a row that an earlier run has begun. Resends it only if the payment is as the plan expects, or
 * differs by exactly this row: otherwise someone has changed it. Undefined if it was not done, so that the run begins it again.
 */
export async function settleOpen(
  ports: SettlePorts,
  { operation }: PlanIdentity,
  { row, write }: OpenRow,
  ownAmount: number,
): Promise<RowResult | undefined> {
  const forbidResend: ForbidResend = (payment, evidence) => {
    const difference = differenceOf(operation, row, ownAmount, payment)
    if (difference === undefined) return undefined
    // Others may have moved as much as the row would, in other amounts.
    const mayBeRow = evidence !== 'absent' && differsByRow(operation, row, ownAmount, payment)
    return mayBeRow ? undefined : `the payment changed: ${difference}`
  }
  try {
    const { record, words } = await ports.settleWrite(write.id, forbidResend)
    if (record.state === 'confirmed') return resultOfWrite(row, record)
    if (record.state === 'rejected' || record.state === 'abandoned') return undefined
    return { outcome: 'unknown', message: ports.clean(words) }
  } catch (error) {
    if (isInterruption(error)) throw new RowLeft()
    if (!(error instanceof PayError)) throw error
    return { outcome: 'unknown', message: ports.clean(error.message) }
  }
}
