import type { StoredRecord } from '../../src/client/ledger/record.ts'
import type { Command } from './command.ts'
import type { Monitor } from './monitor.ts'
import type { Service } from './service.ts'

/** pay does not send an older key again: the service may have forgotten it. */
const KEY_LIFETIME_MS = 23 * 60 * 60 * 1000

/** Whether neither the service nor the ledger has anything that could end the doubt. */
export function mayStayInDoubt(
  monitor: Monitor,
  service: Service,
  command: Command,
  record: StoredRecord,
): boolean {
  const { replay, id } = command.plan.operation
  const others = monitor.commands.filter((other) => other !== command)
  if (replay === 'never') return true
  // The repeat was refused, and nothing shows whether the first attempt was performed while it still could be.
  if (replay === 'safe')
    return monitor.commands.some(
      ({ sentUnderId, sent, reported }) =>
        sentUnderId === recordIdOf(command) && sent.length > 0 && reported?.exitCode === 10,
    )
  // Past the lifetime of its key, a write is only read, and an amount may be anybody's.
  const isAmount = id === 'payment.refund' || id === 'payment.capture'
  // A ticket's key may be older than the write: an abandoned one had it before.
  const [keySince = record.createdAt] = monitor
    .ends()
    .filter(({ state, idempotencyKey }) => state === 'abandoned' && idempotencyKey === record.idempotencyKey)
    .map(({ createdAt }) => createdAt)
    .toSorted()
  const resolvedAfterMs = Date.parse(record.updatedAt) - Date.parse(keySince)
  const byOthers = othersOn(monitor, command)
  if (isAmount && resolvedAfterMs > KEY_LIFETIME_MS && (command.applied > 0 || byOthers.length > 0))
    return true
  // What was read before it may have been out of date.
  if ((replay === 'compare' || replay === 'look') && monitor.isLagging) return true
  // A clock that was set back makes it look young, and one that was set forward its key old.
  if (monitor.isClockSet) return true
  // A key that two commands share does not show which of them the service performed.
  if (others.some((other) => wasGivenSameKey(other, command))) return true
  if (id === 'payment.create') {
    if (command.target?.startsWith('order ') !== true) return true
    // By its date the payment already existed before the command.
    if (monitor.isClockWrong && command.applied > 0) return true
    return others.some((other) => other.target === command.target && other.applied > 0)
  }
  // Such a write compares the payment with what it was. An abandoned write may still arrive and change it between two reads.
  if (replay === 'compare' || replay === 'look')
    return (
      byOthers.length > 0 ||
      others.some(
        (other) => other.target === command.target && other.applied > 0 && wasAbandoned(monitor, other),
      )
    )
  // A capture that was performed and failed leaves the same captured amount as none.
  const { status } = service.payment(command.plan.params['id'] ?? '')
  if (id === 'payment.capture' && (status === 'DECLINED' || status === 'FAILED')) return true
  // A declined authorization leaves the payment as it was, and a cancellation leaves no trace of one. An abandoned one that was
  // done may be what the payment shows.
  if (id === 'payment.authorize')
    return (
      resolvedAfterMs > KEY_LIFETIME_MS ||
      byOthers.some(({ plan }) => plan.operation.id === 'payment.cancel') ||
      wasDoneByAbandoned(monitor, command)
    )
  if (monitor.isClockWrong && resolvedAfterMs > KEY_LIFETIME_MS && command.applied > 0) return true
  // It can't be done any more, and what another of its kind did looks the same.
  return (
    byOthers.some(({ plan }) => plan.operation.id === id) ||
    others.some(
      (other) => other.target === command.target && other.applied > 0 && other.plan.operation.id === id,
    )
  )
}

/** Whether an abandoned write of the same operation was done on the same payment. */
const wasDoneByAbandoned = (monitor: Monitor, command: Command): boolean =>
  monitor.commands.some(
    (other) =>
      other !== command &&
      other.target === command.target &&
      other.applied > 0 &&
      other.plan.operation.id === command.plan.operation.id &&
      wasAbandoned(monitor, other),
  )

export const wasAbandoned = (monitor: Monitor, command: Command): boolean =>
  monitor.ends().some(({ id, state }) => state === 'abandoned' && id === recordIdOf(command))

export const sharesSentKey = (a: Command, b: Command): boolean =>
  a.sent[0]?.key !== undefined && a.sent[0].key === b.sent[0]?.key

/** Also true if one of them was never sent. */
const wasGivenSameKey = (a: Command, b: Command): boolean =>
  sharesSentKey(a, b) ||
  (a.call.idempotencyKey !== undefined && a.call.idempotencyKey === b.call.idempotencyKey)

export const recordIdOf = ({ sentUnderId, recordId }: Command): string | undefined => sentUnderId ?? recordId

export const othersOn = (monitor: Monitor, { target }: Command) =>
  monitor.otherClientWrites.filter((write) => write.target === target)
