import { withoutFaults } from '../conditions.ts'
import { interruptProcess } from '../interrupt-process.ts'
import { newProcess } from '../scheduler.ts'
import type { Process } from '../scheduler.ts'
import type { SimulatedPlan } from './batch-facts.ts'
import { checkNothingOpen, runApply } from './batch-process.ts'
import type { BatchMachine, BatchWorld } from './batch-world.ts'
import { makePlan } from './make-plan.ts'
import { runResolveSingles, runSingle, writeWithoutPay } from './singles.ts'

const MINUTE_MS = 60 * 1000
/** By then every request that is still in flight has arrived. */
const ALL_ARRIVED_MS = 7 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS
const THINKING_MS = [10, 500, 5_000, MINUTE_MS, 11 * MINUTE_MS] as const
const SLOW_THINKING_MS = [...THINKING_MS, HOUR_MS, 8 * HOUR_MS, 22 * HOUR_MS, 25 * HOUR_MS] as const

/** Two people at their machines. */
export class People {
  readonly #world: BatchWorld
  readonly #count: (what: string) => void
  #pids = 100
  #starts = 0
  #others = 0

  constructor(world: BatchWorld, count: (what: string) => void) {
    this.#world = world
    this.#count = count
  }

  /** Until every command has run; requests may still be in flight. */
  async work(): Promise<void> {
    const { scheduler, random, conditions } = this.#world
    await this.#plan()
    let commandsLeft = 3 + random.below(8)
    let nextAtMs = scheduler.nowMs
    for (;;) {
      this.#interrupt()
      if (commandsLeft === 0 && scheduler.processes.size === 0) return
      const start = {
        atMs: nextAtMs,
        run: async () => {
          commandsLeft -= 1
          nextAtMs = scheduler.nowMs + random.pick(conditions.isSlow ? SLOW_THINKING_MS : THINKING_MS)
          await this.#startNext()
        },
      }
      await scheduler.runNext(commandsLeft > 0 ? [start] : [])
    }
  }

  /** Ends all faults. Both people apply every plan again, until nothing changes. */
  async recover(): Promise<void> {
    const { scheduler, random, machines, facts, trace, conditions } = this.#world
    trace('people', () => 'meet no faults from here on')
    this.#world.conditions = withoutFaults(conditions)
    for (let before = '', round = 0; round < 6; round += 1) {
      scheduler.schedule({ atMs: scheduler.nowMs + ALL_ARRIVED_MS, run: () => undefined })
      while (!scheduler.isIdle) await scheduler.runNext([])
      for (const machine of machines) {
        await this.#alone(machine, 'resolve', (process) => runResolveSingles(this.#world, machine, process))
        for (const plan of facts.plans)
          await this.#alone(machine, 'apply', (process) => runApply(this.#world, machine, process, plan))
      }
      // What a run has reported is durable.
      if (round === 0 && random.chance(0.3)) for (const machine of machines) this.#cutPower(machine)
      const now = JSON.stringify([...facts.outcomes])
      if (now === before) break
      before = now
    }
    for (const machine of machines)
      await this.#alone(machine, 'check', (process) => checkNothingOpen(this.#world, machine, process))
  }

  async #startNext(): Promise<void> {
    const world = this.#world
    const { random, machines, facts, scheduler } = world
    const machine = random.pick(machines)
    const other = machine === machines[0] ? machines[1] : machines[0]
    const what = random.weighted([
      [5, 'apply'],
      [2, 'single'],
      [1, 'apply on both machines'],
      [1, 'apply and single'],
      [1, 'resolve'],
      [1, 'plan'],
      [1, 'other'],
    ])
    const [first, ...rest] = facts.plans
    if (first === undefined) return
    const plan = random.pick([first, ...rest])
    switch (what) {
      case 'apply':
        return this.#apply(machine, plan)
      case 'apply on both machines':
        await this.#apply(machine, plan)
        return this.#apply(other, plan)
      case 'apply and single':
        await this.#apply(machine, plan)
        return this.#single(machine)
      case 'single':
        return this.#single(machine)
      case 'resolve': {
        const process = this.#newProcess(machine, what)
        return scheduler.start(process, () => runResolveSingles(world, machine, process))
      }
      case 'plan':
        return facts.plans.length < 3 ? this.#plan() : undefined
      case 'other':
        return writeWithoutPay(world, `other-${(this.#others += 1)}`)
    }
  }

  async #plan(): Promise<void> {
    const plan = await makePlan(this.#world)
    this.#world.facts.plans.push(plan)
    this.#count(`${plan.operation} plan`)
  }

  async #apply(machine: BatchMachine, plan: SimulatedPlan): Promise<void> {
    if (machine.applying.get(plan.planId)?.isAlive === true) return
    const process = this.#newProcess(machine, 'apply')
    machine.applying.set(plan.planId, process)
    this.#count('apply')
    await this.#world.scheduler.start(process, () => runApply(this.#world, machine, process, plan))
  }

  async #single(machine: BatchMachine): Promise<void> {
    const process = this.#newProcess(machine, 'single')
    this.#count('single')
    await this.#world.scheduler.start(process, () => runSingle(this.#world, machine, process))
  }

  async #alone(
    machine: BatchMachine,
    name: string,
    main: (process: Process) => Promise<void>,
  ): Promise<void> {
    const { scheduler } = this.#world
    const process = this.#newProcess(machine, name)
    await scheduler.start(process, () => main(process))
    while (process.isAlive) await scheduler.runNext([])
  }

  #newProcess(machine: BatchMachine, name: string): Process {
    this.#pids += 1
    this.#starts += 1
    const process = newProcess({
      pid: this.#pids,
      startedAt: `${machine.boots}-${this.#starts}`,
      name: `${name}${this.#starts} ${machine.name}`,
    })
    machine.processes.add(process)
    return process
  }

  /** Before the next step: perhaps a power cut of a machine, or a kill or Ctrl-C of a process. */
  #interrupt(): void {
    const { conditions, random, scheduler, machines } = this.#world
    for (const machine of machines) {
      if (random.chance(conditions.clockStepRate / 2)) machine.clock.step()
      const alive = [...machine.processes].filter(({ isAlive }) => isAlive)
      if (random.chance(conditions.powerCutRate / 2)) {
        for (const process of alive) scheduler.kill(process)
        this.#cutPower(machine)
        continue
      }
      for (const process of alive)
        interruptProcess(this.#world, process, { isInFlight: process.onKill.size > 0, count: this.#count })
    }
  }

  #cutPower(machine: BatchMachine): void {
    this.#world.trace(machine.name, () => 'loses power')
    this.#count('power cut')
    for (const noted of machine.runs.values()) noted.splice(this.#world.random.below(noted.length + 1))
    machine.boots += 1
    machine.clock.reboot()
  }
}
