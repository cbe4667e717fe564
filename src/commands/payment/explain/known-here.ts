import type { Invocation } from '../../../cli/command/invocation.ts'
import { warnAboutDamage } from '../../../cli/report/ledger-damage.ts'
import { isInterruption } from '../../../errors.ts'
import { published } from '../../../ledger/files/record.ts'
import type { StoredRecord } from '../../../ledger/files/record.ts'
import { isOpen } from '../../../views/ops/state.ts'
import type { ShownOperation } from '../../../views/ops/state.ts'

/** What the ledger of this machine knows of a payment, latest first. */
export interface KnownHere {
  readonly open: readonly ShownOperation[]
  readonly ended: readonly ShownOperation[]
  /** The one that keeps other writes away from the payment. */
  readonly blocking: ShownOperation | undefined
}

/** Undefined where it cannot be read, which is told of: the payment is explained all the same. */
export async function knownHere(
  invocation: Invocation,
  id: string,
  orderId: string | undefined,
): Promise<KnownHere | undefined> {
  try {
    const { baseUrl } = await invocation.account()
    const ledger = await invocation.context.ledger()
    // Looking changes nothing: not even what a crash has left.
    const listing = await ledger.list({ isLook: true })
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
    await invocation.warn(
      `Warning: the ledger of this machine could not be read: ${invocation.cleanWords(why)}`,
    )
    return undefined
  }
}

/** A creation has the order for its target, and the payment for what it made once that is known. */
const isAbout = (record: StoredRecord, id: string, orderId: string | undefined): boolean =>
  record.operation === 'payment.create'
    ? record.resource === id || (isOpen(record) && record.target === orderId)
    : record.targetKind === 'payment' && record.target === id
