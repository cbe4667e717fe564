import { resolveOpen } from '../../src/cli/resolve-open.ts'
import { PayError } from '../../src/errors.ts'
import type { Client } from '../../src/client/calls/client-port.ts'
import type { WholeLedger } from '../../src/client/ledger/ledger.ts'
import { commandLine } from './command.ts'
import type { Command } from './command.ts'
import type { MachineClock } from './machine-clock.ts'
import type { Monitor } from './monitor.ts'
import { OTHER_ACCOUNT, processClient, processLedger } from './process-parts.ts'
import type { Surroundings } from './process-parts.ts'
import type { RequestWatch } from './process-transport.ts'
import type { Process } from './scheduler.ts'
import type { Service } from './service.ts'
import type { SimulatedLedger } from './ledger/simulated-ledger.ts'
import { TIMEOUT_MS } from './conditions.ts'
import { OPEN_STATES } from '../../src/client/ledger/record.ts'

/** Everything around the processes of one history. */
export interface World extends Surroundings {
  readonly seed: number
  readonly clock: MachineClock
  readonly serviceClock: { aheadMs: number }
  readonly ledger: SimulatedLedger
  readonly service: Service
  readonly monitor: Monitor
}

const HOUR_MS = 60 * 60 * 1000

/** `pay <command>`: the real pipeline and the real ledger, up to the report of how it ended. */
export async function runCommand(world: World, process: Process, command: Command): Promise<void> {
  const { scheduler, monitor } = world
  const ledger = ledgerOf(world, process, command)
  const { rotatesKey = false, isTeam } = world.conditions
  // With the earlier key gone, a doubt about other writes may stay.
  const isVisible = ['payment.refund', 'payment.capture'].includes(command.plan.operation.id)
  const hasOtherKey = rotatesKey && !isTeam && isVisible && world.random.chance(0.5)
  const client = clientOf(world, process, command, ledger, { resends: false, hasOtherKey })
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
  // `pay ops resolve ID --resend`, answered in person.
  const resends = world.conditions.hasOtherClient && random.chance(0.1)
  const hasOtherKey = world.conditions.hasOtherKey && random.chance(0.5)
  const { records } = await ledger.list({ states: OPEN_STATES })
  for (const { id } of records) {
    const command = monitor.commandOf(id)
    try {
      const { record, resolution } = await resolveOpen(
        ledger,
        id,
        async () => clientOf(world, process, command, ledger, { resends, hasOtherKey }),
        { confirmSend: async () => confirmsSending, resends, timeoutMs: TIMEOUT_MS },
      )
      // The command itself may have ended it first: `ops resolve` reports the record.
      const isOurs = record.state === resolution.kind
      const words = isOurs ? resolution.words : (record.note ?? '')
      await report(`${command.name} (${id}) is ${record.state}: ${words}`, () =>
        monitor.onResolved(command, id, record.state),
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
  const { records } = await ledger.list({ states: OPEN_STATES })
  const [first] = records
  if (first === undefined) return
  try {
    const open = await ledger.reopen(first.id)
    await open.abandon('checked by hand')
  } catch (error) {
    if (!(error instanceof PayError)) throw error
  }
}

function ledgerOf(world: World, process: Process, command: Command | undefined): WholeLedger {
  const { scheduler, ledger, monitor } = world
  return processLedger(world, process, {
    ledger,
    machine: 'here',
    clock: world.clock,
    processes: scheduler.processes,
    isTeam: world.conditions.isTeam,
    faultRate: () => world.conditions.diskFullRate,
    onFault: () => {
      // A resolve may have written about any of them.
      for (const one of command === undefined ? monitor.commands : [command]) one.wasDiskFull = true
    },
    newId: () => {
      const id = world.newId('op')
      if (command !== undefined) {
        command.recordId = id
        command.recordIds.push(id)
        command.begunAtMs = scheduler.nowMs
        world.trace(process.name, () => `begins ${id}: ${commandLine(command)}`)
      }
      return id
    },
  })
}

/** Lets the monitor see the requests of a command. */
function watchOf({ service, monitor }: World, command: Command, { resends }: Choice): RequestWatch {
  /** Why a write must not be sent, by what this process has read. */
  let why: string | undefined = 'the payment was not read'
  return {
    name: command.name,
    replay: command.plan.operation.replay,
    beforeSend: (request) => monitor.beforeSend(command, request, { why: resends ? undefined : why }),
    onAnswer: ({ method }, { reply }) => {
      if (method === 'GET') why = monitor.whyNotSent(command, reply.body)
    },
    arrive: async (request) => {
      const amountBefore = adjustedAmount(service, command)
      const handled = await service.handle(request)
      if (request.method !== 'GET')
        monitor.afterArrival(command, handled, adjustedAmount(service, command) !== amountBefore)
      return handled
    },
    isOvertaken: () => monitor.isOvertaken(command),
    onDoubt: ({ method }) => {
      if (method === 'GET') return
      command.wasInDoubt = true
      command.doubtfulAtMs = command.sent.at(-1)?.atMs ?? command.doubtfulAtMs
    },
  }
}

/** The amount that an adjustment sets; undefined for other operations. */
function adjustedAmount(service: Service, { plan }: Command): number | undefined {
  const { id } = plan.params
  return plan.operation.id === 'payment.adjust' && id !== undefined ? service.payment(id).amount : undefined
}

interface Choice {
  /** The user wants it sent although the payment may show it. */
  readonly resends: boolean
  /** Whether it has another API key of the command's merchant. */
  readonly hasOtherKey: boolean
}

function clientOf(
  world: World,
  process: Process,
  command: Command,
  ledger: WholeLedger,
  choice: Choice = { resends: false, hasOtherKey: false },
): Client {
  const { random } = world
  return processClient(world, process, {
    ledger,
    clock: world.clock,
    ...(choice.hasOtherKey ? { account: OTHER_ACCOUNT } : {}),
    watch: watchOf(world, command, choice),
    maxRetries: command.maxRetries,
    oversleepMs: () => (world.conditions.isSlow && random.chance(0.1) ? random.below(26) * HOUR_MS : 0),
  })
}
