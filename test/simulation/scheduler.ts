import type { Random } from './random.ts'
import { InvariantViolation } from './invariant-violation.ts'

/** The next thing a process does. Between two steps anything may happen to it. */
interface Step {
  /** For the trace. */
  readonly words: () => string
  readonly readyAtMs: number
  /** Whether the step can run before that time. */
  readonly isReady: () => boolean
  /** Performs the step and passes its result to the process. */
  readonly run: () => Promise<void>
}

/** Something that happens at a certain time, whichever processes still run by then. */
export interface TimedEvent {
  atMs: number
  readonly run: () => void | Promise<void>
}

/** One run of the program. */
export interface Process {
  readonly pid: number
  readonly startedAt: string
  /** Its name in the trace. */
  readonly name: string
  /** Aborted by the first Ctrl-C. */
  readonly stop: AbortController
  /** Aborted by the second. */
  readonly abandon: AbortController
  /** Called if the process is killed. */
  readonly onKill: Set<() => void>
  /** The steps it waits to perform: one, unless it does two things at once. */
  steps: Step[]
  /** How many steps it has performed. */
  taken: number
  /** Its main function has returned. */
  isDone: boolean
  isAlive: boolean
}

export const newProcess = (identity: Pick<Process, 'pid' | 'startedAt' | 'name'>): Process => ({
  ...identity,
  stop: new AbortController(),
  abandon: new AbortController(),
  onKill: new Set(),
  steps: [],
  taken: 0,
  isDone: false,
  isAlive: true,
})

interface StepOptions {
  readonly words: () => string
  readonly readyAtMs?: number
  readonly isReady?: () => boolean
}

/** Every step takes up to this long. */
const LONGEST_STEP_MS = 3

/** Far more than any command needs, and soon reached by one that goes in circles. */
const MOST_STEPS = 5000

/**
 * Runs processes one step at a time, in an order that the random numbers decide. No other code runs in between, so the same
 * seed produces the same history.
 */
export class Scheduler {
  nowMs: number
  readonly processes = new Set<Process>()
  readonly #random: Random
  readonly #trace: (who: string, words: () => string) => void
  readonly #events = new Set<TimedEvent>()
  #wake: () => void = () => undefined
  /** The error that ends the history. */
  #failure: unknown

  constructor(startMs: number, random: Random, trace: (who: string, words: () => string) => void) {
    this.nowMs = startMs
    this.#random = random
    this.#trace = trace
  }

  readonly now = (): Date => new Date(this.nowMs)

  /** Performs a step of a process when its turn comes. Never resolves if the process is killed first. */
  step<T>(process: Process, options: StepOptions, perform: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const { words, readyAtMs = this.nowMs, isReady = () => false } = options
      const run = async () => {
        try {
          resolve(await perform())
        } catch (error) {
          if (!(error instanceof InvariantViolation)) return reject(error)
          this.#failure = error
          this.#wake()
        }
      }
      process.steps.push({ words, readyAtMs, isReady, run })
      this.#wake()
    })
  }

  /** Starts a process and runs it up to its first step. */
  async start(process: Process, main: () => Promise<void>): Promise<void> {
    this.processes.add(process)
    await this.#runUntilNextStep(process, async () => {
      void main()
        .catch((error: unknown) => {
          this.#failure = error
        })
        .finally(() => {
          process.isDone = true
          this.#wake()
        })
    })
  }

  /** Ends a process before its next step. What it has written remains. */
  kill(process: Process): void {
    process.steps = []
    this.#end(process)
    for (const notify of process.onKill) notify()
  }

  schedule(event: TimedEvent): void {
    this.#events.add(event)
  }

  /** Whether no process runs and no event is scheduled. */
  get isIdle(): boolean {
    return this.processes.size === 0 && this.#events.size === 0
  }

  /**
   * Runs one step of a process, one scheduled event, or one of the given events. Moves the clock if none is ready.
   * False if there is none at all.
   */
  async runNext(events: readonly TimedEvent[]): Promise<boolean> {
    const ready = this.#ready(events)
    const next = ready[this.#random.below(ready.length)]
    if (next === undefined) {
      const soonest = this.#soonest(events)
      if (soonest === undefined) return false
      this.nowMs = Math.max(this.nowMs, soonest)
      return this.runNext(events)
    }
    this.nowMs += this.#random.below(LONGEST_STEP_MS)
    await next()
    return true
  }

  #ready(events: readonly TimedEvent[]): (() => void | Promise<void>)[] {
    const ready: (() => void | Promise<void>)[] = []
    for (const process of this.processes)
      for (const step of process.steps)
        if (step.readyAtMs <= this.nowMs || step.isReady()) ready.push(() => this.#runStep(process, step))
    for (const event of this.#events)
      if (event.atMs <= this.nowMs) {
        ready.push(() => {
          this.#events.delete(event)
          return event.run()
        })
      }
    for (const event of events) if (event.atMs <= this.nowMs) ready.push(event.run)
    return ready
  }

  #soonest(events: readonly TimedEvent[]): number | undefined {
    let soonest = Number.POSITIVE_INFINITY
    for (const process of this.processes)
      for (const { readyAtMs } of process.steps) soonest = Math.min(soonest, readyAtMs)
    for (const { atMs } of this.#events) soonest = Math.min(soonest, atMs)
    for (const { atMs } of events) soonest = Math.min(soonest, atMs)
    return soonest === Number.POSITIVE_INFINITY ? undefined : soonest
  }

  async #runStep(process: Process, step: Step): Promise<void> {
    process.steps = process.steps.filter((other) => other !== step)
    this.#trace(process.name, step.words)
    process.taken += 1
    if (process.taken > MOST_STEPS)
      throw new InvariantViolation('Every command ends.', `${process.name}: ${step.words()}`)
    await this.#runUntilNextStep(process, step.run)
  }

  async #runUntilNextStep(process: Process, run: () => Promise<void>): Promise<void> {
    // With two steps at once, which pay should never have, one of them may end without asking for another.
    const hasOtherSteps = process.steps.length > 0
    const nextStep = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    await run()
    await (hasOtherSteps ? new Promise((resolve) => setImmediate(resolve)) : nextStep)
    if (this.#failure !== undefined) throw this.#failure
    if (process.isDone && process.steps.length === 0) this.#end(process)
  }

  #end(process: Process): void {
    process.isAlive = false
    this.processes.delete(process)
  }
}
