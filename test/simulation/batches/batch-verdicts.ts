import type { ReadyRow } from '../../../src/rows/batch/apply/ready-row.ts'
import type { StoredPayment } from '../../../src/sandbox/domain/stored.ts'
import type { Conditions } from '../conditions.ts'
import { InvariantViolation } from '../invariant-violation.ts'
import { nameOf } from './batch-facts.ts'
import type { Applied, BatchFacts, SimulatedPlan } from './batch-facts.ts'
import type { BatchMachine } from './batch-world.ts'
import { describe } from './batch-write.ts'

const HOUR_MS = 60 * 60 * 1000
const KEY_LIFETIME_MS = 23 * HOUR_MS
const DAY_MS = 24 * HOUR_MS

export interface FinalState {
  readonly facts: BatchFacts
  readonly conditions: Conditions
  readonly nowMs: number
  readonly machines: readonly BatchMachine[]
  /** Each payment when the history began, and at its end. */
  readonly payments: readonly { readonly before: StoredPayment; readonly after: StoredPayment }[]
}

/** The promises at the end, when no request is in flight and every machine has applied every plan again. */
export function checkAtEnd(state: FinalState): void {
  const { facts } = state
  for (const plan of facts.plans) for (const row of plan.rows) checkRow(state, plan, row)
  for (const [at, { paymentId, key, servedAtMs }] of facts.applied.entries()) {
    const before = facts.applied
      .slice(0, at)
      .findLast((one) => one.paymentId === paymentId && one.key === key)
    // The service forgets a key after a day. `checkRow` has the rows.
    if (before !== undefined && servedAtMs - before.servedAtMs <= DAY_MS)
      throw new InvariantViolation('A key moves money once.', `${paymentId} ${key}`)
  }
  const stray = facts.applied.find((one) => !facts.isKnown(one))
  if (stray !== undefined)
    throw new InvariantViolation('Every write belongs to a row or a command.', describe(stray))
  for (const payment of state.payments) checkPayment(facts, payment)
  for (const machine of state.machines) staysWithinTotal(state, machine)
}

/** Two processes of a machine apply plans and write to single payments at once, and are killed: no refund passes the limit. */
function staysWithinTotal(
  { facts, conditions: { limits } }: FinalState,
  { name, ledger }: BatchMachine,
): void {
  const most = limits?.maxTotal?.['EUR']?.amount ?? Infinity
  // What was called not done counts no more; the service may have done it all the same, under a key that it has forgotten.
  const rejected = new Set(
    ledger.ends.flatMap(({ state, idempotencyKey }) => (state === 'rejected' ? [idempotencyKey] : [])),
  )
  const refunds = facts.applied.filter(
    ({ operation, machine, key }) => operation === 'refund' && machine === name && !rejected.has(key),
  )
  const sum = refunds.reduce((total, { amount }) => total + amount, 0)
  if (sum > most)
    throw new InvariantViolation(
      'The refunds of a machine stay within its limit over time.',
      `${name}: ${refunds.map(describe).join(', ')} come to ${sum} of ${most}`,
    )
}

function checkRow(state: FinalState, plan: SimulatedPlan, row: ReadyRow): void {
  const { facts, machines, conditions } = state
  const applied = facts.appliedFor(plan, row)
  const outcomes = machines.map(({ name }) => facts.outcomes.get(nameOf(name, plan, row.row))?.outcome)
  const evidence = `${plan.planId} row ${row.row} (${plan.operation} ${row.amount ?? ''} of ${row.paymentId}) happened ${applied.length} times: ${outcomes.map((one) => one ?? 'left').join(', ')}`
  if (applied.length > 1 && !isTicketForgotten(row, applied))
    throw new InvariantViolation('No row is done twice.', evidence)
  const isDone = outcomes.includes('done')
  // A cancelled payment is the intended result, no matter who cancelled it.
  const isByOther = machines.some(
    ({ name }, at) => outcomes[at] === 'done' && facts.mayBeOthers(name, plan, row),
  )
  if (isDone && applied.length === 0 && plan.operation !== 'cancel' && !isByOther)
    throw new InvariantViolation('A row that is reported as done was done.', evidence)
  if (!isDone && applied.length === 1 && row.ticket === undefined && !outcomes.includes('unknown'))
    throw new InvariantViolation('A row that was done is reported as done.', evidence)
  const isUndisturbed = !isDisturbed(facts, plan, row)
  // The other machine has skipped the rows of that payment.
  const mayBeUndone =
    conditions.limits !== undefined ||
    // An equal write of the other machine counts as this row.
    isByOther ||
    machines.every((machine) => isExpired(machine, plan)) ||
    machines.some((machine) => hasLastingDoubt(state, machine, row)) ||
    // Each machine has done other rows, and found the payment changed.
    (outcomes.every((one) => one === 'skipped') && countMachinesOn(facts, row) > 1)
  if (isUndisturbed && applied.length === 0 && !mayBeUndone)
    throw new InvariantViolation('Every row of an undisturbed payment is done.', evidence)
  for (const [index, machine] of machines.entries()) {
    if (isExpired(machine, plan)) continue
    if (outcomes[index] === undefined && !hasDoubtBefore(facts, machine, plan, row))
      throw new InvariantViolation('A row is left only after a row in doubt.', evidence)
    const isAlone =
      conditions.limits === undefined &&
      isUndisturbed &&
      facts.changesBeside(machine.name, plan, row.paymentId).length === 0
    if (isAlone && outcomes[index] !== 'done' && !hasLastingDoubt(state, machine, row))
      throw new InvariantViolation(
        'A machine that alone has changed a payment says that its rows are done.',
        evidence,
      )
  }
}

