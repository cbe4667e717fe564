import { exceedsLimit } from '../../send/failure-limit.ts'
import type { FailureLimit } from '../../send/failure-limit.ts'
import { asPayError, serviceFailing } from '../../send/run-errors.ts'
import type { PayError } from '../../../errors.ts'
import type { RowResult } from './row-result.ts'

/** Why a run ended before its last row. */
export type RunEnd = PayError | 'halted' | 'too-many-failures'

/** How many consecutive rows with an unknown outcome stop the run: more would only add doubts. */
const MAX_CONSECUTIVE_UNKNOWN = 20

/** Counts the rows that have ended in this run, and says when it has to stop. */
export class Tally {
  ended: RunEnd | undefined
  /** The number of rows that have ended in this run. */
  answered = 0
  failed = 0
  unknown = 0
  #consecutiveUnknown = 0
  readonly #toEnd: number
  readonly #maxFailures: FailureLimit | undefined

  /** Counts from 0. `toEnd`: the number of rows that this run has to end. */
  constructor(toEnd: number, maxFailures: FailureLimit | undefined) {
    this.#toEnd = toEnd
    this.#maxFailures = maxFailures
  }

  get isAnyLeft(): boolean {
    return this.answered < this.#toEnd
  }

  add({ outcome }: RowResult): void {
    this.answered += 1
    if (outcome === 'failed') this.failed += 1
    if (outcome === 'unknown') this.unknown += 1
    this.#consecutiveUnknown = outcome === 'unknown' ? this.#consecutiveUnknown + 1 : 0
    if (this.#consecutiveUnknown > MAX_CONSECUTIVE_UNKNOWN)
      this.ended ??= serviceFailing(this.#consecutiveUnknown)
    const answered = { answered: this.answered, answeredFailedOrUnknown: this.failed + this.unknown }
    const isProblem = outcome === 'failed' || outcome === 'unknown'
    if (isProblem && exceedsLimit(this.#maxFailures, answered, this.#toEnd))
      this.ended ??= 'too-many-failures'
  }

  stop(error: unknown): void {
    this.ended ??= asPayError(error)
  }
}
