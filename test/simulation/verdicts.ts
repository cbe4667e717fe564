import type { StoredRecord } from '../../src/ledger/files/record.ts'
import { NOTHING_DONE, isEqual, wasDropped, wordsOf } from './command.ts'
import type { Command } from './command.ts'
import type { Service } from './service.ts'
import type { Watch } from './monitor.ts'
import { Violation } from './invariant-violation.ts'

/** What the ledger says at the end of a history: the ends, and what is still open. */
export interface Ledger {
  readonly ends: readonly StoredRecord[]
  readonly open: readonly StoredRecord[]
  /** Whether the service answers a used key with the first answer again. */
  readonly replays: boolean
}

/** Older keys are not sent again. */
const KEY_LIFE_MS = 23 * 60 * 60 * 1000

/** Everything is over and cleared up: holds what the ledger says, and what was told, against what the service did. */
export function checkEnd(watch: Watch, service: Service, ledger: Ledger): void {
  oneTicketMovesMoneyOnce(watch)
  serviceSaysTheSame(watch, service)
  for (const command of watch.commands) {
    happenedAtMostOnce(command)
    const record = recordOf(command, ledger)
    nothingIsLost(command, record)
    if (record !== undefined) ledgerSaysWhatWasDone(watch, service, command, record)
    whatWasToldIsTrue(watch, ledger, command, record)
  }
}

function oneTicketMovesMoneyOnce({ commands }: Watch): void {
  const withTicket = commands.filter(({ call }) => call.ticket !== undefined)
  for (const command of withTicket) {
    const alike = withTicket.filter(
      (other) => other.plan.operation === command.plan.operation && other.target === command.target,
    )
    const times = alike.reduce((sum, { applied }) => sum + applied, 0)
    if (times > 1)
      throw new Violation(
        'One ticket moves money once.',
        `${say(command)} and its like happened ${times} times`,
      )
  }
}

/** By what the service itself has, whoever is thought to have asked for it. */
function serviceSaysTheSame({ commands, meddled }: Watch, service: Service): void {
  const refunds = commands.filter(({ plan }) => plan.operation.id === 'payment.refund')
  for (const { plan, target = '' } of refunds) {
    const { id = '' } = plan.params
    const asked = refunds
      .filter((other) => other.target === target)
      .reduce((sum, { applied }) => sum + applied, 0)
    const byOthers = (meddled.get(target) ?? []).filter(
      ({ operation }) => operation.id === 'payment.refund',
    ).length
    const there = service
      .payment(id)
      .transactions.filter(({ transactionType }) => transactionType === 'REFUND').length
    if (there !== asked + byOthers)
      throw new Violation(
        'The service has what was asked for.',
        `payment ${id} has ${there} refunds, and ${asked + byOthers} were done`,
      )
  }
}

function happenedAtMostOnce(command: Command): void {
  const { replay } = command.plan.operation
  const times = replay === 'compare' ? command.changed : command.applied
  if (replay !== 'safe' && times > 1)
    throw new Violation(
      'Every intended effect happens exactly once or not at all.',
      `${say(command)} happened ${times} times`,
    )
}

function recordOf(command: Command, { ends, open }: Ledger): StoredRecord | undefined {
  const id = recordIdOf(command)
  const own = ends.filter((record) => record.id === id)
  const states = new Set(own.map(({ state }) => state))
  if (states.size > 1)
    throw new Violation('A write ends in one way.', `${say(command)} ended as ${[...states].join(' and ')}`)
  return own.at(-1) ?? open.find((record) => record.id === id)
}

function nothingIsLost(command: Command, record: StoredRecord | undefined): void {
  // Nothing was done, and no disk took that down: left open, it would be sent once more.
  if (wasDropped(command)) return
  if (record === undefined && (command.sent.length > 0 || command.told?.exitCode === 10))
    throw new Violation('Whatever was sent is in the ledger.', `${say(command)} is not`)
}

function ledgerSaysWhatWasDone(watch: Watch, service: Service, command: Command, record: StoredRecord): void {
  const { state, note } = record
  const said = `${say(command)} is ${state} (${note ?? 'no note'}), and happened ${command.applied} times`
  if (isMisled(watch, command)) return
  if (state === 'confirmed' && record.exitCode !== 8 && !isDone(watch, command))
    throw new Violation('What is confirmed was done.', said)
  if (state === 'rejected' && command.applied > 0) throw new Violation('What is rejected was not done.', said)
  if ((state === 'in-doubt' || state === 'sending') && !mayStayInDoubt(watch, service, command, record))
    throw new Violation('Nothing stays in doubt that the rules allow to be resolved.', said)
}

