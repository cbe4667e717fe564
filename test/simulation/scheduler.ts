import type { Chance } from './random.ts'
import { Violation } from './invariant-violation.ts'

/** Where a process waits to do its next thing: whatever happens around it happens here. */
interface Point {
  readonly words: () => string
  readonly readyAtMs: number
  /** Whether it goes on before that. */
  readonly isReady: () => boolean
  /** Does the thing and hands the outcome to the process. */
  readonly goOn: () => Promise<void>
}

/** Something that happens at a moment, whoever is there by then. */
export interface Happening {
  atMs: number
  readonly go: () => void | Promise<void>
}

/** One run of the program. */
export interface Process {
  readonly pid: number
  readonly startedAt: string
  /** For the story. */
  readonly name: string
  readonly stop: AbortController
  readonly abandon: AbortController
  /** What has to be seen to when it dies in the middle. */
  readonly whenKilled: Set<() => void>
  points: Point[]
  /** Its main function has ended. */
  isDone: boolean
  isAlive: boolean
}

interface PointOptions {
  readonly words: () => string
  readonly readyAtMs?: number
  readonly isReady?: () => boolean
}

/** Every operation takes a moment. */
const LONGEST_STEP_MS = 3

/**
 * Lets one process at a time do one thing at a time, as the seed says. Between two things every process waits at a
 * point; nothing else goes on meanwhile, so that the same seed is the same history.
 */
export class Scheduler {
  nowMs: number
  readonly processes = new Set<Process>()
  readonly #chance: Chance
  readonly #tell: (who: string, words: () => string) => void
  readonly #happenings = new Set<Happening>()
  #wake: () => void = () => undefined
  /** What ends the whole history. */
  #broken: unknown

  constructor(startMs: number, chance: Chance, tell: (who: string, words: () => string) => void) {
    this.nowMs = startMs
    this.#chance = chance
    this.#tell = tell
  }

  readonly now = (): Date => new Date(this.nowMs)

  /** Called by what a process calls: waits for its turn, then does it. Never ends for a process that was killed. */
  at<T>(process: Process, options: PointOptions, perform: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const { words, readyAtMs = this.nowMs, isReady = () => false } = options
      const goOn = async () => {
        try {
          resolve(await perform())
        } catch (error) {
          if (!(error instanceof Violation)) return reject(error)
          this.#broken = error
          this.#wake()
        }
      }
      process.points.push({ words, readyAtMs, isReady, goOn })
      this.#wake()
    })
  }

  /** Goes until the process waits for the first time. */
  async start(process: Process, main: () => Promise<void>): Promise<void> {
    this.processes.add(process)
    await this.#untilItWaits(process, async () => {
      void main()
        .catch((error: unknown) => {
          this.#broken = error
        })
        .finally(() => {
          process.isDone = true
          this.#wake()
        })
    })
  }

  /** What it has written stays; what it waits for never comes. */
  kill(process: Process): void {
    process.points = []
    this.#end(process)
    for (const see of process.whenKilled) see()
  }

  later(happening: Happening): void {
    this.#happenings.add(happening)
  }

  /** Whether anything is still to come, apart from the others. */
  get isIdle(): boolean {
    return this.processes.size === 0 && this.#happenings.size === 0
  }

  /** One thing, of a process, of what was to happen, or of the others. False when there is none. */
  async turn(others: readonly Happening[]): Promise<boolean> {
    const ready = this.#ready(others)
    const next = ready[this.#chance.below(ready.length)]
    if (next === undefined) {
      const soonest = this.#soonest(others)
      if (soonest === undefined) return false
      this.nowMs = Math.max(this.nowMs, soonest)
      return this.turn(others)
    }
    this.nowMs += this.#chance.below(LONGEST_STEP_MS)
    await next()
    return true
  }

  #ready(others: readonly Happening[]): (() => void | Promise<void>)[] {
    const ready: (() => void | Promise<void>)[] = []
    for (const process of this.processes)
      for (const point of process.points)
        if (point.readyAtMs <= this.nowMs || point.isReady()) ready.push(() => this.#goOn(process, point))
    for (const happening of this.#happenings)
      if (happening.atMs <= this.nowMs) {
        ready.push(() => {
          this.#happenings.delete(happening)
          return happening.go()
        })
      }
    for (const other of others) if (other.atMs <= this.nowMs) ready.push(other.go)
    return ready
  }

  #soonest(others: readonly Happening[]): number | undefined {
    let soonest = Number.POSITIVE_INFINITY
    for (const process of this.processes)
      for (const { readyAtMs } of process.points) soonest = Math.min(soonest, readyAtMs)
    for (const { atMs } of this.#happenings) soonest = Math.min(soonest, atMs)
    for (const { atMs } of others) soonest = Math.min(soonest, atMs)
    return soonest === Number.POSITIVE_INFINITY ? undefined : soonest
  }

  async #goOn(process: Process, point: Point): Promise<void> {
    process.points = process.points.filter((other) => other !== point)
    this.#tell(process.name, point.words)
    await this.#untilItWaits(process, point.goOn)
  }

  async #untilItWaits(process: Process, goOn: () => Promise<void>): Promise<void> {
    // One that does two things at once, as ours never should, may end one of them without waiting for anything new.
    const doesMore = process.points.length > 0
    const waits = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    await goOn()
    await (doesMore ? new Promise((resolve) => setImmediate(resolve)) : waits)
    if (this.#broken !== undefined) throw this.#broken
    if (process.isDone && process.points.length === 0) this.#end(process)
  }

  #end(process: Process): void {
    process.isAlive = false
    this.processes.delete(process)
  }
}
