import { resolveOpen } from '../../src/cli/resolve-open.ts'
import { PayError } from '../../src/errors.ts'
import { createClient } from '../../src/calls/client.ts'
import type { Client } from '../../src/calls/client-port.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import type { FileLedger } from '../../src/ledger/ledger.ts'
import { commandLine } from './command.ts'
import type { Command } from './command.ts'
import type { Conditions } from './conditions.ts'
import { LEDGER } from './monitor.ts'
import type { Monitor } from './monitor.ts'
import { processDisk } from './process-disk.ts'
import { processTransport } from './process-transport.ts'
import type { RequestWatch } from './process-transport.ts'
import type { Random } from './random.ts'
import type { Process, Scheduler } from './scheduler.ts'
import { BASE_URL } from './service.ts'
import type { Service } from './service.ts'
import type { SimulatedDisk } from './simulated-disk.ts'

/** Everything around the processes of one history. */
export interface World {
  readonly scheduler: Scheduler
  readonly disk: SimulatedDisk
  readonly service: Service
  readonly monitor: Monitor
  readonly random: Random
  /** Adds a line to the trace: who did what. */
  readonly trace: (who: string, words: () => string) => void
  /** Without faults once recovery begins. */
  conditions: Conditions
  readonly newId: (kind: 'op' | 'key') => string
}

/** How long after its sender gave up or died a request may still arrive: a little less than pay waits for it. */
const LATEST_MS = { test: 9_000, live: 290_000 } as const

const HOUR_MS = 60 * 60 * 1000

/** `pay <command>`: the real pipeline and the real ledger, up to the report of how it ended. */
export async function runCommand(world: World, process: Process, command: Command): Promise<void> {
  const { scheduler, monitor } = world
  const ledger = ledgerOf(world, process, command)
  const client = clientOf(world, process, command, ledger)
  const [exitCode, code, operationId] = await client.call(command.call).then(
    (answer) => [answer.exitCode, answer.warning, answer.operationId] as const,
    (error: unknown) => {
      if (!(error instanceof PayError)) throw error
      return [error.exitCode, `${error.code}: ${error.message}`, error.details.operationId] as const
    },
  )
  await scheduler.step(process, { words: () => `reports exit code ${exitCode} ${code ?? ''}` }, () =>
    monitor.onReport(command, { exitCode, code, operationId, atMs: scheduler.nowMs }),
  )
}

/** `pay ops resolve --all` */
export async function runResolve(world: World, process: Process): Promise<void> {
  const { scheduler, monitor, random } = world
  const ledger = ledgerOf(world, process, undefined)
  const report = (words: string, check: () => void) =>
    scheduler.step(process, { words: () => `reports: ${words}` }, check)
  const confirmsSending = !random.chance(world.conditions.signalRate)
  const { records } = await ledger.list({ onlyOpen: true })
  for (const { id } of records) {
    const command = monitor.commandOf(id)
    try {
      const { resolution } = await resolveOpen(
        ledger,
        id,
        async () => clientOf(world, process, command, ledger),
        { confirmSend: async () => confirmsSending },
      )
      await report(`${command.name} (${id}) is ${resolution.kind}: ${resolution.words}`, () =>
        monitor.onResolved(command, id, resolution.kind),
      )
    } catch (error) {
      if (!(error instanceof PayError)) throw error
      await report(`${command.name} (${id}): ${error.message}`, () => undefined)
    }
  }
}

/** `pay ops abandon`: a person gives up the oldest open write. */
export async function runAbandon(world: World, process: Process): Promise<void> {
  const ledger = ledgerOf(world, process, undefined)
  const { records } = await ledger.list({ onlyOpen: true })
  const [first] = records
  if (first === undefined) return
  try {
    const open = await ledger.reopen(first.id)
    await open.abandon('checked by hand')
  } catch (error) {
    if (!(error instanceof PayError)) throw error
  }
}

function ledgerOf(world: World, process: Process, command: Command | undefined): FileLedger {
  const { scheduler, disk, random } = world
  const own = { pid: process.pid, startedAt: process.startedAt, machine: 'here' }
  const other = (pid: number) => [...scheduler.processes].find((one) => one.pid === pid)
  return createLedger({
    disk: processDisk({
      disk,
      scheduler,
      process,
      random,
      diskFullRate: () => world.conditions.diskFullRate,
      onDiskFull: () => {
        // A resolve may have written about any of them.
        for (const one of command === undefined ? world.monitor.commands : [command]) one.wasDiskFull = true
      },
    }),
    folder: LEDGER,
    now: scheduler.now,
    newId: () => {
      const id = world.newId('op')
      if (command !== undefined) {
        command.recordId = id
        command.recordIds.push(id)
        world.trace(process.name, () => `begins ${id}: ${commandLine(command)}`)
      }
      return id
    },
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
    user: () => 'somebody',
    version: '1.0.0',
  })
}

/** Lets the monitor see the requests of a command. */
function watchOf({ service, monitor }: World, command: Command): RequestWatch {
  return {
    name: command.name,
    replay: command.plan.operation.replay,
    beforeSend: (request) => monitor.beforeSend(command, request),
    arrive: async (request) => {
      const amountBefore = adjustedAmount(service, command)
      const handled = await service.handle(request)
      if (request.method !== 'GET')
        monitor.afterArrival(command, handled, adjustedAmount(service, command) !== amountBefore)
      return handled
    },
    isOvertaken: () => monitor.isOvertaken(command),
    onDoubt: () => {
      command.wasInDoubt = true
    },
  }
}

/** The amount that an adjustment sets; undefined for other operations. */
function adjustedAmount(service: Service, { plan }: Command): number | undefined {
  const { id } = plan.params
  return plan.operation.id === 'payment.adjust' && id !== undefined ? service.payment(id).amount : undefined
}

function clientOf(world: World, process: Process, command: Command, ledger: FileLedger): Client {
  const { scheduler, random, trace } = world
  const oversleepMs = () => (world.conditions.isSlow && random.chance(0.1) ? random.below(26) * HOUR_MS : 0)
  return createClient({
    transport: processTransport({
      scheduler,
      process,
      random,
      watch: watchOf(world, command),
      oversleepMs,
      trace,
      deliveryFaultRate: () => world.conditions.deliveryFaultRate,
      latestMs: LATEST_MS[world.conditions.mode],
    }),
    ledger,
    profile: 'shop',
    mode: world.conditions.mode,
    baseUrl: BASE_URL,
    apiKey: 'sandbox_all',
    apiVersion: '2.1',
    userAgent: 'payctl',
    timeoutMs: 30_000,
    maxRetries: command.maxRetries,
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
