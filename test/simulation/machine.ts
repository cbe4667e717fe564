import { commandOf } from './command.ts'
import type { Command } from './command.ts'
import { runAbandon, runCommand, runResolve } from './pay-process.ts'
import type { World } from './pay-process.ts'
import type { Plan, Scene } from './workloads.ts'
import type { Happening, Process } from './scheduler.ts'
import { BASE_URL } from './service.ts'
import { Violation } from './invariant-violation.ts'
import { LEDGER, recordsIn } from './monitor.ts'

const MINUTE_MS = 60 * 1000
const LATE_MS = 6 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS
/** From one command to the next: so that some are repeats, and some keys are old. */
const THINKING_MS = [100, 5_000, MINUTE_MS, 11 * MINUTE_MS] as const
const SLOW_THINKING_MS = [...THINKING_MS, HOUR_MS, 22 * HOUR_MS, 25 * HOUR_MS] as const

interface Terminal {
  readonly name: string
  left: number
  process: Process | undefined
  nextAtMs: number
}

/** A machine with its terminals, and all that can go wrong on it. */
export class Shop {
  readonly #world: World
  readonly #scenes: readonly [Scene, ...Scene[]]
  readonly #count: (what: string) => void
  readonly #terminals: readonly Terminal[]
  readonly #meddling: Happening[] = []
  #boot = 1
  #pids = 100
  #starts = 0

