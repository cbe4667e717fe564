import { KEY_LIFETIME_MS } from '../../ledger/port.ts'
import { getPayment } from '../../api/operations/payment.ts'
import { PayError, isInterruption } from '../../errors.ts'
import { differenceOf } from './difference.ts'
import type { Difference } from './difference.ts'
import { resultOfWrite } from './known-rows.ts'
import type { OpenRow, RecordedWrite } from './known-rows.ts'
import { isKeyProcessed } from './probe.ts'
import type { PlanIdentity, ReadyRow } from './ready-row.ts'
import { RowLeft } from './row-ports.ts'
import type { RowPorts } from './row-ports.ts'
import type { RowResult } from './row-result.ts'

export interface SettlePorts extends RowPorts {
  readonly settleWrite: SettleWrite
  readonly now: () => Date
}

/** An open write after the ledger's recovery has tried to find its outcome. */
export interface SettledWrite {
  readonly record: RecordedWrite
  /** How the outcome was found, or why it is still unknown. */
  readonly words: string
}

/** The ledger's recovery: reads the payment, and sends the same request with the same key only if `confirmSend` agrees. */
export type SettleWrite = (
  recordId: string,
  confirmSend: () => Promise<boolean | 'processed'>,
) => Promise<SettledWrite>

/**
 * Finds the outcome of a row that an earlier run has begun. Resends it only if the payment is as the plan expects: otherwise
 * somebody else may have done it meanwhile. Undefined if it was not done, so that the run begins it again.
 */
export async function settleOpen(
  ports: SettlePorts,
  plan: PlanIdentity,
  { row, write }: OpenRow,
  ownAmount: number,
): Promise<RowResult | undefined> {
  try {
    const { json } = await ports.call({ operation: getPayment, params: { id: row.paymentId } })
    const difference = differenceOf(plan.operation, row, ownAmount, json)
    const isProcessed =
      difference === undefined ? false : await wasProcessed(ports, plan, row, write, difference)
    if (difference !== undefined && isProcessed === false)
      return {
        outcome: 'unknown',
        message: ports.clean(`Not sent again, because the payment changed: ${difference.words}`),
      }
    const { record, words } = await ports.settleWrite(write.id, async () => {
      if (isProcessed === true) return 'processed'
      const { json: now } = await ports.call({ operation: getPayment, params: { id: row.paymentId } })
      return differenceOf(plan.operation, row, ownAmount, now) === undefined
    })
    if (record.state === 'confirmed') return resultOfWrite(row, record)
    if (record.state === 'rejected' || record.state === 'abandoned') return undefined
    return { outcome: 'unknown', message: ports.clean(words) }
  } catch (error) {
    if (isInterruption(error)) throw new RowLeft()
    if (!(error instanceof PayError)) throw error
    return { outcome: 'unknown', message: ports.clean(error.message) }
  }
}

/** Undefined if the service may have forgotten the key: then only the payment can show it. */
async function wasProcessed(
  ports: SettlePorts,
  plan: PlanIdentity,
  row: ReadyRow,
  { createdAt }: RecordedWrite,
  { seen, mayBeThisRow }: Difference,
): Promise<boolean | undefined> {
  if (!mayBeThisRow || seen === undefined) return false
  if (ports.now().getTime() - Date.parse(createdAt) > KEY_LIFETIME_MS) return undefined
  return isKeyProcessed(ports, plan, row, seen)
}
