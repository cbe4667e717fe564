import { SMALL_STEPS_MS } from './machine-clock.ts'
import { createCommand } from './command.ts'
import type { Command } from './command.ts'
import { withoutFaults } from './conditions.ts'
import { interruptProcess } from './interrupt-process.ts'
import { OtherClient } from './other-client.ts'
import { runAbandon, runCommand, runResolve } from './pay-process.ts'
import type { World } from './pay-process.ts'
import type { Plan } from './plan.ts'
import { newProcess } from './scheduler.ts'
import type { Process, TimedEvent } from './scheduler.ts'
import type { Workload } from './workloads.ts'

const MINUTE_MS = 60 * 1000
/** By then every request that is still in flight has arrived, and shows. */
const ALL_ARRIVED_MS = 7 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS
/** Between two commands of a terminal: short enough for repeats, long enough for limits and keys to expire. */
const THINKING_MS = [100, 5_000, MINUTE_MS, 11 * MINUTE_MS] as const
const SLOW_THINKING_MS = [...THINKING_MS, HOUR_MS, 22 * HOUR_MS, 25 * HOUR_MS] as const

interface Terminal {
  readonly name: string
  commandsLeft: number
  process: Process | undefined
  nextAtMs: number
}

/** A machine whose terminals run pay, with the faults that end processes: kills, signals and power cuts. */
export class Machine {
  readonly #world: World
  readonly #workloads: readonly [Workload, ...Workload[]]
  readonly #count: (what: string) => void
  readonly #terminals: readonly Terminal[]
  readonly #otherClient: OtherClient | undefined
  #boots = 1
  #pids = 100
  #starts = 0

