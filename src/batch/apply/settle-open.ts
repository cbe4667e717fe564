import { KEY_LIFETIME_MS } from '../../ledger/port.ts'
import type { JudgeWrite } from '../../calls/client-port.ts'
import { PayError, isInterruption } from '../../errors.ts'
import { differenceOf, mayBeDone } from './difference.ts'
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

/** The ledger's recovery: reads the payment, asks `judge`, and sends the same request with the same key only if absent. */
export type SettleWrite = (recordId: string, judge: JudgeWrite) => Promise<SettledWrite>

/** An open write after the ledger's recovery has tried to find its outcome. */
export interface SettledWrite {
  readonly record: RecordedWrite
  /** How the outcome was found, or why it is still unknown. */
  readonly words: string
}

/**
 * Finds the outcome of a row that an earlier run has begun. Resends it only if the payment is as the plan expects: otherwise
 * someone else may have done it in the meantime, and the difference is returned. Undefined if it was not done, so that the run
 * begins it again.
 */
export async function settleOpen(
  ports: SettlePorts,
  plan: PlanIdentity,
  { row, write }: OpenRow,
  ownAmount: number,
): Promise<RowResult | Difference | undefined> {
  let disputed: Difference | undefined
  const judge: JudgeWrite = async (payment) => {
    const difference = differenceOf(plan.operation, row, ownAmount, payment)
    // Nothing has happened to the payment, so this row has not either.
    if (difference === undefined) return 'absent'
    const isProcessed = await wasProcessed(ports, plan, row, write, difference)
    if (isProcessed === undefined) return undefined
    if (isProcessed) return 'processed'
    disputed = difference
    return 'disputed'
  }
  try {
    const { record, words } = await ports.settleWrite(write.id, judge)
    if (record.state === 'confirmed') return resultOfWrite(row, record)
    if (record.state === 'rejected' || record.state === 'abandoned') return undefined
    return disputed ?? { outcome: 'unknown', message: ports.clean(words) }
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
  { seen, growth }: Difference,
): Promise<boolean | undefined> {
  if (seen === undefined || !mayBeDone(plan, row, growth, seen)) return false
  if (ports.now().getTime() - Date.parse(createdAt) > KEY_LIFETIME_MS) return undefined
  return isKeyProcessed(ports, plan, row, seen)
}
