import { createClient } from '../../src/client/calls/client.ts'
import type { Client } from '../../src/client/calls/client-port.ts'
import { createLedger } from '../../src/client/ledger/ledger.ts'
import type { WholeLedger } from '../../src/client/ledger/ledger.ts'
import { TIMEOUT_MS, ledgerAheadMs } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import type { MachineClock } from './machine-clock.ts'
import { processTransport } from './process-transport.ts'
import type { RequestWatch } from './process-transport.ts'
import type { Random } from './random.ts'
import type { Process, Scheduler } from './scheduler.ts'
import { BASE_URL } from './service.ts'
import { processStore, TEAM_ACCOUNT } from './ledger/simulated-ledger.ts'
import type { SimulatedLedger } from './ledger/simulated-ledger.ts'

export const ACCOUNT = { baseUrl: BASE_URL, apiKey: 'sandbox_all' }
/** Another key of the same merchant. */
export const OTHER_ACCOUNT = { baseUrl: BASE_URL, apiKey: 'sandbox_nobeta' }

/** What every process of a history meets. */
export interface Surroundings {
  readonly scheduler: Scheduler
  readonly random: Random
  /** Adds a line to the trace: who did what. */
  readonly trace: (who: string, words: () => string) => void
  /** Without faults once recovery begins. */
  conditions: Conditions
  readonly newId: (kind: 'op' | 'key') => string
}

interface LedgerOptions {
  readonly ledger: SimulatedLedger
  readonly machine: string
  readonly clock: MachineClock
  /** The processes of that machine. */
  readonly processes: Iterable<Process>
  readonly faultRate: () => number
  readonly onFault: () => void
  readonly newId: () => string
  readonly isTeam?: boolean
}

/** Longer than the lease of a write. */
const STANDSTILL_MS = 70_000

/** The real ledger, as one process uses it. */
export function processLedger(
  { scheduler, random, conditions }: Surroundings,
  process: Process,
  { ledger, machine, clock, processes, faultRate, onFault, newId, isTeam = false }: LedgerOptions,
): WholeLedger {
  const own = { pid: process.pid, startedAt: process.startedAt, machine }
  const other = (pid: number) => [...processes].find((one) => one.isAlive && one.pid === pid)
  return createLedger({
    store: processStore({
      ledger,
      scheduler,
      process,
      random,
      faultRate,
      onFault,
      ...(isTeam ? { databaseNow: () => new Date(scheduler.nowMs + ledgerAheadMs({ isTeam })) } : {}),
      standstillMs: () => (isTeam && conditions.isSlow && random.chance(0.3) ? STANDSTILL_MS : 0),
    }),
    team: isTeam ? { url: '', account: TEAM_ACCOUNT } : undefined,
    now: clock.now,
    monotonicMs: () => scheduler.nowMs,
    clocks: () => clock.clocksOf(process),
    newId,
    processes: {
      own: () => own,
      isAlive: (pid) => other(pid) !== undefined,
      startOf: (pid) => other(pid)?.startedAt,
    },
    user: () => 'someone',
    version: '1.0.0',
  })
}

interface ClientOptions {
  readonly ledger: WholeLedger
  readonly clock: MachineClock
  readonly account?: typeof ACCOUNT
  readonly watch: RequestWatch
  readonly maxRetries: number
  /** How much longer a wait takes, because the machine slept. */
  readonly oversleepMs: () => number
}

/** The real pipeline of one process. */
export function processClient(
  world: Surroundings,
  process: Process,
  { ledger, clock, account = ACCOUNT, watch, maxRetries, oversleepMs }: ClientOptions,
): Client {
  const { scheduler, random, trace } = world
  return createClient({
    transport: processTransport({
      scheduler,
      process,
      random,
      watch,
      oversleepMs,
      trace,
      deliveryFaultRate: () => world.conditions.deliveryFaultRate,
      latestMs: world.conditions.latestMs,
    }),
    ledger,
    profile: 'shop',
    mode: world.conditions.mode,
    ...(world.conditions.isTeam ? {} : { limits: world.conditions.limits }),
    ...account,
    apiVersion: '2.1',
    userAgent: 'payctl',
    timeoutMs: TIMEOUT_MS,
    maxRetries,
    now: clock.now,
    clocks: () => clock.clocksOf(process),
    random: random.next,
    newId: () => world.newId('key'),
    sleep: (ms, signal) =>
      scheduler.step(
        process,
        {
          words: () => `has slept ${ms} ms`,
          readyAtMs: scheduler.nowMs + ms + oversleepMs(),
          isReady: () => signal.aborted,
        },
        () => undefined,
      ),
    interruption: { stop: process.stop.signal, abandon: process.abandon.signal },
    onAttempt: () => undefined,
  })
}
