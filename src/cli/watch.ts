import { getPayment } from '../api/operations/payment.ts'
import { EXIT, PayError, isInterruption } from '../errors.ts'
import type { Answer } from '../calls/call.ts'
import { retryAfterMs } from '../calls/retry-after.ts'
import type { Invocation } from './command/invocation.ts'
import { withoutNulls } from './command/nulls.ts'

export interface Watch<Verdict> {
  readonly id: string
  readonly forMs: number
  /** What a reading says; undefined while there is more to come. */
  readonly judge: (payment: unknown) => Verdict | undefined
  /** What it looks like now, for a person who waits. */
  readonly look: (payment: unknown) => string
}

/** How the watching ended. The latest reading is there unless none ever came. */
export type WatchEnd<Verdict> =
  | { readonly kind: 'judged'; readonly answer: Answer; readonly verdict: Verdict }
  | ({ readonly kind: 'time-up' } & Undecided)
  | ({ readonly kind: 'interrupted' } & Undecided)

interface Undecided {
  readonly answer: Answer | undefined
  /** Why the latest reading failed. */
  readonly problem: PayError | undefined
}

/** A reading at the very end is given so long all the same. */
const LEAST_TIMEOUT_MS = 5_000
/** A person is told every so often that it still waits. */
const TELL_MS = 30_000

const PASSING: readonly number[] = [EXIT.rateLimited, EXIT.serverFault, EXIT.notConnected]

/**
 * Reads a payment again and again until a judge has seen enough or the time is up. A reading that fails for a while (429,
 * 5xx, no connection) is tried again; a definite no ends it.
 * @throws {PayError} for a definite no
 */
export async function watchPayment<Verdict>(
  invocation: Invocation,
  { id, forMs, judge, look }: Watch<Verdict>,
): Promise<WatchEnd<Verdict>> {
  const { context, settings } = invocation
  const { stop } = context.interruption
  const nowMs = () => context.now().getTime()
  const endMs = nowMs() + forMs
  const tell = createProgressReporter(invocation, nowMs)
  let answer: Answer | undefined
  for (let turn = 0; ; turn += 1) {
    let problem: PayError | undefined
    try {
      const timeoutMs = Math.min(settings.timeoutMs, Math.max(endMs - nowMs(), LEAST_TIMEOUT_MS))
      answer = await invocation.call({
        operation: getPayment,
        params: { id },
        patience: { timeoutMs, maxRetries: 0 },
      })
      const payment = withoutNulls(answer.json)
      const verdict = judge(payment)
      if (verdict !== undefined) return { kind: 'judged', answer, verdict }
      await tell(look(payment))
    } catch (error) {
      if (isInterruption(error)) return { kind: 'interrupted', answer, problem: undefined }
      if (!(error instanceof PayError) || !PASSING.includes(error.exitCode)) throw error
      problem = error
      await tell(`it cannot be read (${invocation.cleanWords(error.message)})`)
    }
    const leftMs = endMs - nowMs()
    const asked = retryAfterMs(problem?.details.retryAfter, context.now()) ?? 0
    // Not before the service wants to be asked again.
    if (leftMs <= 0 || asked > leftMs) return { kind: 'time-up', answer, problem }
    await context.sleep(Math.max(asked, Math.min(nextPauseMs(turn, context.random()), leftMs)), stop)
    if (stop.aborted) return { kind: 'interrupted', answer, problem }
  }
}

/** For a person at a terminal: what is new, and now and then that nothing is. Nothing in a script's log. */
function createProgressReporter(
  { context, note }: Invocation,
  nowMs: () => number,
): (state: string) => Promise<void> {
  let told: string | undefined
  let toldMs = 0
  return async (state) => {
    if (!context.stderr.isTTY) return
    const isNews = state !== told
    if (!isNews && nowMs() - toldMs < TELL_MS) return
    const words = told === undefined ? 'Waiting' : isNews ? 'Now' : 'Still'
    told = state
    toldMs = nowMs()
    await note(`${words}: ${state}`, 'ids')
  }
}

const FIRST_MS = 1_000
const LONGEST_MS = 15_000
const GROWTH = 1.5

/** The pause after a reading: a second, half as much more each time, up to 15; up to a quarter less by chance, so that many who wait do not come at once. */
export function nextPauseMs(turn: number, random: number): number {
  const whole = Math.min(FIRST_MS * GROWTH ** turn, LONGEST_MS)
  return Math.round(whole * (1 - random / 4))
}