  constructor(world: World, workloads: readonly [Workload, ...Workload[]], count: (what: string) => void) {
    this.#world = world
    this.#workloads = workloads
    this.#count = count
    const { conditions, scheduler } = world
    this.#terminals = Array.from({ length: conditions.terminals }, (_, index) => ({
      name: `pay-${index + 1}`,
      commandsLeft: Math.ceil(conditions.commands / conditions.terminals),
      process: undefined,
      nextAtMs: scheduler.nowMs,
    }))
    if (conditions.hasOtherClient) this.#otherClient = new OtherClient(world, workloads)
  }

  /** Runs until every terminal has run its commands. Requests may still be in flight. */
  async runCommands(): Promise<void> {
    const { scheduler } = this.#world
    for (;;) {
      this.#interrupt()
      const idle = this.#terminals.filter(
        ({ process, commandsLeft }) => process?.isAlive !== true && commandsLeft > 0,
      )
      if (idle.length === 0 && scheduler.processes.size === 0) return
      const starts = idle.map((terminal): TimedEvent => ({
        atMs: terminal.nextAtMs,
        run: () => this.#startNext(terminal),
      }))
      await scheduler.runNext([...starts, ...(this.#otherClient?.events() ?? [])])
    }
  }

  /** Ends all faults and runs `pay ops resolve --all` until it changes nothing. */
  async recover(): Promise<void> {
    const { conditions, scheduler, monitor, random, trace } = this.#world
    trace('machine', () => 'has no faults from here on')
    this.#world.conditions = withoutFaults(conditions)
    if (this.#otherClient?.mayFinishFirst() === true) await this.#otherClient.finish()
    for (let open = '', round = 0; round < 5; round += 1) {
      await this.#resolveAll(round === 0 && random.chance(0.3) ? 2 : 1)
      this.#world.conditions = { ...this.#world.conditions, hasOtherKey: false }
      await this.#otherClient?.finish()
      scheduler.schedule({ atMs: scheduler.nowMs + ALL_ARRIVED_MS, run: () => undefined })
      while (!scheduler.isIdle) await scheduler.runNext([])
      const before = open
      open = this.#world.ledger.open.map(({ id }) => id).join()
      // In a team's ledger, the first one may only have found leases that had not passed.
      if (open === before && !(conditions.isTeam && round === 1)) break
    }
    // The doubt about a write that is safe to repeat ends by typing the command again.
    for (const { id } of this.#world.ledger.open) {
      const { plan } = monitor.commandOf(id)
      if (plan.operation.replay !== 'safe') continue
      const command = this.#createCommand(plan)
      await this.#runAlone('again', (process) => runCommand(this.#world, process, command))
    }
  }

  async #startNext(terminal: Terminal): Promise<void> {
    const { random, conditions, scheduler, monitor } = this.#world
    terminal.commandsLeft -= 1
    const process = this.#newProcess(terminal.name)
    terminal.process = process
    const last = monitor.commands.at(-1)
    const isLastUnknown = last !== undefined && (last.reported === undefined || last.reported.exitCode === 10)
    const thinkingMs = random.pick(conditions.isSlow ? SLOW_THINKING_MS : THINKING_MS)
    terminal.nextAtMs = scheduler.nowMs + (isLastUnknown && random.chance(0.3) ? 100 : thinkingMs)
    if (random.chance(isLastUnknown ? 0.45 : 0.1)) {
      if (random.chance(0.05)) {
        this.#count('abandon')
        return scheduler.start(process, () => runAbandon(this.#world, process))
      }
      this.#count('resolve')
      return scheduler.start(process, () => runResolve(this.#world, process))
    }
    const command = this.#createCommand(this.#nextPlan())
    process.onKill.add(() => {
      command.wasKilled = command.reported === undefined
    })
    await scheduler.start(process, () => runCommand(this.#world, process, command))
  }

  /** Often the plan of an earlier command, since equal commands endanger each other most. */
  #nextPlan(): Plan {
    const { random, monitor, scheduler } = this.#world
    const [first, ...rest] = monitor.commands
    const last = rest.at(-1) ?? first
    if (last !== undefined && scheduler.processes.size > 0 && random.chance(0.5)) return last.plan
    if (first !== undefined && random.chance(0.35)) return random.pick([first, ...rest]).plan
    return random.pick(this.#workloads).next(random)
  }

  #createCommand(plan: Plan): Command {
    const { monitor, conditions, random } = this.#world
    const command = createCommand(plan, `command ${monitor.commands.length + 1}`, conditions, random)
    monitor.commands.push(command)
    return command
  }

  /** Runs so many `pay ops resolve --all` at the same time. */
  async #resolveAll(count: number): Promise<void> {
    const { scheduler } = this.#world
    const processes: Process[] = []
    for (let index = 1; index <= count; index += 1) {
      const process = this.#newProcess(`resolve${index}`)
      processes.push(process)
      await scheduler.start(process, () => runResolve(this.#world, process))
    }
    while (processes.some(({ isAlive }) => isAlive)) await scheduler.runNext([])
  }

  async #runAlone(name: string, main: (process: Process) => Promise<void>): Promise<void> {
    const { scheduler } = this.#world
    const process = this.#newProcess(name)
    await scheduler.start(process, () => main(process))
    while (process.isAlive) await scheduler.runNext([])
  }

  #newProcess(name: string): Process {
    const { conditions, random, scheduler } = this.#world
    const taken = new Set([...scheduler.processes].map(({ pid }) => pid))
    const free = [100, 101, 102].filter((pid) => !taken.has(pid))
    const pid = conditions.reusesPids ? (free[random.below(free.length)] ?? 103) : (this.#pids += 1)
    this.#starts += 1
    return newProcess({ pid, startedAt: `${this.#boots}-${this.#starts}`, name })
  }

  /** Before the next step: perhaps a power cut, or a kill or Ctrl-C for each process. */
  #interrupt(): void {
    const { conditions, random, scheduler, trace } = this.#world
    const processes = [...scheduler.processes]
    if (random.chance(conditions.clockStepRate)) {
      this.#world.clock.step()
      trace('machine', () => `has its clock set to ${this.#world.clock.now().toISOString()}`)
      this.#count('clock set')
    }
    if (random.chance(conditions.serviceStepRate)) {
      const byMs = random.pick(SMALL_STEPS_MS)
      this.#world.serviceClock.aheadMs += byMs
      trace('service', () => `has its clock set by ${byMs / 60_000} minutes`)
      this.#count("service's clock set")
    }
    if (random.chance(conditions.powerCutRate)) {
      trace('machine', () => 'loses power')
      this.#count('power cut')
      for (const process of processes) scheduler.kill(process)
      this.#boots += 1
      this.#world.clock.reboot()
      return
    }
    for (const process of processes)
      interruptProcess(this.#world, process, { isInFlight: process.onKill.size > 1, count: this.#count })
  }
}
