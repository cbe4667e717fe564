/**
 * How much is under way at once. Found from the answers: one more after a round without trouble, half of it after a 429
 * (additive increase, multiplicative decrease; RFC 5681 has the reasons), and no more than the limit.
 */
export class Pace {
  readonly #now: () => number
  readonly #sleep: (ms: number) => Promise<void>
  readonly #most: number
  readonly #isFixed: boolean
  readonly #intervalMs: number
  #allowed: number
  #underway = 0
  #goodInRound = 0
  #pausedUntil = 0
  #nextAt = 0
  #waiting: (() => void)[] = []
  #isWaking = false

  constructor(options: {
    readonly now: () => number
    readonly sleep: (ms: number) => Promise<void>
    /** Said by the person; undefined to find it. */
    readonly concurrency: number | undefined
    readonly most: number
    /** Requests a second; undefined for no limit. */
    readonly rate: number | undefined
  }) {
    this.#now = options.now
    this.#sleep = options.sleep
    this.#isFixed = options.concurrency !== undefined
    this.#most = options.concurrency ?? options.most
    this.#allowed = options.concurrency ?? Math.min(8, options.most)
    this.#intervalMs = options.rate === undefined ? 0 : 1000 / options.rate
  }

  get allowed(): number {
    return this.#allowed
  }

  /** Resolves when the next request may be sent; `leave` has to follow. */
  async enter(): Promise<void> {
    for (;;) {
      const waitMs = Math.max(this.#pausedUntil, this.#intervalMs === 0 ? 0 : this.#nextAt) - this.#now()
      if (waitMs <= 0 && this.#underway < this.#allowed) break
      await this.#turn(waitMs)
    }
    this.#underway += 1
    if (this.#intervalMs > 0) this.#nextAt = Math.max(this.#nextAt, this.#now() - 1000) + this.#intervalMs
  }

  leave(): void {
    this.#underway -= 1
    this.#wake()
  }

  good(): void {
    this.#goodInRound += 1
    if (this.#isFixed || this.#goodInRound < this.#allowed || this.#allowed >= this.#most) return
    this.#allowed += 1
    this.#goodInRound = 0
    this.#wake()
  }

  /** The service asks for less. */
  slowDown(retryAfterMs: number): void {
    const until = this.#now() + retryAfterMs
    // What is under way answers alike: one of them counts.
    if (until > this.#pausedUntil && this.#now() >= this.#pausedUntil) this.#less(0.5)
    this.#pausedUntil = Math.max(this.#pausedUntil, until)
  }

  /** It failed or was slow to answer. */
  trouble(): void {
    this.#less(0.75)
  }

  #less(factor: number): void {
    if (!this.#isFixed) this.#allowed = Math.max(1, Math.floor(this.#allowed * factor))
    this.#goodInRound = 0
  }

  #turn(waitMs: number): Promise<void> {
    const turn = new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (waitMs > 0 && !this.#isWaking) {
      this.#isWaking = true
      void this.#wakeIn(waitMs)
    }
    return turn
  }

  async #wakeIn(ms: number): Promise<void> {
    await this.#sleep(ms)
    this.#isWaking = false
    this.#wakeAll()
  }

  #wake(): void {
    this.#waiting.shift()?.()
  }

  #wakeAll(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }
}
