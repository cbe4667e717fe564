import { RateLimit } from './rate-limit.ts'

export interface LimiterOptions {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Said by the person; undefined to find it. */
  readonly concurrency: number | undefined
  readonly most: number
  /** Requests a second; undefined for no limit. */
  readonly rate: number | undefined
}

interface Waiting {
  /** Whether it is still to be sent. */
  readonly isWanted: () => boolean
  readonly resolve: (turn: number | undefined) => void
}

const FIRST_CONCURRENCY = 8
/** Beyond this a limit limits nothing. */
const HIGHEST_RATE = 100_000

/**
 * How much is under way at once, first come, first served. Found from the answers: one more after a round without
 * trouble, half of it after a 429 (additive increase, multiplicative decrease; RFC 5681 has the reasons).
 */
export class AdaptiveLimiter {
  readonly #options: LimiterOptions
  readonly #most: number
  readonly #rate: RateLimit | undefined
  #allowed: number
  #underway = 0
  #started = 0
  #goodInRound = 0
  /** The last request that had been started when it was last made less: what those before it meet is the same trouble. */
  #cutAt = 0
  #pausedUntil = Number.NEGATIVE_INFINITY
  #waiting: Waiting[] = []
  #whenRoom: (() => void) | undefined
  #isWaking = false
  #lastMs = Number.NEGATIVE_INFINITY
  #setBackMs = 0

  constructor(options: LimiterOptions) {
    const { concurrency, most, rate } = options
    this.#options = options
    this.#most = concurrency ?? most
    this.#allowed = concurrency ?? Math.min(FIRST_CONCURRENCY, most)
    this.#rate = rate === undefined || rate > HIGHEST_RATE ? undefined : new RateLimit(rate)
  }

  get allowed(): number {
    return this.#allowed
  }

  /**
   * Resolves to the number of its turn when it may be sent: `leave` has to follow. To undefined when it is not wanted any
   * more: `lookAgain` asks.
   */
  enter(isWanted: () => boolean): Promise<number | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push({ isWanted, resolve })
      this.#admit()
    })
  }

  /**
   * Resolves when nobody waits for a turn, or somebody else has a reason to look again: who asks for a turn before that
   * only waits. Undefined where nobody does. One asks at a time.
   */
  room(): Promise<void> | undefined {
    if (this.#waiting.length === 0) return undefined
    return new Promise((resolve) => {
      this.#whenRoom = resolve
    })
  }

  leave(): void {
    this.#underway -= 1
    this.#admit()
  }

  good(): void {
    this.#goodInRound += 1
    if (this.#goodInRound < this.#allowed || this.#allowed >= this.#most) return
    this.#allowed += 1
    this.#goodInRound = 0
    this.#admit()
  }

  /** The service asks for less: nothing is sent for so long. Answers whether that is news. */
  slowDown(turn: number, forMs: number): boolean {
    this.#less(turn, 0.5)
    const until = this.#nowMs() + forMs
    const isNews = until > this.#pausedUntil + 500
    this.#pausedUntil = Math.max(this.#pausedUntil, until)
    return isNews
  }

  /** It failed, or nobody answered. */
  trouble(turn: number): void {
    this.#less(turn, 0.75)
  }

  /** Lets go of what is not wanted any more. */
  lookAgain(): void {
    const before = this.#waiting
    this.#waiting = []
    for (const one of before) {
      if (one.isWanted()) this.#waiting.push(one)
      else one.resolve(undefined)
    }
    this.#admit()
    this.#tellRoom()
  }

  #less(turn: number, factor: number): void {
    if (turn <= this.#cutAt || this.#options.concurrency !== undefined) return
    this.#allowed = Math.max(1, Math.floor(this.#allowed * factor))
    this.#goodInRound = 0
    this.#cutAt = this.#started
  }

  #admit(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const isWanted = first.isWanted()
      if (isWanted) {
        if (this.#underway >= this.#allowed) return
        const waitMs = this.#takeTime()
        if (waitMs > 0) {
          void this.#admitIn(waitMs)
          return
        }
        this.#underway += 1
        this.#started += 1
      }
      this.#waiting.shift()
      first.resolve(isWanted ? this.#started : undefined)
    }
    this.#tellRoom()
  }

  #tellRoom(): void {
    this.#whenRoom?.()
    this.#whenRoom = undefined
  }

  /** How long until the next one may be sent; 0 when it is taken as sent now. */
  #takeTime(): number {
    if (this.#rate === undefined && this.#pausedUntil === Number.NEGATIVE_INFINITY) return 0
    const nowMs = this.#nowMs()
    const waitMs = Math.max(this.#pausedUntil - nowMs, this.#rate?.waitMs(nowMs) ?? 0)
    if (waitMs > 0) return waitMs
    this.#rate?.take(nowMs)
    this.#pausedUntil = Number.NEGATIVE_INFINITY
    return 0
  }

  async #admitIn(ms: number): Promise<void> {
    if (this.#isWaking) return
    this.#isWaking = true
    await this.#options.sleep(ms)
    this.#isWaking = false
    this.#admit()
  }

  /** A clock that is set back would make a pause of a second last for hours. */
  #nowMs(): number {
    const now = this.#options.now()
    this.#setBackMs += Math.max(0, this.#lastMs - now)
    this.#lastMs = now
    return now + this.#setBackMs
  }
}
