import type { StoredRecord } from '../../src/ledger/files/record.ts'
import { DONE, NOTHING_DONE, commandLine, endedUnrecorded, isEqual } from './command.ts'
import type { Command } from './command.ts'
import { InvariantViolation } from './invariant-violation.ts'
import type { Monitor } from './monitor.ts'
import type { Service } from './service.ts'

/** The ledger at the end of a history: every outcome, and the records that are still open. */
export interface LedgerAtEnd {
  readonly ends: readonly StoredRecord[]
  readonly open: readonly StoredRecord[]
}

interface Facts {
  readonly monitor: Monitor
  readonly service: Service
  readonly ledger: LedgerAtEnd
  /** The service answers a used key with its first response, which then proves nothing about this request. */
  readonly replays: boolean
}

/** pay does not send an older key again: the service may have forgotten it. */
const KEY_LIFETIME_MS = 23 * 60 * 60 * 1000

/**
 * The invariants that hold once all processes have ended and every open write was resolved: compares what the ledger says
 * and what the commands reported with what the service did.
 */
export function checkAtEnd(facts: Facts): void {
  const { monitor, service, ledger } = facts
  ticketsMoveMoneyOnce(monitor)
  serviceHasEveryRefund(monitor, service)
  for (const command of monitor.commands) {
    happenedAtMostOnce(command)
    const record = recordOf(command, ledger)
    isRecorded(command, record)
    if (record !== undefined) recordMatchesService(facts, command, record)
    reportMatchesService(facts, command, record)
  }
}

function ticketsMoveMoneyOnce({ commands }: Monitor): void {
  const withTicket = commands.filter(({ call }) => call.ticket !== undefined)
  for (const command of withTicket) {
    const sameTicket = withTicket.filter(
      (other) => other.plan.operation === command.plan.operation && other.target === command.target,
    )
    const times = sameTicket.reduce((sum, { applied }) => sum + applied, 0)
    if (times > 1)
      throw new InvariantViolation(
        'Commands with the same ticket move money once.',
        `${describe(command)} and the others with its ticket happened ${times} times`,
      )
  }
}

/** Checks the simulation's own count against the service's records. */
function serviceHasEveryRefund({ commands, otherClientChanges }: Monitor, service: Service): void {
  const refunds = commands.filter(({ plan }) => plan.operation.id === 'payment.refund')
  for (const { plan, target = '' } of refunds) {
    const { id = '' } = plan.params
    const byPay = refunds
      .filter((other) => other.target === target)
      .reduce((sum, { applied }) => sum + applied, 0)
    const byOthers = (otherClientChanges.get(target) ?? []).filter(
      ({ operation }) => operation.id === 'payment.refund',
    ).length
    const atService = service
      .payment(id)
      .transactions.filter(({ transactionType }) => transactionType === 'REFUND').length
    if (atService !== byPay + byOthers)
      throw new InvariantViolation(
        'The service has exactly the refunds that were performed.',
        `payment ${id} has ${atService} refunds, but ${byPay + byOthers} were performed`,
      )
  }
}

function happenedAtMostOnce(command: Command): void {
  const { replay } = command.plan.operation
  const times = replay === 'compare' ? command.changed : command.applied
  if (replay !== 'safe' && times > 1)
    throw new InvariantViolation(
      'A command takes effect once or not at all.',
      `${describe(command)} happened ${times} times`,
    )
}

function recordOf(command: Command, { ends, open }: LedgerAtEnd): StoredRecord | undefined {
  const id = recordIdOf(command)
  const own = ends.filter((record) => record.id === id)
  const states = new Set(own.map(({ state }) => state))
  if (states.size > 1)
    throw new InvariantViolation(
      'A write has one outcome.',
      `${describe(command)} ended as ${[...states].join(' and ')}`,
    )
  return own.at(-1) ?? open.find((record) => record.id === id)
}

function isRecorded(command: Command, record: StoredRecord | undefined): void {
  // Nothing was done and the full disk could not take that down. An open record would send the write again.
  if (endedUnrecorded(command)) return
  if (record === undefined && (command.sent.length > 0 || command.reported?.exitCode === 10))
    throw new InvariantViolation('Every write that was sent is in the ledger.', describe(command))
}

function recordMatchesService({ monitor, service }: Facts, command: Command, record: StoredRecord): void {
  const { state, note } = record
  const evidence = `${describe(command)} is ${state} (${note ?? 'no note'}) and happened ${command.applied} times`
  if (isMisledByReusedKey(monitor, command)) return
  if (state === 'confirmed' && record.exitCode !== 8 && !isDone(monitor, command))
    throw new InvariantViolation('A confirmed write happened.', evidence)
  if (state === 'rejected' && command.applied > 0)
    throw new InvariantViolation('A rejected write did not happen.', evidence)
  if ((state === 'in-doubt' || state === 'sending') && !mayStayInDoubt(monitor, service, command, record))
    throw new InvariantViolation('Resolving ends every doubt that can be ended.', evidence)
}