/** Whether anything but this plan may have come between. */
function isDisturbed(facts: BatchFacts, plan: SimulatedPlan, { paymentId }: ReadyRow): boolean {
  return (
    facts.touched.has(paymentId) ||
    facts.plans.some((other) => other !== plan && other.rows.some((row) => row.paymentId === paymentId)) ||
    facts.changesBy(plan, paymentId).length > 0
  )
}

/** How many machines have changed the payment of a row. */
const countMachinesOn = ({ applied }: BatchFacts, { paymentId }: ReadyRow): number =>
  new Set(applied.filter((one) => one.paymentId === paymentId).map(({ machine }) => machine)).size

/** No one has begun it on that machine in time. */
const isExpired = ({ begun }: BatchMachine, { planId }: SimulatedPlan): boolean => !begun.has(planId)

/** Whether a write on the payment can't be proven any more. */
const hasLastingDoubt = (
  { facts, conditions, nowMs }: FinalState,
  machine: BatchMachine,
  { paymentId }: ReadyRow,
): boolean =>
  machine.ledger.open.some((record) => {
    if (record.target !== paymentId) return false
    // Past the lifetime of its key it is only read, and what has moved may be someone else's.
    if (nowMs - Date.parse(record.createdAt) > KEY_LIFETIME_MS) return true
    // The other machine has changed the payment too, so a row that was begun here is not sent again.
    if (facts.applied.some((one) => one.paymentId === paymentId && one.machine !== machine.name)) return true
    return conditions.clockStepRate > 0 || conditions.clockDrift !== 0
  })

/** The service remembers a ticket for a day, and a ledger those of its own machine. */
const isTicketForgotten = ({ ticket }: ReadyRow, [first, second, ...more]: readonly Applied[]): boolean =>
  ticket !== undefined &&
  first !== undefined &&
  second !== undefined &&
  more.length === 0 &&
  first.machine !== second.machine &&
  second.servedAtMs - first.servedAtMs > DAY_MS

const hasDoubtBefore = (
  facts: BatchFacts,
  { name: machine }: BatchMachine,
  plan: SimulatedPlan,
  left: ReadyRow,
): boolean =>
  plan.rows.some(
    ({ paymentId, row }) =>
      paymentId === left.paymentId && facts.outcomes.get(nameOf(machine, plan, row))?.outcome === 'unknown',
  )

/** Compares the figures of the service with what it has performed. */
function checkPayment({ applied }: BatchFacts, { before, after }: FinalState['payments'][number]): void {
  const { id, status, amount, amountCaptured, amountRefunded, transactions } = after
  const evidence = `${id} is ${status}: ${amountCaptured} captured, ${amountRefunded} refunded of ${amount}`
  const writes = applied.filter(({ paymentId }) => paymentId === id)
  const sum = (operation: Applied['operation']) =>
    writes.filter((one) => one.operation === operation).reduce((total, one) => total + one.amount, 0)
  const refunds = transactions.filter(({ transactionType }) => transactionType === 'REFUND')
  if (
    amountCaptured !== before.amountCaptured + sum('capture') ||
    amountRefunded !== sum('refund') ||
    amountRefunded !== refunds.reduce((total, refund) => total + refund.amount, 0) ||
    (status === 'CANCELLED') !== writes.some(({ operation }) => operation === 'cancel')
  )
    throw new InvariantViolation('A payment shows exactly what was performed.', evidence)
  if (amountCaptured > amount || amountRefunded > amountCaptured)
    throw new InvariantViolation('No more is captured than authorized, nor refunded than captured.', evidence)
}
