import { CLOCK_SKEW_MS } from '../../src/client/calls/service-clock.ts'
import { drawConditions, drawLimits } from './conditions.ts'
import { MachineClock } from './machine-clock.ts'
import { Machine } from './machine.ts'
import { Monitor } from './monitor.ts'
import type { World } from './pay-process.ts'
import { createRandom } from './random.ts'
import { Scheduler } from './scheduler.ts'
import type { Service } from './service.ts'
import { SimulatedLedger } from './ledger/simulated-ledger.ts'
import { checkAtEnd } from './verdicts.ts'
import { WORKLOADS } from './workloads.ts'

export interface HistoryOptions {
  readonly seed: number
  readonly service: Service
  /** Takes the trace, one line for each event. Without it no trace is built. */
  readonly onLine?: (line: string) => void
  /** Counts what occurred: `kill`, `power cut`, `exit code 10`. */
  readonly count: (what: string) => void
}

/**
 * Runs one history: commands under faults, then recovery without faults, then the verdicts. The seed decides everything.
 * README.md explains what is simulated. Throws an InvariantViolation.
 */
export async function runHistory({ seed, service, onLine, count }: HistoryOptions): Promise<void> {
  const random = createRandom(seed)
  // Drawn apart, so that a seed without limits replays the history that it had.
  const conditions = { ...drawConditions(random), ...drawLimits(createRandom(seed ^ 0x5bd1e995)) }
  const trace = (who: string, words: () => string): void =>
    onLine?.(`${scheduler.now().toISOString().slice(5, 23)} ${who.padEnd(8)} ${words().trimEnd()}`)
  const scheduler = new Scheduler(conditions.startMs, random, trace)
  const ledger = new SimulatedLedger()
  const { isTeam, limits } = conditions
  if (isTeam && limits !== undefined) ledger.limit(limits)
  const isClockWrong =
    Math.abs(conditions.skewMs) > CLOCK_SKEW_MS ||
    conditions.clockStepRate > 0 ||
    conditions.clockDrift !== 0 ||
    conditions.serviceStepRate > 0
  const monitor = new Monitor(ledger, { now: () => scheduler.nowMs, isClockWrong, conditions })
  let ids = 0
  const newId = (kind: 'op' | 'key') => {
    ids += 1
    return `${kind}-${String(ids).padStart(3, '0')}`
  }
  const clock = new MachineClock(scheduler, createRandom(seed ^ 0x1b873593), {
    machine: 'here',
    drift: conditions.clockDrift,
  })
  const serviceClock = { aheadMs: conditions.skewMs }
  const world: World = {
    seed,
    scheduler,
    clock,
    serviceClock,
    ledger,
    service,
    monitor,
    random,
    trace,
    newId,
    conditions,
  }
  const { idempotency, keyLifeMs, lagMs } = conditions
  const now = () => new Date(scheduler.nowMs + serviceClock.aheadMs)
  service.reset({ random: createRandom(~seed), now, idempotency, keyLifeMs, lagMs })
  const first = await random.weighted(WORKLOADS)(service, random)
  const second = random.chance(0.4) ? [await random.weighted(WORKLOADS)(service, random)] : []
  const machine = new Machine(world, [first, ...second], count)
  trace('seed', () => `${seed}: ${JSON.stringify(conditions)}`)
  await machine.runCommands()
  await machine.recover()
  checkAtEnd({ monitor, service, ledger, replays: idempotency === 'replay', limits, isTeam })
  for (const { reported, wasKilled } of monitor.commands)
    count(reported === undefined ? (wasKilled ? 'killed' : 'cut off') : `exit code ${reported.exitCode}`)
  ledger.giveBack()
}