function reportMatchesService(
  { monitor, replays }: Facts,
  command: Command,
  record: StoredRecord | undefined,
): void {
  const { reported } = command
  if (reported === undefined) return
  const { exitCode, code } = reported
  const evidence = `${describe(command)} reported exit code ${exitCode} (${code}) and happened ${command.applied} times`
  if (NOTHING_DONE.includes(exitCode) && command.applied > 0)
    throw new InvariantViolation(
      'A write whose exit code promises that nothing was done never happens, not even later.',
      evidence,
    )
  const hasOwnResponse = command.sent[0]?.key !== undefined && !command.wasInDoubt && !replays
  if (hasOwnResponse && exitCode === 0 && command.applied === 0)
    throw new InvariantViolation('A write reported as done from its own response happened.', evidence)
  if ([0, 13].includes(exitCode) && !isDone(monitor, command) && !isMisledByReusedKey(monitor, command))
    throw new InvariantViolation('A write reported as done happened.', evidence)
  if (DONE.includes(exitCode) && record?.state !== 'confirmed' && !command.wasDiskFull)
    throw new InvariantViolation(
      'A write reported as done stays confirmed.',
      `${evidence}; in the ledger it is ${record?.state}`,
    )
}

/** Whether the effect of a command is there, by itself or by an equal one that nothing can tell apart from it. */
function isDone(monitor: Monitor, command: Command): boolean {
  if (command.applied > 0) return true
  // A cancelled payment is the intended result, no matter who cancelled it.
  const byOthers = monitor.otherClientChanges.get(command.target ?? '') ?? []
  if (
    byOthers.some(
      ({ operation }) => operation.id === 'payment.cancel' && operation.id === command.plan.operation.id,
    )
  )
    return true
  const { replay } = command.plan.operation
  const others = monitor.commands.filter((other) => other !== command && other.applied > 0)
  if (replay === 'safe' || replay === 'compare') return others.some((other) => isEqual(other, command))
  // A write that a person abandoned may have happened after all, and its effect is then taken for this one's.
  return others.some(
    (other) =>
      (isEqual(other, command) && sharesSentKey(other, command)) ||
      (movesSameAmount(other, command) && wasAbandoned(monitor, other)),
  )
}

/** With a key that a different command used, a 409 or a replayed response says nothing about this one. */
const isMisledByReusedKey = (monitor: Monitor, command: Command): boolean =>
  (command.wasInDoubt || command.wasDiskFull || command.reported === undefined) &&
  monitor.commands.some(
    (other) => other !== command && sharesSentKey(other, command) && !isEqual(other, command),
  )

/** The payment does not show which of the two moved it. */
const movesSameAmount = (a: Command, b: Command): boolean =>
  a.plan.operation.id === b.plan.operation.id && a.target === b.target && a.call.amount === b.call.amount

const wasAbandoned = (monitor: Monitor, command: Command): boolean =>
  monitor.ends().some(({ id, state }) => state === 'abandoned' && id === recordIdOf(command))

const sharesSentKey = (a: Command, b: Command): boolean =>
  a.sent[0]?.key !== undefined && a.sent[0].key === b.sent[0]?.key

/** Also true if one of them was never sent. */
const wasGivenSameKey = (a: Command, b: Command): boolean =>
  sharesSentKey(a, b) ||
  (a.call.idempotencyKey !== undefined && a.call.idempotencyKey === b.call.idempotencyKey)

const hasSameTicket = (a: Command, b: Command): boolean =>
  a.call.ticket !== undefined && a.call.ticket === b.call.ticket && a.target === b.target

/** Whether neither the service nor the ledger has anything that could end the doubt. */
function mayStayInDoubt(monitor: Monitor, service: Service, command: Command, record: StoredRecord): boolean {
  const { replay, id } = command.plan.operation
  const others = monitor.commands.filter((other) => other !== command)
  if (replay === 'never') return true
  // The repeat was refused, and nothing shows whether the first attempt was performed while it still could be.
  if (replay === 'safe')
    return monitor.commands.some(
      ({ sentUnderId, sent, reported }) =>
        sentUnderId === recordIdOf(command) && sent.length > 0 && reported?.exitCode === 10,
    )
  if (command.target !== undefined && monitor.otherClientChanges.has(command.target)) return true
  // A key that two commands share does not show which of them the service performed.
  if (others.some((other) => wasGivenSameKey(other, command))) return true
  // A full disk cut the line that would say how the other write with this ticket ended.
  if (others.some((other) => other.wasDiskFull && hasSameTicket(other, command))) return true
  if (id === 'payment.create') {
    if (command.target?.startsWith('order ') !== true) return true
    // By its date the payment already existed before the command.
    if (monitor.isClockWrong && command.applied > 0) return true
    return others.some((other) => other.target === command.target && other.applied > 0)
  }
  // An abandoned write may still arrive and change the payment between two reads.
  if (replay === 'compare' || replay === 'look')
    return others.some(
      (other) => other.target === command.target && other.applied > 0 && wasAbandoned(monitor, other),
    )
  // A capture that was performed and failed leaves the same captured amount as none.
  const { status } = service.payment(command.plan.params['id'] ?? '')
  if (id === 'payment.capture' && (status === 'DECLINED' || status === 'FAILED')) return true
  // A declined authorization leaves the payment as it was.
  const ageMs = Date.parse(record.updatedAt) - Date.parse(record.createdAt)
  if (id === 'payment.authorize' && ageMs > KEY_LIFETIME_MS) return true
  if (monitor.isClockWrong && ageMs > KEY_LIFETIME_MS && command.applied > 0) return true
  // It can't be done any more, and what another command of its kind did looks the same.
  return others.some(
    (other) => other.target === command.target && other.applied > 0 && other.plan.operation.id === id,
  )
}

const recordIdOf = ({ sentUnderId, recordId }: Command): string | undefined => sentUnderId ?? recordId

const describe = (command: Command): string => `${command.name} (${commandLine(command)})`
