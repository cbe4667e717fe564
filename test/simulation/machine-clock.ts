import type { Clocks } from '../../src/client/ledger/moment.ts'
import type { Random } from './random.ts'
import type { Process, Scheduler } from './scheduler.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** How far a service's clock may be set: by days, it would forget keys that it has just seen. */
export const SMALL_STEPS_MS = [20 * MINUTE_MS, -20 * MINUTE_MS] as const
/** How far somebody, or a time server, sets a wall clock. */
const STEPS_MS = [...SMALL_STEPS_MS, 10 * HOUR_MS, -10 * HOUR_MS, 2 * DAY_MS, -2 * DAY_MS] as const

/** What the clocks of one machine show, in place of the true time, which the scheduler has. */
export class MachineClock {
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #machine: string
  readonly #startMs: number
  /** How much faster than time its wall clock goes, such as 0.01. */
  readonly #drift: number
  readonly #namespaces = new WeakMap<Process, { readonly name: string; readonly aheadMs: number }>()
  #offsetMs = 0
  #boots = 1
  #bootedAtMs: number
  /** Whether its wall clock was ever set. */
  wasSet = false

  constructor(
    scheduler: Scheduler,
    random: Random,
    { machine, drift }: { readonly machine: string; readonly drift: number },
  ) {
    this.#scheduler = scheduler
    this.#random = random
    this.#machine = machine
    this.#drift = drift
    this.#startMs = scheduler.nowMs
    this.#bootedAtMs = scheduler.nowMs - DAY_MS
  }

  /** Sets the wall clock, or sets it right. */
  step(): void {
    this.wasSet = true
    this.#offsetMs = this.#offsetMs !== 0 && this.#random.chance(0.6) ? 0 : this.#random.pick(STEPS_MS)
  }

  reboot(): void {
    this.#boots += 1
    this.#bootedAtMs = this.#scheduler.nowMs
  }

  readonly now = (): Date => {
    const trueMs = this.#scheduler.nowMs
    return new Date(Math.round(trueMs + this.#offsetMs + this.#drift * (trueMs - this.#startMs)))
  }

  /** The clocks as one of its processes sees them: it may be in a time namespace of its own. */
  clocksOf(process: Process): Clocks {
    const { name, aheadMs } = this.#namespaceOf(process)
    return {
      wallMs: this.now().getTime(),
      machine: this.#machine,
      boot: `${this.#machine}-${this.#boots} ${name}`,
      // In steps of ten milliseconds, as Linux has it.
      upMs: Math.floor((this.#scheduler.nowMs - this.#bootedAtMs + aheadMs) / 10) * 10,
    }
  }

  #namespaceOf(process: Process) {
    const known = this.#namespaces.get(process)
    if (known !== undefined) return known
    const isOwn = this.#random.chance(0.1)
    const namespace = isOwn
      ? { name: `time:${process.startedAt}`, aheadMs: this.#random.below(DAY_MS) }
      : { name: 'time', aheadMs: 0 }
    this.#namespaces.set(process, namespace)
    return namespace
  }
}
