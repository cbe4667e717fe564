import { waitInWords } from '../../client/calls/retry-after.ts'
import { EXIT, PayError } from '../../errors.ts'
import type { Streak } from '../../client/http/transport-port.ts'
import { RunStopped } from './run-errors.ts'

export const DEFAULT_MAX_WAIT_MS = 5 * 60_000
const MAX_429S_IN_A_ROW = 10

/** Whether a run goes on, and how long it waits for a service that asks it to slow down (429). */
export class Patience {
  readonly #maxWaitMs: number
  readonly #nowMs: () => number
  /** The time when the service first asked to wait since a row has ended. */
  #sinceMs: number | undefined
  /** How often the service has asked since. */
  #asked = 0
  #ended = 0
  /** How often the service has asked everyone to wait for a while, and then let rows end again. */
  #outages = 0
  #over: PayError | undefined

  constructor(maxWaitMs: number, now: () => Date) {
    this.#maxWaitMs = maxWaitMs
    this.#nowMs = () => now().getTime()
  }

  /** Why the run stops; undefined while it goes on. */
  get over(): PayError | undefined {
    return this.#over
  }

  /** Stops the run: nothing more is sent. Returns the error that ends it. */
  stop(error: PayError): RunStopped {
    this.#over ??= error
    return new RunStopped(error)
  }

  /** Notes that the service asks to wait. Returns false if that takes too long without the end of a row: nothing more is sent. */
  bears(waitMs: number): boolean {
    const nowMs = this.#nowMs()
    this.#sinceMs ??= nowMs
    this.#asked += 1
    const waitedMs = nowMs - this.#sinceMs
    if (waitedMs + waitMs > this.#maxWaitMs) this.#over ??= tooLong({ waitMs, waitedMs }, this.#maxWaitMs)
    return this.#over === undefined
  }

  /** Notes that a row has an outcome. */
  noteEnded(): void {
    if (this.#asked >= MAX_429S_IN_A_ROW) this.#outages += 1
    this.#ended += 1
    this.#asked = 0
    this.#sinceMs = undefined
  }

  startStreak(): Streak {
    let [count, ended, outages] = [0, this.#ended, this.#outages]
    return {
      isTooLong: () => {
        // A 429 to every row at once says nothing about this row.
        if (outages !== this.#outages) [count, ended, outages] = [0, this.#ended, this.#outages]
        count += 1
        return count >= MAX_429S_IN_A_ROW && this.#ended > ended && this.#over === undefined
      },
    }
  }
}

/** The reason of a row that was refused by itself. */
export const SLOWED_DOWN = `The service asked to slow down (429) ${MAX_429S_IN_A_ROW} times in a row, while it processed other rows`

function tooLong(
  { waitMs, waitedMs }: { readonly waitMs: number; readonly waitedMs: number },
  maxWaitMs: number,
): PayError {
  const asks = `The service asks to slow down (429)`
  return new PayError(
    'rate_limited',
    EXIT.rateLimited,
    waitMs > maxWaitMs
      ? `${asks} and to wait ${waitInWords(waitMs)}, longer than the ${waitInWords(maxWaitMs)} that this run waits`
      : `${asks}: no row has ended for ${waitInWords(waitedMs)}, and another wait would exceed the ${waitInWords(maxWaitMs)} that this run waits`,
    { outcome: 'none', retryable: true, hint: 'Run the same command later.' },
  )
}
