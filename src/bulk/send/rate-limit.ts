/** How far it may lag behind its even pace and catch up: timers are no finer than a few milliseconds. */
const CATCH_UP_MS = 20

/** Keeps a rate: evenly, and over any second never more than it says. Asking does not count, taking does. */
export class RateLimit {
  readonly #intervalMs: number
  readonly #periodMs: number
  /** When the last ones were, in a ring. */
  readonly #last: number[]
  #at = 0
  #nextMs = Number.NEGATIVE_INFINITY

  constructor(perSecond: number) {
    const held = Math.ceil(perSecond)
    this.#intervalMs = 1000 / perSecond
    this.#periodMs = held * this.#intervalMs
    this.#last = Array.from({ length: held }, () => Number.NEGATIVE_INFINITY)
  }

  /** How long until the next one may be; 0 or less for now. */
  waitMs(nowMs: number): number {
    return Math.max(this.#nextMs, (this.#last[this.#at] ?? 0) + this.#periodMs) - nowMs
  }

  take(nowMs: number): void {
    this.#last[this.#at] = nowMs
    this.#at = (this.#at + 1) % this.#last.length
    this.#nextMs = Math.max(this.#nextMs, nowMs - CATCH_UP_MS) + this.#intervalMs
  }
}
