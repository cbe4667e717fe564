import type { ReadyRow } from '../../../src/batch/apply/ready-row.ts'
import type { StoredPayment } from '../../../src/sandbox/domain/store/stored-payment.ts'
import { InvariantViolation } from '../invariant-violation.ts'
import { nameOf } from './batch-facts.ts'
import type { Applied, BatchFacts, SimulatedPlan } from './batch-facts.ts'
import { describe } from './batch-write.ts'

export interface FinalState {
  readonly facts: BatchFacts
  readonly machines: readonly string[]
  /** Each payment when the history began, and at its end. */
  readonly payments: readonly { readonly before: StoredPayment; readonly after: StoredPayment }[]
}

/** The promises at the end, when no request is in flight and every machine has applied every plan again. */
export function checkAtEnd(state: FinalState): void {
  const { facts } = state
  for (const plan of facts.plans) for (const row of plan.rows) checkRow(state, plan, row)
  const keys = facts.applied.map(({ paymentId, key }) => `${paymentId} ${key}`)
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) throw new InvariantViolation('A key moves money once.', twice)
  const stray = facts.applied.find((one) => !facts.isKnown(one))
  if (stray !== undefined)
    throw new InvariantViolation('Every write belongs to a row or a command.', describe(stray))
  for (const payment of state.payments) checkPayment(facts, payment)
}

function checkRow({ facts, machines }: FinalState, plan: SimulatedPlan, row: ReadyRow): void {
  const applied = facts.appliedFor(plan, row)
  const outcomes = machines.map((machine) => facts.outcomes.get(nameOf(machine, plan, row.row))?.outcome)
  const evidence = `${plan.planId} row ${row.row} (${plan.operation} ${row.amount ?? ''} of ${row.paymentId}) happened ${applied.length} times: ${outcomes.map((one) => one ?? 'left').join(', ')}`
  if (applied.length > 1) throw new InvariantViolation('No row is done twice.', evidence)
  const isDone = outcomes.includes('done')
  if (isDone && applied.length === 0)
    throw new InvariantViolation('A row that is reported as done was done.', evidence)
  if (!isDone && applied.length === 1 && row.ticket === undefined && !outcomes.includes('unknown'))
    throw new InvariantViolation('A row that was done is reported as done.', evidence)
  if (!isDisturbed(facts, plan, row) && outcomes.some((one) => one !== 'done'))
    throw new InvariantViolation('Every row of an undisturbed payment is done.', evidence)
  for (const [index, machine] of machines.entries())
    if (outcomes[index] === undefined && !hasDoubtBefore(facts, machine, plan, row))
      throw new InvariantViolation('A row is left only after a row in doubt.', evidence)
}

/** Whether anything but this plan may have come between. */
function isDisturbed(facts: BatchFacts, plan: SimulatedPlan, { paymentId }: ReadyRow): boolean {
  return (
    facts.touched.has(paymentId) ||
    facts.plans.some((other) => other !== plan && other.rows.some((row) => row.paymentId === paymentId)) ||
    facts.changesBy(plan, paymentId).length > 0
  )
}

const hasDoubtBefore = (facts: BatchFacts, machine: string, plan: SimulatedPlan, left: ReadyRow): boolean =>
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
