import { readyRowsOf } from '../../../src/rows/batch/apply/ready-row.ts'
import { judge } from '../../../src/rows/batch/planning/judge.ts'
import type { PlanRow } from '../../../src/rows/batch/plan.ts'
import { factsOf } from '../../../src/rows/payments/payment-facts.ts'
import { isRecord } from '../../../src/json/is-record.ts'
import { prepare } from '../prepare.ts'
import type { SimulatedPlan } from './batch-facts.ts'
import type { BatchWorld } from './batch-world.ts'

/** `pay batch plan`, by someone who means every row and knows nothing of other machines. */
export async function makePlan(world: BatchWorld): Promise<SimulatedPlan> {
  const { random, service, payments, facts, mix, scheduler } = world
  const planId = `plan-${facts.plans.length + 1}`
  const operation = random.weighted(mix.ofPlans)
  // Plans of another operation have the same tickets.
  const nth = 1 + facts.plans.filter((other) => other.operation === operation).length
  const rows: PlanRow[] = []
  const count = 1 + random.below(4)
  for (let row = 1; row <= count; row += 1) {
    const paymentId = random.pick(payments)
    const payment = await prepare(service, 'GET', `/payments/${paymentId}`)
    if (!isRecord(payment)) throw new Error(`no payment ${paymentId}`)
    const earlier = rows.filter((other) => other.verdict === 'ready' && other.paymentId === paymentId)
    const ticket = random.chance(0.2) ? `T-${nth}-${row}` : undefined
    // Few amounts: equal writes on one payment are the hardest to tell apart.
    const amount = random.chance(0.1) ? undefined : random.pick([100, 100, 200, 350])
    const judged = judge({
      operation,
      requested: { amount, currencyCode: undefined, ticket },
      problem: undefined,
      reading: { kind: 'payment', facts: factsOf(payment, paymentId) },
      earlier: earlier.map((other) => ({ row: other.row, amount: other.amount ?? 0 })),
      openWrite: undefined,
      usedTicket: facts.isTicketUsed(operation, { paymentId, ticket }) ? 'used before' : undefined,
      sameWrite: () => undefined,
      allowsRepeats: true,
      mayBeDone: false,
      overLimit: () => undefined,
    })
    const reason = random.chance(0.2) ? 'outage' : undefined
    rows.push({ type: 'row', row, line: row + 1, paymentId, ticket, reason, ...judged })
  }
  return {
    planId,
    operation,
    rows: [...readyRowsOf(() => (operation === 'capture' ? withFinal(rows) : rows))],
    createdAtMs: scheduler.nowMs,
    plannedAfter: facts.applied.length,
  }
}

/** Of several ready captures of one payment, only the last is final. */
const withFinal = (rows: readonly PlanRow[]): readonly PlanRow[] => {
  const ready = rows.filter(({ verdict }) => verdict === 'ready')
  return ready.map((row) =>
    ready.findLast(({ paymentId }) => paymentId === row.paymentId) === row ? row : { ...row, final: false },
  )
}
