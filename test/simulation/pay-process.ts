import { resolveOpen } from '../../src/cli/resolve-open.ts'
import { PayError } from '../../src/errors.ts'
import { createClient } from '../../src/calls/client.ts'
import type { Client } from '../../src/calls/call.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import type { FileLedger } from '../../src/ledger/ledger.ts'
import type { Chance } from './random.ts'
import { wordsOf } from './command.ts'
import type { Command } from './command.ts'
import type { SimulatedDisk } from './simulated-disk.ts'
import type { Habits } from './conditions.ts'
import { processDisk } from './process-disk.ts'
import { processTransport } from './process-transport.ts'
import type { Process, Scheduler } from './scheduler.ts'
import { BASE_URL } from './service.ts'
import type { Service } from './service.ts'
import { LEDGER } from './monitor.ts'
import type { Watch } from './monitor.ts'

/** All that a process has around it. */
export interface World {
  readonly scheduler: Scheduler
  readonly disk: SimulatedDisk
  readonly service: Service
  readonly watch: Watch
  readonly chance: Chance
  readonly tell: (who: string, words: () => string) => void
  /** What may still go wrong; nothing at the end. */
  habits: Habits
  readonly newId: (kind: 'op' | 'key') => string
}

/** What was sent may still arrive so long after its sender has given up or died: a little less than is waited for. */
const LATEST_MS = { test: 9_000, live: 290_000 } as const

const HOUR_MS = 60 * 60 * 1000

/** `pay <command>`: the real pipeline and the real ledger, until it is told how it ended. */
export async function runCommand(world: World, process: Process, command: Command): Promise<void> {
  const { scheduler, watch } = world
  const ledger = ledgerOf(world, process, command)
  const client = clientOf(world, process, command, ledger)
  const [exitCode, code, operationId] = await client.call(command.call).then(
    (answer) => [answer.exitCode, answer.warning, answer.operationId] as const,
    (error: unknown) => {
      if (!(error instanceof PayError)) throw error
      return [error.exitCode, `${error.code}: ${error.message}`, error.details.operationId] as const
    },
  )
  await scheduler.at(process, { words: () => `tells exit code ${exitCode} ${code ?? ''}` }, () =>
    watch.tells(command, { exitCode, code, operationId, atMs: scheduler.nowMs }),
  )
}

/** `pay ops resolve --all` */
export async function runResolve(world: World, process: Process): Promise<void> {
  const { scheduler, watch, chance } = world
  const ledger = ledgerOf(world, process, undefined)
  const say = (words: string, look: () => void) =>
    scheduler.at(process, { words: () => `tells: ${words}` }, look)
  const answers = !chance.happens(world.habits.signals)
  const { records } = await ledger.list({ onlyOpen: true })
  for (const { id } of records) {
    const command = watch.of(id)
    try {
      const { resolution } = await resolveOpen(
        ledger,
        id,
        async () => clientOf(world, process, command, ledger),
        { maySend: async () => answers },
      )
      await say(`${command.name} (${id}) is ${resolution.kind}: ${resolution.words}`, () =>
        watch.resolves(command, id, resolution.kind),
      )
    } catch (error) {
      if (!(error instanceof PayError)) throw error
      await say(`${command.name} (${id}): ${error.message}`, () => undefined)
    }
  }
}

/** `pay ops abandon`, on a person's word. */
export async function runAbandon(world: World, process: Process): Promise<void> {
  const ledger = ledgerOf(world, process, undefined)
  const { records } = await ledger.list({ onlyOpen: true })
  const [first] = records
  if (first === undefined) return
  try {
    const open = await ledger.reopen(first.id)
    await open.abandon('looked at')
  } catch (error) {
    if (!(error instanceof PayError)) throw error
  }
}

function ledgerOf(world: World, process: Process, command: Command | undefined): FileLedger {
  const { scheduler, disk, chance } = world
  const own = { pid: process.pid, startedAt: process.startedAt, machine: 'here' }
  const other = (pid: number) => [...scheduler.processes].find((one) => one.pid === pid)
  return createLedger({
    disk: processDisk({
      disk,
      scheduler,
      process,
      chance,
      fullness: () => world.habits.fullness,
      onFull: () => {
        for (const one of command === undefined ? world.watch.commands : [command]) one.wasDiskFull = true
      },
    }),
    folder: LEDGER,
    now: scheduler.now,
    newId: () => {
      const id = world.newId('op')
      if (command !== undefined) {
        command.recordId = id
        command.recordIds.push(id)
        world.tell(process.name, () => `begins ${id}: ${wordsOf(command)}`)
      }
      return id
    },
    processes: {
      own: () => own,
      isAlive: (pid) => other(pid) !== undefined,
      startOf: (pid) => other(pid)?.startedAt,
    },
    wait: (ms) =>
      scheduler.at(
        process,
        { words: () => `has waited ${ms} ms for another claim`, readyAtMs: scheduler.nowMs + ms },
        () => undefined,
      ),
    user: () => 'somebody',
    version: '1.0.0',
  })
}

function clientOf(world: World, process: Process, command: Command, ledger: FileLedger): Client {
  const { scheduler, service, watch, chance, tell } = world
  const oversleepMs = () => (world.habits.isSlow && chance.happens(0.1) ? chance.below(26) * HOUR_MS : 0)
  return createClient({
    transport: processTransport({
      scheduler,
      process,
      service,
      watch,
      chance,
      command,
      oversleepMs,
      tell,
      mishaps: () => world.habits.mishaps,
      latestMs: LATEST_MS[world.habits.mode],
    }),
    ledger,
    profile: 'shop',
    mode: world.habits.mode,
    baseUrl: BASE_URL,
    apiKey: 'sandbox_all',
    apiVersion: '2.1',
    userAgent: 'payctl',
    timeoutMs: 30_000,
    maxRetries: command.maxRetries,
    now: scheduler.now,
    random: chance.next,
    newId: () => world.newId('key'),
    sleep: (ms, signal) =>
      scheduler.at(
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
