import { isRefund, movesMoney } from '../../src/api/facts.ts'
import type { LimitsInTime } from '../../src/client/ledger/port.ts'
import type { StoredRecord } from '../../src/client/ledger/record.ts'
import { DONE, NOTHING_DONE, commandLine, endedUnrecorded, isEqual, isOverruled } from './command.ts'
import type { Command } from './command.ts'
import { InvariantViolation } from './invariant-violation.ts'
import { mayStayInDoubt, othersOn, recordIdOf, sharesSentKey, wasAbandoned } from './may-stay-in-doubt.ts'
import { isUnknowable } from './monitor.ts'
import type { Monitor } from './monitor.ts'
import { serviceDate } from './service.ts'
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
  /** Limits over time. */
  readonly limits: LimitsInTime | undefined
  /** A team's database dates the writes. */
  readonly isTeam: boolean
}

/**
 * The invariants that hold once all processes have ended and every open write was resolved: compares what the ledger says
 * and what the commands reported with what the service did.
 */
export function checkAtEnd(facts: Facts): void {
  const { monitor, service, ledger } = facts
  ticketsMoveMoneyOnce(monitor, service)
  serviceHasEveryRefund(monitor, service)
  staysWithinLimits(facts)
  for (const command of monitor.commands) {
    happenedAtMostOnce(monitor, command)
    const record = recordOf(command, ledger)
    isRecorded(command, record)
    if (record !== undefined) recordMatchesService(facts, command, record)
    reportMatchesService(facts, command, record)
  }
}

function ticketsMoveMoneyOnce({ commands }: Monitor, service: Service): void {
  const withTicket = commands.filter(({ call }) => call.ticket !== undefined)
  for (const command of withTicket) {
    const sameTicket = withTicket.filter(
      (other) => other.plan.operation === command.plan.operation && other.target === command.target,
    )
    const times = sameTicket.reduce((sum, one) => sum + one.applied - (hasFailed(service, one) ? 1 : 0), 0)
    if (times > 1)
      throw new InvariantViolation(
        'Commands with the same ticket move money once.',
        `${describe(command)} and the others with its ticket happened ${times} times`,
      )
  }
}

/** How much sooner than its span a limit may end in the check: a process may stand still between two moments. */
const LIMIT_SLACK_MS = 10 * 60_000

/** The writes that began within a span and took effect stay within the limit of that span. */
function staysWithinLimits({ monitor, ledger, limits, isTeam }: Facts): void {
  const { maxTotal, maxCount } = limits ?? {}
  const records = new Map([...ledger.ends, ...ledger.open].map((record) => [record.id, record]))
  const done = monitor.commands.flatMap((command) => {
    const record = records.get(command.recordId ?? '')
    const isCounted =
      command.applied > 0 && command.sentUnderId === command.recordId && record?.state !== 'rejected'
    return isCounted && record !== undefined ? [{ command, record }] : []
  })
  const check = (spanMs: number, most: number, sizeOf: (command: Command) => number) => {
    for (const last of done) {
      const within = done.filter(
        ({ command: { begunAtMs } }) =>
          begunAtMs <= last.command.begunAtMs && begunAtMs > last.command.begunAtMs - spanMs + LIMIT_SLACK_MS,
      )
      const isUndated = ({ record: { first } }: (typeof done)[number]) =>
        monitor.isClockSet &&
        first?.boot !== last.record.first?.boot &&
        (monitor.isServiceSet || first?.serviceMs === undefined || last.record.first?.serviceMs === undefined)
      if (!isTeam && within.some(isUndated)) continue
      const sum = within.reduce((so, { command }) => so + sizeOf(command), 0)
      if (sum > most)
        throw new InvariantViolation(
          'The writes that begin within a span stay within its limit.',
          `${within.map(({ command }) => describe(command)).join(', ')} come to ${sum} of ${most}`,
        )
    }
  }
  for (const { amount, spanMs } of Object.values(maxTotal ?? {}))
    check(spanMs, amount, ({ plan, call }) => (isRefund(plan.operation.id) ? (call.amount ?? Infinity) : 0))
  if (maxCount !== undefined)
    check(maxCount.spanMs, maxCount.count, ({ plan }) => (movesMoney(plan.operation.id) ? 1 : 0))
}