  constructor(world: World, scenes: readonly [Scene, ...Scene[]], count: (what: string) => void) {
    this.#world = world
    this.#scenes = scenes
    this.#count = count
    const { habits, scheduler, chance } = world
    this.#terminals = Array.from({ length: habits.terminals }, (_, index) => ({
      name: `pay-${index + 1}`,
      left: Math.ceil(habits.commands / habits.terminals),
      process: undefined,
      nextAtMs: scheduler.nowMs,
    }))
    if (habits.hasMeddler) this.#meddling.push(this.#meddler(scheduler.nowMs + chance.below(20 * MINUTE_MS)))
  }

  /** Until every terminal has had its commands. */
  async live(): Promise<void> {
    const { scheduler } = this.#world
    for (;;) {
      this.#disturb()
      const idle = this.#terminals.filter(({ process, left }) => process?.isAlive !== true && left > 0)
      // What is still on its way arrives while everything is cleared up.
      if (idle.length === 0 && scheduler.processes.size === 0) return
      const starts = idle.map((terminal): Happening => ({
        atMs: terminal.nextAtMs,
        go: () => this.#next(terminal),
      }))
      await scheduler.turn([...starts, ...this.#meddling])
    }
  }

  /** The machine is started again, nothing goes wrong any more, and everything is resolved until nothing changes. */
  async clearUp(): Promise<void> {
    const { habits, scheduler, watch, chance, tell } = this.#world
    tell('machine', () => 'from here on nothing goes wrong')
    this.#world.habits = {
      ...habits,
      mishaps: 0,
      kills: 0,
      powerCuts: 0,
      signals: 0,
      fullness: 0,
      isSlow: false,
    }
    for (let open = '', round = 0; round < 5; round += 1) {
      await this.#resolveAll(round === 0 && chance.happens(0.3) ? 2 : 1)
      // What was under way has arrived by then.
      scheduler.later({ atMs: scheduler.nowMs + LATE_MS, go: () => undefined })
      while (!scheduler.isIdle) await scheduler.turn([])
      const before = open
      open = this.open()
        .map(({ id }) => id)
        .join()
      if (open === before) break
    }
    for (const { id } of this.open()) {
      const { plan } = watch.of(id)
      if (plan.operation.replay !== 'safe') continue
      const command = this.#commandOf(plan)
      await this.#runAlone('again', (process) => runCommand(this.#world, process, command))
    }
  }

  open() {
    const { disk, watch } = this.#world
    const ended = new Set(watch.ends().map(({ id }) => id))
    return disk
      .names(`${LEDGER}/open`)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => {
        const records = recordsIn(disk.text(`${LEDGER}/open/${name}`) ?? '')
        if (records.length !== 1) throw new Violation('Every open record can be read.', name)
        return records
      })
      .filter(({ id }) => !ended.has(id))
  }

  async #next(terminal: Terminal): Promise<void> {
    const { chance, habits, scheduler, watch } = this.#world
    terminal.left -= 1
    const process = this.#newProcess(terminal.name)
    terminal.process = process
    const last = watch.commands.at(-1)
    const isTroubled = last !== undefined && (last.told === undefined || last.told.exitCode === 10)
    const thinkingMs = chance.pick(habits.isSlow ? SLOW_THINKING_MS : THINKING_MS)
    terminal.nextAtMs = scheduler.nowMs + (isTroubled && chance.happens(0.3) ? 100 : thinkingMs)
    if (chance.happens(isTroubled ? 0.45 : 0.1)) {
      if (chance.happens(0.05)) {
        this.#count('abandon')
        return scheduler.start(process, () => runAbandon(this.#world, process))
      }
      this.#count('resolve')
      return scheduler.start(process, () => runResolve(this.#world, process))
    }
    const command = this.#commandOf(this.#plan())
    process.whenKilled.add(() => {
      command.wasKilled = command.told === undefined
    })
    await scheduler.start(process, () => runCommand(this.#world, process, command))
  }

  #plan(): Plan {
    const { chance, watch, scheduler } = this.#world
    const [first, ...rest] = watch.commands
    const last = rest.at(-1) ?? first
    // Two that want the same at the same time are in each other's way.
    if (last !== undefined && scheduler.processes.size > 0 && chance.happens(0.5)) return last.plan
    if (first !== undefined && chance.happens(0.35)) return chance.pick([first, ...rest]).plan
    return chance.pick(this.#scenes).next(chance)
  }

  #commandOf(plan: Plan): Command {
    const { watch, habits, chance } = this.#world
    const command = commandOf(plan, `command ${watch.commands.length + 1}`, habits, chance)
    watch.commands.push(command)
    return command
  }

  /** As many as are told to at once. */
  async #resolveAll(many: number): Promise<void> {
    const { scheduler } = this.#world
    const processes: Process[] = []
    for (let one = 1; one <= many; one += 1) {
      const process = this.#newProcess(`resolve${one}`)
      processes.push(process)
      await scheduler.start(process, () => runResolve(this.#world, process))
    }
    while (processes.some(({ isAlive }) => isAlive)) await scheduler.turn([])
  }

  async #runAlone(name: string, main: (process: Process) => Promise<void>): Promise<void> {
    const { scheduler } = this.#world
    const process = this.#newProcess(name)
    await scheduler.start(process, () => main(process))
    while (process.isAlive) await scheduler.turn([])
  }

  #newProcess(name: string): Process {
    const { habits, chance, scheduler } = this.#world
    const taken = new Set([...scheduler.processes].map(({ pid }) => pid))
    const isFree = (pid: number) => !taken.has(pid)
    const again = [100, 101, 102].filter(isFree)
    const pid = habits.reusesPids ? (again[chance.below(again.length)] ?? 103) : (this.#pids += 1)
    this.#starts += 1
    return {
      pid,
      startedAt: `${this.#boot}-${this.#starts}`,
      name,
      stop: new AbortController(),
      abandon: new AbortController(),
      whenKilled: new Set(),
      points: [],
      isDone: false,
      isAlive: true,
    }
  }

  #disturb(): void {
    const { habits, chance, scheduler, tell, disk } = this.#world
    const processes = [...scheduler.processes]
    if (chance.happens(habits.powerCuts)) {
      tell('machine', () => 'loses power')
      this.#count('power cut')
      for (const process of processes) scheduler.kill(process)
      disk.cutPower(chance)
      this.#boot += 1
      return
    }
    for (const process of processes) {
      // What is under way when its sender dies is the hardest to clear up.
      if (chance.happens(process.whenKilled.size > 1 ? habits.kills * 5 : habits.kills)) {
        tell(
          process.name,
          () => `is killed before it ${process.points.map(({ words }) => words()).join(' and ')}`,
        )
        this.#count('kill')
        scheduler.kill(process)
      } else if (chance.happens(habits.signals)) {
        const isFirst = !process.stop.signal.aborted
        tell(process.name, () => `gets the ${isFirst ? 'first' : 'second'} Ctrl-C`)
        this.#count('signal')
        ;(isFirst ? process.stop : process.abandon).abort('SIGINT')
      }
    }
  }

  #meddler(atMs: number): Happening {
    const { chance, service, watch, tell } = this.#world
    const happening: Happening = {
      atMs,
      go: async () => {
        this.#meddling.splice(this.#meddling.indexOf(happening), 1)
        const plan = chance.pick(this.#scenes).meddle?.(chance)
        if (plan === undefined) return
        const { id = '' } = plan.params
        const { reply, isApplied } = await service.arrive({
          method: plan.operation.method,
          url: `${BASE_URL}${plan.operation.path.replace('{id}', id)}`,
          headers: { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1' },
          body: plan.body === undefined ? undefined : JSON.stringify(plan.body),
        })
        tell('meddler', () => `${plan.operation.id} ${JSON.stringify(plan.body)}: ${reply.status}`)
        const target = `payment ${id}`
        if (isApplied) watch.meddled.set(target, [...(watch.meddled.get(target) ?? []), plan])
      },
    }
    return happening
  }
}
