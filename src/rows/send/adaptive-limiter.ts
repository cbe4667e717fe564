export interface LimiterOptions {
  /** The time in epoch milliseconds. */
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** A fixed number of concurrent requests; undefined to adapt it to the service. */
  readonly concurrency: number | undefined
  readonly maxConcurrency: number
  /** The limit while responses take no longer than with few requests; the same as `maxConcurrency` by default. */
  readonly maxWhileSteady?: number
  /** The number of requests per second; undefined for no limit. */
  readonly rate: number | undefined
}

interface Waiter {
  readonly isWanted: () => boolean
  readonly isUrgent: boolean
  readonly resolve: (ticket: number | undefined) => void
}

const INITIAL_CONCURRENCY = 8
/** The factor by which a round takes longer than the quickest one if requests wait for each other. */
const STEADY_FACTOR = 1.25
/** The highest limit of the rate: a higher rate is never reached. */
const MAX_RATE = 100_000

/**
 * Limits concurrent requests, first come, first served, except for urgent ones. Adapts the limit to the service: one more after a full round
 * without failures, half after a 429 (additive increase, multiplicative decrease; see RFC 5681).
 */
export class AdaptiveLimiter {
  readonly #options: LimiterOptions
  readonly #max: number
  readonly #maxWhileSteady: number
  readonly #rate: RateLimit | undefined
  readonly #closed = new AbortController()
  #limit: number
  #inFlight = 0
  /** The ticket of the last request that was admitted. */
  #lastTicket = 0
  #successesInRound = 0
  /** When the round began; undefined after a reduction, because responses to earlier requests would make it too short. */
  #roundStartedMs: number | undefined
  #quickestRoundMs = Number.POSITIVE_INFINITY
  /** The last ticket at the last reduction of the limit. Failures of earlier requests belong to the same incident. */
  #reducedAt = 0
  #pausedUntilMs = Number.NEGATIVE_INFINITY
  #waiters: Waiter[] = []
  #onDrained: (() => void) | undefined
  #isTimerSet = false
  #lastMs = Number.NEGATIVE_INFINITY
  #setBackMs = 0

  constructor(options: LimiterOptions) {
    const { concurrency, maxConcurrency, maxWhileSteady = maxConcurrency, rate } = options
    this.#options = options
    this.#max = concurrency ?? maxConcurrency
    this.#maxWhileSteady = concurrency ?? maxWhileSteady
    this.#limit = concurrency ?? Math.min(INITIAL_CONCURRENCY, maxConcurrency)
    this.#rate = rate === undefined || rate > MAX_RATE ? undefined : new RateLimit(rate)
  }

  get limit(): number {
    return this.#limit
  }

  /**
   * Resolves to a ticket when a request may be sent; call {@link release} afterwards. Resolves to undefined if `isWanted`
   * returns false first; {@link recheck} asks again. An urgent request goes before all others that wait.
   */
  acquire(isWanted: () => boolean, { isUrgent = false } = {}): Promise<number | undefined> {
    return new Promise((resolve) => {
      const at = isUrgent ? this.#waiters.findIndex((waiter) => !waiter.isUrgent) : -1
      this.#waiters.splice(at === -1 ? this.#waiters.length : at, 0, { isWanted, isUrgent, resolve })
      this.#admit()
    })
  }

  /**
   * Resolves when nothing waits for a ticket, or on {@link recheck}; undefined if nothing waits. Only one caller at a time
   * may use it.
   */
  whenDrained(): Promise<void> | undefined {
    if (this.#waiters.length === 0) return undefined
    return new Promise((resolve) => {
      this.#onDrained = resolve
    })
  }

  release(): void {
    this.#inFlight -= 1
    this.#admit()
  }

  /** Reports that the service responded to the request. */
  reportSuccess(): void {
    this.#successesInRound += 1
    if (this.#successesInRound < this.#limit || this.#limit >= this.#maxWhileSteady) return
    this.#successesInRound = 0
    if (!this.#isSteady() && this.#limit >= this.#max) return
    this.#limit += 1
    this.#admit()
  }

  /** Whether a round was as quick as others. It takes as long as a response: each request in flight has ended once. */
  #isSteady(): boolean {
    const nowMs = this.#nowMs()
    const tookMs = nowMs - (this.#roundStartedMs ?? Number.NEGATIVE_INFINITY)
    this.#roundStartedMs = nowMs
    this.#quickestRoundMs = Math.min(this.#quickestRoundMs, tookMs)
    return tookMs < STEADY_FACTOR * this.#quickestRoundMs
  }

  /** Reports that the service failed, or didn't respond. */
  reportFailure(ticket: number): void {
    this.#reduce(ticket, 0.75)
  }

  /** Sends no request for `forMs`, as the service asked. Returns whether that extends the pause noticeably. */
  pause(ticket: number, forMs: number): boolean {
    this.#reduce(ticket, 0.5)
    const until = this.#nowMs() + forMs
    const isLonger = until > this.#pausedUntilMs + 500
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, until)
    return isLonger
  }

  /** Removes requests that were cancelled. */
  recheck(): void {
    const before = this.#waiters
    this.#waiters = []
    for (const waiter of before) {
      if (waiter.isWanted()) this.#waiters.push(waiter)
      else waiter.resolve(undefined)
    }
    this.#admit()
    this.#notifyDrained()
  }

  /** Ends a pause that nothing waits for: a timer would keep the process alive. */
  close(): void {
    this.#closed.abort()
  }

  #reduce(ticket: number, factor: number): void {
    if (ticket <= this.#reducedAt || this.#options.concurrency !== undefined) return
    this.#limit = Math.max(1, Math.floor(this.#limit * factor))
    this.#successesInRound = 0
    this.#roundStartedMs = undefined
    this.#quickestRoundMs = Number.POSITIVE_INFINITY
    this.#reducedAt = this.#lastTicket
  }

  #admit(): void {
    for (let first = this.#waiters[0]; first !== undefined; first = this.#waiters[0]) {
      const isWanted = first.isWanted()
      if (isWanted) {
        if (this.#inFlight >= this.#limit) return
        const waitMs = this.#takeTime()
        if (waitMs > 0) {
          void this.#admitIn(waitMs)
          return
        }
        this.#inFlight += 1
        this.#lastTicket += 1
      }
      this.#waiters.shift()
      first.resolve(isWanted ? this.#lastTicket : undefined)
    }
    this.#notifyDrained()
  }

  #notifyDrained(): void {
    this.#onDrained?.()
    this.#onDrained = undefined
  }

  /** The time until the next request may be sent. If it is 0, counts a request as sent. */
  #takeTime(): number {
    if (this.#rate === undefined && this.#pausedUntilMs === Number.NEGATIVE_INFINITY) return 0
    const nowMs = this.#nowMs()
    const waitMs = Math.max(this.#pausedUntilMs - nowMs, this.#rate?.waitMs(nowMs) ?? 0)
    if (waitMs > 0) return waitMs
    this.#rate?.take(nowMs)
    this.#pausedUntilMs = Number.NEGATIVE_INFINITY
    return 0
  }

  async #admitIn(ms: number): Promise<void> {
    if (this.#isTimerSet) return
    this.#isTimerSet = true
    await this.#options.sleep(ms, this.#closed.signal)
    this.#isTimerSet = false
    this.#admit()
  }

  /** The time, which never goes back: if the clock is set back, a pause of a second must not last for hours. */
  #nowMs(): number {
    const now = this.#options.now()
    this.#setBackMs += Math.max(0, this.#lastMs - now)
    this.#lastMs = now
    return now + this.#setBackMs
  }
}

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