/** Checks the simulation's own count against the service's records. */
function serviceHasEveryRefund({ commands, otherClientWrites }: Monitor, service: Service): void {
  const refunds = commands.filter(({ plan }) => plan.operation.id === 'payment.refund')
  for (const { plan, target = '' } of refunds) {
    const { id = '' } = plan.params
    const byPay = refunds
      .filter((other) => other.target === target)
      .reduce((sum, { applied }) => sum + applied, 0)
    const byOthers = otherClientWrites.filter(
      (write) => write.target === target && write.plan.operation.id === 'payment.refund',
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

function happenedAtMostOnce(monitor: Monitor, command: Command): void {
  const { replay } = command.plan.operation
  const times = replay === 'compare' ? command.changed : command.applied
  // Once someone has set the amount back to what it was, the payment shows nothing of the first time.
  const isSetBack = othersOn(monitor, command).some(({ servedAtMs }) => servedAtMs < command.appliedAtMs)
  if (replay === 'compare' && isSetBack) return
  if (replay !== 'safe' && times > 1 && !monitor.unknowablyOld.has(command.name))
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
  // Nothing was sent, and the ledger could not tell whether it had kept that the write begins.
  if (command.sent.length === 0 && command.reported?.code?.startsWith('outcome_unrecorded') === true) return
  if (record === undefined && (command.sent.length > 0 || command.reported?.exitCode === 10))
    throw new InvariantViolation('Every write that was sent is in the ledger.', describe(command))
}

function recordMatchesService(facts: Facts, command: Command, record: StoredRecord): void {
  const { monitor, service } = facts
  const { state, note } = record
  const evidence = `${describe(command)} is ${state} (${note ?? 'no note'}) and happened ${command.applied} times`
  if (isMisledByReusedKey(monitor, command)) return
  if (record.endedBy === 'effect') {
    if (!hasOtherEffect(facts, command))
      throw new InvariantViolation(
        'A write confirmed by what the payment shows has an equal effect there.',
        evidence,
      )
    return
  }
  if (state === 'confirmed' && record.exitCode !== 8 && !isDone(monitor, command))
    throw new InvariantViolation('A confirmed write happened.', evidence)
  if (
    state === 'rejected' &&
    command.applied > 0 &&
    !hasFailed(service, command) &&
    !(record.endedBy === 'absence' && isUnknowable(record, record.end?.boot, monitor))
  )
    throw new InvariantViolation('A rejected write did not happen.', evidence)
  if ((state === 'in-doubt' || state === 'sending') && !mayStayInDoubt(monitor, service, command, record))
    throw new InvariantViolation('Resolving ends every doubt that can be ended.', evidence)
}

/** A refund that failed has moved nothing. */
const hasFailed = (service: Service, { plan, applied, appliedAtMs }: Command): boolean =>
  plan.operation.id === 'payment.refund' &&
  applied > 0 &&
  service
    .payment(plan.params['id'] ?? '')
    .transactions.some(
      ({ date, processorStatus }) => processorStatus === 'FAILED' && date === serviceDate(appliedAtMs),
    )

/**
 * Each effect confirms one write of a ledger: there are at least as many equal effects, no matter who made them, as writes that
 * it has confirmed.
 */
function hasOtherEffect({ monitor, ledger }: Facts, command: Command): boolean {
  if (command.applied > 0) return true
  const isCapture = command.plan.operation.id === 'payment.capture'
  const amount = command.call.amount
  const isAlike = (other: number | undefined) =>
    isCapture || amount === undefined || other === undefined || other === amount
  const made =
    monitor.otherClientWrites.filter(
      (write) =>
        write.target === command.target &&
        write.plan.operation.id === command.plan.operation.id &&
        isAlike(write.amount),
    ).length +
    monitor.commands.filter(
      (one) =>
        one.target === command.target &&
        one.plan.operation.id === command.plan.operation.id &&
        one.applied > 0 &&
        isAlike(one.call.amount),
    ).length
  const confirmed = monitor.commands.filter(
    (one) =>
      one.target === command.target &&
      one.plan.operation.id === command.plan.operation.id &&
      isAlike(one.call.amount) &&
      // A key that a person has used again gets the answer to its first use.
      (one.applied > 0 || !monitor.commands.some((other) => other !== one && sharesSentKey(other, one))) &&
      ledger.ends.some(
        ({ id, state, exitCode }) => id === recordIdOf(one) && state === 'confirmed' && exitCode === 0,
      ),
  ).length
  return made >= (isCapture ? 1 : confirmed)
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
  const isTakenOver = isOverruled(code)
  if (NOTHING_DONE.includes(exitCode) && command.applied > 0 && !isTakenOver)
    throw new InvariantViolation(
      'A write whose exit code promises that nothing was done never happens, not even later.',
      evidence,
    )
  const hasOwnResponse = command.sent[0]?.key !== undefined && !command.wasInDoubt && !replays
  if (hasOwnResponse && exitCode === 0 && command.applied === 0)
    throw new InvariantViolation('A write reported as done from its own response happened.', evidence)
  if ([0, 13].includes(exitCode) && !isDone(monitor, command) && !isMisledByReusedKey(monitor, command))
    throw new InvariantViolation('A write reported as done happened.', evidence)
  if (DONE.includes(exitCode) && record?.state !== 'confirmed' && !command.wasDiskFull && !isTakenOver)
    throw new InvariantViolation(
      'A write reported as done stays confirmed.',
      `${evidence}; in the ledger it is ${record?.state}`,
    )
}

/** Whether the effect of a command is there: by itself, or because the payment is in the state that it leads to. */
function isDone(monitor: Monitor, command: Command): boolean {
  if (command.applied > 0) return true
  const { operation, body } = command.plan
  // A cancelled payment or an authorized amount is the intended result, no matter who reached it. A moved amount is not.
  const isState =
    ['payment.cancel', 'payment.authorize'].includes(operation.id) ||
    operation.replay === 'compare' ||
    operation.replay === 'look'
  if (
    isState &&
    monitor.otherClientWrites.some(
      ({ plan, target }) =>
        target === command.target &&
        plan.operation.id === operation.id &&
        plan.body?.['amount'] === body?.['amount'],
    )
  )
    return true
  const equals = monitor.commands.filter(
    (other) =>
      other !== command &&
      other.applied > 0 &&
      // A challenge is answered with one token or another.
      (isEqual(other, command) ||
        (operation.id === 'payment.resume' &&
          other.target === command.target &&
          other.plan.operation.id === operation.id)),
  )
  if (isState || operation.replay === 'safe') return equals.length > 0
  // A payment is authorized or resumed once. The ledger doesn't know whether an abandoned write did it.
  const isOnce = operation.id === 'payment.authorize'
  if (equals.some((other) => sharesSentKey(other, command) || (isOnce && wasAbandoned(monitor, other))))
    return true
  // Nor does it know whether an abandoned write created the payment of this order and amount.
  return (
    operation.id === 'payment.create' &&
    monitor.commands.some(
      (other) =>
        other !== command &&
        other.applied > 0 &&
        other.target === command.target &&
        other.plan.body?.['amount'] === body?.['amount'] &&
        wasAbandoned(monitor, other),
    )
  )
}

/** With a key that a different command used, a 409 or a replayed response says nothing about this one. */
const isMisledByReusedKey = (monitor: Monitor, command: Command): boolean =>
  (command.wasInDoubt || command.wasDiskFull || command.reported === undefined) &&
  monitor.commands.some(
    (other) => other !== command && sharesSentKey(other, command) && !isEqual(other, command),
  )

const describe = (command: Command): string => `${command.name} (${commandLine(command)})`
