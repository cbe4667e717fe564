import { drawConditions } from '../conditions.ts'
import type { Conditions } from '../conditions.ts'
import type { HistoryOptions } from '../history.ts'
import { MachineClock } from '../machine-clock.ts'
import { createRandom } from '../random.ts'
import type { Random } from '../random.ts'
import { Scheduler } from '../scheduler.ts'
import { SimulatedLedger } from '../ledger/simulated-ledger.ts'
import { BatchFacts } from './batch-facts.ts'
import { checkAtEnd } from './batch-verdicts.ts'
import type { BatchMachine, BatchWorld } from './batch-world.ts'
import { drawMix, makePayments } from './operation-mix.ts'
import { People } from './people.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** In some histories, a limit on all refunds of a machine: no clock is set by a year. */
const drawTotal = (random: Random): Partial<Conditions> =>
  random.chance(0.2)
    ? {
        isTeam: false,
        limits: { maxTotal: { EUR: { amount: random.pick([300, 600, 1000]), spanMs: 365 * DAY_MS } } },
      }
    : {}

/**
 * One history of batches: two people on two machines apply plans, write to single payments and apply again, under faults. Then
 * the faults end, both apply every plan until nothing changes, and the promises are checked.
 */
export async function runBatchHistory({ seed, service, onLine, count }: HistoryOptions): Promise<void> {
  const random = createRandom(seed ^ 0x5bd1e995)
  const conditions: Conditions = {
    ...drawConditions(random),
    // Drawn apart, so that a seed without limits replays the history that it had.
    ...drawTotal(createRandom(seed ^ 0x2c1b3c6d)),
    keyLifeMs: DAY_MS,
    lagMs: 0,
  }
  const scheduler = new Scheduler(conditions.startMs, random, (who, words) => trace(who, words))
  const trace = (who: string, words: () => string): void =>
    onLine?.(`${scheduler.now().toISOString().slice(5, 23)} ${who.padEnd(10)} ${words().trimEnd()}`)
  const { idempotency, keyLifeMs, skewMs, lagMs } = conditions
  const now = () => new Date(scheduler.nowMs + skewMs)
  service.reset({ random: createRandom(~seed), now, idempotency, keyLifeMs, lagMs })
  const mix = drawMix(random)
  const payments = await makePayments(service, mix, random)
  const before = payments.map(service.payment)
  let ids = 0
  const newMachine = (name: string): BatchMachine => ({
    name,
    ledger: new SimulatedLedger(),
    clock: new MachineClock(scheduler, createRandom(seed ^ name.length), {
      machine: name,
      drift: name === 'here' ? conditions.clockDrift : 0,
    }),
    runs: new Map(),
    processes: new Set(),
    applying: new Map(),
    begun: new Set(),
    boots: 1,
  })
  const world: BatchWorld = {
    scheduler,
    service,
    facts: new BatchFacts(),
    random,
    mix,
    machines: [newMachine('here'), newMachine('there')],
    payments,
    trace,
    newId: (kind) => {
      ids += 1
      return `${kind}-${String(ids).padStart(3, '0')}`
    },
    conditions,
  }
  trace('seed', () => `${seed}: ${JSON.stringify(conditions)}`)
  const people = new People(world, count)
  await people.work()
  await people.recover()
  checkAtEnd({
    facts: world.facts,
    conditions,
    nowMs: scheduler.nowMs,
    machines: world.machines,
    payments: before.map((payment) => ({ before: payment, after: service.payment(payment.id) })),
  })
  for (const { outcome } of world.facts.outcomes.values()) count(`row ${outcome}`)
  for (const { ledger } of world.machines) ledger.giveBack()
}
