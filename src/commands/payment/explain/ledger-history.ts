import type { Invocation } from '../../../cli/command/invocation.ts'
import { warnAboutDamage } from '../../../cli/report/ledger-damage.ts'
import { isInterruption } from '../../../errors.ts'
import { paymentOf, published } from '../../../ledger/files/record.ts'
import type { StoredRecord } from '../../../ledger/files/record.ts'
import { isOpen } from '../../../views/ops/state.ts'
import type { ShownOperation } from '../../../views/ops/state.ts'

/** This machine's writes to one payment, latest first. */
export interface LedgerHistory {
  readonly open: readonly ShownOperation[]
  readonly ended: readonly ShownOperation[]
  /** The open write that blocks others to the payment. */
  readonly blocking: ShownOperation | undefined
}

/** Undefined, after a warning, if the ledger can't be read: the payment can still be explained. */
export async function readLedgerHistory(
  invocation: Invocation,
  id: string,
  orderId: string | undefined,
): Promise<LedgerHistory | undefined> {
  try {
    const { baseUrl } = await invocation.account()
    const ledger = await invocation.context.ledger()
    // Read-only: leaves even the leftovers of a crash as they are.
    const listing = await ledger.list({ isReadOnly: true })
    await warnAboutDamage(invocation, listing)
    const records = listing.records.filter(
      (record) => record.baseUrl === baseUrl.value && isAbout(record, id, orderId),
    )
    const open = records.filter(isOpen)
    return {
      open: open.map(published),
      ended: records.filter((record) => !isOpen(record)).map(published),
      blocking: open.filter(({ targetKind }) => targetKind === 'payment').map(published)[0],
    }
  } catch (error) {
    if (isInterruption(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    await invocation.warn(`Warning: This machine's ledger could not be read: ${invocation.cleanText(why)}`)
    return undefined
  }
}

/** The target of a `payment.create` is the order; the payment's ID is known only from the response. */
const isAbout = (record: StoredRecord, id: string, orderId: string | undefined): boolean =>
  paymentOf(record) === id || (record.targetKind === 'order' && isOpen(record) && record.target === orderId)