function whatWasToldIsTrue(
  watch: Watch,
  { replays }: Pick<Ledger, 'replays'>,
  command: Command,
  record: StoredRecord | undefined,
): void {
  const { told } = command
  if (told === undefined) return
  const said = `${say(command)} told exit code ${told.exitCode} (${told.code}), and happened ${command.applied} times`
  if (NOTHING_DONE.includes(told.exitCode) && command.applied > 0)
    throw new Violation('An exit code that promises that nothing was done keeps that promise for ever.', said)
  const isFirst = command.sent[0]?.key !== undefined && !command.wasInDoubt && !replays
  if (isFirst && told.exitCode === 0 && command.applied === 0)
    throw new Violation('What was answered once was done if the answer said so.', said)
  if ([0, 13].includes(told.exitCode) && !isDone(watch, command) && !isMisled(watch, command))
    throw new Violation('What is told to be done was done.', said)
  if ([0, 8, 13].includes(told.exitCode) && record?.state !== 'confirmed' && !command.wasDiskFull)
    throw new Violation(
      'What was told to be done stays confirmed.',
      `${said}; the ledger has ${record?.state}`,
    )
}

/** Once, by itself or by an equal one of which nobody could tell it. */
function isDone(watch: Watch, command: Command): boolean {
  if (command.applied > 0) return true
  // A payment that is cancelled is what was wanted, whoever did it.
  const meddling = watch.meddled.get(command.target ?? '') ?? []
  if (
    meddling.some(
      ({ operation }) => operation.id === 'payment.cancel' && operation.id === command.plan.operation.id,
    )
  )
    return true
  const { replay } = command.plan.operation
  const others = watch.commands.filter((other) => other !== command && other.applied > 0)
  if (replay === 'safe' || replay === 'compare') return others.some((other) => isEqual(other, command))
  // One that a person has abandoned may have been done all the same, and be what is found.
  return others.some(
    (other) =>
      (isEqual(other, command) && sharesKey(other, command)) ||
      (movesTheSame(other, command) && wasAbandoned(watch, other)),
  )
}

/** A key that was given for something else before is known to the service all the same. */
const isMisled = (watch: Watch, command: Command): boolean =>
  (command.wasInDoubt || command.wasDiskFull || command.told === undefined) &&
  watch.commands.some((other) => other !== command && sharesKey(other, command) && !isEqual(other, command))

/** Which of the two it was, nothing on the payment tells. */
const movesTheSame = (a: Command, b: Command): boolean =>
  a.plan.operation.id === b.plan.operation.id && a.target === b.target && a.call.amount === b.call.amount

const wasAbandoned = (watch: Watch, command: Command): boolean =>
  watch.ends().some(({ id, state }) => state === 'abandoned' && id === recordIdOf(command))

const sharesKey = (a: Command, b: Command): boolean =>
  a.sent[0]?.key !== undefined && a.sent[0].key === b.sent[0]?.key

/** Also where one of them has not sent it. */
const wasGivenTheSameKey = (a: Command, b: Command): boolean =>
  sharesKey(a, b) || (a.call.idempotencyKey !== undefined && a.call.idempotencyKey === b.call.idempotencyKey)

const isOfTheSameTicket = (a: Command, b: Command): boolean =>
  a.call.ticket !== undefined && a.call.ticket === b.call.ticket && a.target === b.target

function mayStayInDoubt(watch: Watch, service: Service, command: Command, record: StoredRecord): boolean {
  const { replay, id } = command.plan.operation
  const others = watch.commands.filter((other) => other !== command)
  if (replay === 'never') return true
  // Repeated, it is refused: whether it was done when it still could be is told by nothing.
  if (replay === 'safe')
    return watch.commands.some(
      ({ handOf, sent, told }) => handOf === recordIdOf(command) && sent.length > 0 && told?.exitCode === 10,
    )
  if (command.target !== undefined && watch.meddled.has(command.target)) return true
  // Whose it was that the service has seen, a key that is given twice cannot tell.
  if (others.some((other) => wasGivenTheSameKey(other, command))) return true
  // A line that a full disk cut short doesn't say how the other write of this ticket ended.
  if (others.some((other) => other.wasDiskFull && isOfTheSameTicket(other, command))) return true
  if (id === 'payment.create') {
    if (command.target?.startsWith('order ') !== true) return true
    // By its date what it has made was there before.
    if (watch.isClockWrong && command.applied > 0) return true
    return others.some((other) => other.target === command.target && other.applied > 0)
  }
  // One that was abandoned may still arrive, and change the payment between two looks.
  if (replay === 'compare' || replay === 'look')
    return others.some(
      (other) => other.target === command.target && other.applied > 0 && wasAbandoned(watch, other),
    )
  // A capture that was done and failed has captured as little as one that was not done.
  const { status } = service.payment(command.plan.params['id'] ?? '')
  if (id === 'payment.capture' && (status === 'DECLINED' || status === 'FAILED')) return true
  // An authorization that was refused leaves a payment as it was.
  const ageMs = Date.parse(record.updatedAt) - Date.parse(record.createdAt)
  if (id === 'payment.authorize' && ageMs > KEY_LIFE_MS) return true
  if (watch.isClockWrong && ageMs > KEY_LIFE_MS && command.applied > 0) return true
  // It can no longer be done, and what another one of its kind did looks as if it had been.
  return others.some(
    (other) => other.target === command.target && other.applied > 0 && other.plan.operation.id === id,
  )
}

const recordIdOf = ({ handOf, recordId }: Command): string | undefined => handOf ?? recordId

const say = (command: Command): string => `${command.name} (${wordsOf(command)})`
