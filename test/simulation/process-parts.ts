import { createClient } from '../../src/calls/client.ts'
import type { Client } from '../../src/calls/client-port.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import type { WholeLedger } from '../../src/ledger/ledger.ts'
import { ledgerAheadMs } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import { processTransport } from './process-transport.ts'
import type { RequestWatch } from './process-transport.ts'
import type { Random } from './random.ts'
import type { Process, Scheduler } from './scheduler.ts'
import { BASE_URL } from './service.ts'
import { processStore } from './ledger/simulated-ledger.ts'
import type { SimulatedLedger } from './ledger/simulated-ledger.ts'

/** How long after its sender gave up or died a request may still arrive: a little less than pay waits for it. */
const LATEST_MS = { test: 9_000, live: 290_000 } as const
export const ACCOUNT = { baseUrl: BASE_URL, apiKey: 'sandbox_all' }

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
  { ledger, machine, processes, faultRate, onFault, newId, isTeam = false }: LedgerOptions,
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
    team: isTeam ? { url: '', account: 'acme' } : undefined,
    now: scheduler.now,
    monotonicMs: () => scheduler.now().getTime(),
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
  readonly watch: RequestWatch
  readonly maxRetries: number
  /** How much longer a wait takes, because the machine slept. */
  readonly oversleepMs: () => number
}

/** The real pipeline of one process. */
export function processClient(
  world: Surroundings,
  process: Process,
  { ledger, watch, maxRetries, oversleepMs }: ClientOptions,
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
      latestMs: LATEST_MS[world.conditions.mode],
    }),
    ledger,
    profile: 'shop',
    mode: world.conditions.mode,
    ...ACCOUNT,
    apiVersion: '2.1',
    userAgent: 'payctl',
    timeoutMs: 30_000,
    maxRetries,
    now: scheduler.now,
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
