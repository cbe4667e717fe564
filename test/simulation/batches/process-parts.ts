import { createClient } from '../../../src/calls/client.ts'
import type { Client } from '../../../src/calls/client-port.ts'
import { createLedger } from '../../../src/ledger/ledger.ts'
import type { FileLedger } from '../../../src/ledger/ledger.ts'
import { processDisk } from '../process-disk.ts'
import { processTransport } from '../process-transport.ts'
import type { RequestWatch } from '../process-transport.ts'
import type { Process } from '../scheduler.ts'
import { BASE_URL } from '../service.ts'
import { BATCH_STATE } from './batch-world.ts'
import type { BatchMachine, BatchWorld } from './batch-world.ts'

/** How long after its sender gave up or died a request may still arrive. */
const LATEST_MS = { test: 9_000, live: 290_000 } as const
export const ACCOUNT = { baseUrl: BASE_URL, apiKey: 'sandbox_all' }

/** The ledger of a machine, as one of its processes uses it. */
export function ledgerOf(world: BatchWorld, machine: BatchMachine, process: Process): FileLedger {
  const { scheduler, random } = world
  const own = { pid: process.pid, startedAt: process.startedAt, machine: machine.name }
  const other = (pid: number) => [...machine.processes].find((one) => one.isAlive && one.pid === pid)
  return createLedger({
    disk: processDisk({
      disk: machine.disk,
      scheduler,
      process,
      random,
      diskFullRate: () => 0,
      onDiskFull: () => undefined,
    }),
    folder: `${BATCH_STATE}/ledger`,
    now: scheduler.now,
    newId: () => world.newId('op'),
    processes: {
      own: () => own,
      isAlive: (pid) => other(pid) !== undefined,
      startOf: (pid) => other(pid)?.startedAt,
    },
    wait: (ms) =>
      scheduler.step(
        process,
        { words: () => `has waited ${ms} ms for another claim`, readyAtMs: scheduler.nowMs + ms },
        () => undefined,
      ),
    user: () => 'someone',
    version: '1.0.0',
  })
}

/** The pipeline of one process. */
export function clientOf(
  world: BatchWorld,
  process: Process,
  ledger: FileLedger,
  watch: RequestWatch,
): Client {
  const { scheduler, random, trace } = world
  return createClient({
    transport: processTransport({
      scheduler,
      process,
      random,
      watch,
      oversleepMs: () => 0,
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
    maxRetries: random.below(4),
    returns429: true,
    now: scheduler.now,
    random: random.next,
    newId: () => world.newId('key'),
    sleep: (ms, signal) =>
      scheduler.step(
        process,
        {
          words: () => `has slept ${ms} ms`,
          readyAtMs: scheduler.nowMs + ms,
          isReady: () => signal.aborted,
        },
        () => undefined,
      ),
    interruption: { stop: process.stop.signal, abandon: process.abandon.signal },
    onAttempt: () => undefined,
  })
}
