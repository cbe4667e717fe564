import type { ReadyRow } from '../../../src/batch/apply/ready-row.ts'
import type { Surroundings } from '../process-parts.ts'
import type { Process } from '../scheduler.ts'
import type { Service } from '../service.ts'
import type { SimulatedDisk } from '../simulated-disk.ts'
import type { ApplyRun, BatchFacts, SimulatedPlan } from './batch-facts.ts'

export const BATCH_STATE = '/state'
/** The outcomes of plans, by plan. */
export const JOURNALS = `${BATCH_STATE}/batches`

/** One person's machine: its own state folder, ledger and processes. */
export interface BatchMachine {
  readonly name: string
  readonly disk: SimulatedDisk
  readonly processes: Set<Process>
  /** The plans that a process of the machine is applying: another one is refused. */
  readonly applying: Map<string, Process>
  boots: number
}

/** Everything around the processes of one history of batches. */
export interface BatchWorld extends Surroundings {
  readonly service: Service
  readonly facts: BatchFacts
  readonly machines: readonly [BatchMachine, BatchMachine]
  readonly payments: readonly [string, ...string[]]
}

export interface Single {
  readonly name: string
  readonly paymentId: string
  readonly amount: number
  readonly ticket: string | undefined
}

/** A plan as it is made: the figures of its payments at that moment. */
export function makePlan(world: BatchWorld, planId: string): SimulatedPlan {
  const { random, service, payments, scheduler } = world
  const taken = new Map<string, number>()
  const rows: ReadyRow[] = []
  const count = 1 + random.below(4)
  for (let row = 1; row <= count; row += 1) {
    const paymentId = random.pick(payments)
    const { status, amount: whole, amountCaptured, amountRefunded } = service.payment(paymentId)
    const left = amountCaptured - amountRefunded - (taken.get(paymentId) ?? 0)
    // Few amounts: equal refunds of one payment are the hardest to tell apart.
    const amount = Math.min(left, random.pick([100, 100, 200, 350]))
    if (amount <= 0) continue
    taken.set(paymentId, (taken.get(paymentId) ?? 0) + amount)
    const figures = { status, amount: whole, amountCaptured, amountRefunded }
    const ticket = random.chance(0.2) ? `T-${planId}-${row}` : undefined
    rows.push({
      row,
      paymentId,
      amount,
      currencyCode: 'EUR',
      orderId: undefined,
      reason: random.chance(0.2) ? 'outage' : undefined,
      ticket,
      figures,
    })
  }
  return { planId, operation: 'refund', rows, plannedAtMs: scheduler.nowMs }
}

export const runOf = (
  name: string,
  machine: BatchMachine,
  plan: SimulatedPlan,
  startedAtMs: number,
): ApplyRun => ({
  name,
  machine: machine.name,
  plan,
  startedAtMs,
  readAtMs: new Map(),
  sent: new Set(),
})
