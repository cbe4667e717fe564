/** How far requests may lag behind the even pace and catch up: timers are accurate only to a few milliseconds. */
const CATCH_UP_MS = 20

/** Spaces requests evenly and allows no more than the limit in any second. */
export class RateLimit {
  readonly #intervalMs: number
  readonly #periodMs: number
  /** The times of the last requests, in a ring buffer. */
  readonly #times: number[]
  #at = 0
  #nextMs = Number.NEGATIVE_INFINITY

  constructor(perSecond: number) {
    const size = Math.ceil(perSecond)
    this.#intervalMs = 1000 / perSecond
    this.#periodMs = size * this.#intervalMs
    this.#times = Array.from({ length: size }, () => Number.NEGATIVE_INFINITY)
  }

  /** The time until the next request is allowed; 0 or less if it is allowed now. Doesn't count a request. */
  waitMs(nowMs: number): number {
    return Math.max(this.#nextMs, (this.#times[this.#at] ?? 0) + this.#periodMs) - nowMs
  }

  /** Counts a request. */
  take(nowMs: number): void {
    this.#times[this.#at] = nowMs
    this.#at = (this.#at + 1) % this.#times.length
    this.#nextMs = Math.max(this.#nextMs, nowMs - CATCH_UP_MS) + this.#intervalMs
  }
}
