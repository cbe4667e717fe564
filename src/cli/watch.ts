import { getPayment } from '../api/operations/payment.ts'
import { EXIT, PayError, isInterruption } from '../errors.ts'
import type { Answer } from '../client/calls/call.ts'
import { retryAfterMs } from '../client/calls/retry-after.ts'
import type { Invocation } from './command/invocation.ts'

interface Watch<Verdict> {
  readonly id: string
  readonly forMs: number
  /** Returns the verdict on a payment; undefined continues to watch. */
  readonly evaluate: (payment: unknown) => Verdict | undefined
  /** Describes the state of the payment to the person who waits. */
  readonly describe: (payment: unknown) => string
}

/** How watching ended, with the latest response if there was one. */
export type WatchEnd<Verdict> =
  | { readonly kind: 'decided'; readonly answer: Answer; readonly verdict: Verdict }
  | ({ readonly kind: 'time-up' } & UndecidedEnd)
  | ({ readonly kind: 'interrupted' } & UndecidedEnd)

interface UndecidedEnd {
  readonly answer: Answer | undefined
  /** Why the latest read failed. */
  readonly problem: PayError | undefined
}

/** The last read gets at least this long, even beyond the end. */
const LEAST_TIMEOUT_MS = 5_000
/** How often a terminal shows a state that does not change. */
const REPORT_EVERY_MS = 30_000

const TRANSIENT: readonly number[] = [EXIT.rateLimited, EXIT.serverFault, EXIT.notConnected]

/**
 * Polls a payment until there is a verdict or the time is up. Transient failures (429, 5xx, no connection) are retried.
 * @throws {PayError} for any other failure
 */
export async function watchPayment<Verdict>(
  invocation: Invocation,
  { id, forMs, evaluate, describe }: Watch<Verdict>,
): Promise<WatchEnd<Verdict>> {
  const { context, settings } = invocation
  const { stop } = context.interruption
  const nowMs = () => context.now().getTime()
  const endMs = nowMs() + forMs
  const reportState = createProgressReporter(invocation, nowMs)
  let answer: Answer | undefined
  for (let reads = 0; ; reads += 1) {
    let problem: PayError | undefined
    try {
      const timeoutMs = Math.min(settings.timeoutMs, Math.max(endMs - nowMs(), LEAST_TIMEOUT_MS))
      answer = await invocation.call({
        operation: getPayment,
        params: { id },
        patience: { timeoutMs, maxRetries: 0 },
      })
      const verdict = evaluate(answer.json)
      if (verdict !== undefined) return { kind: 'decided', answer, verdict }
      await reportState(describe(answer.json))
    } catch (error) {
      if (isInterruption(error)) return { kind: 'interrupted', answer, problem: undefined }
      if (!(error instanceof PayError) || !TRANSIENT.includes(error.exitCode)) throw error
      problem = error
      await reportState(`it cannot be read (${invocation.cleanText(error.message)})`)
    }
    const leftMs = endMs - nowMs()
    const retryMs = retryAfterMs(problem?.details.retryAfter, context.now()) ?? 0
    if (leftMs <= 0 || retryMs > leftMs) return { kind: 'time-up', answer, problem }
    await context.sleep(Math.max(retryMs, Math.min(nextPauseMs(reads, context.random()), leftMs)), stop)
    if (stop.aborted) return { kind: 'interrupted', answer, problem }
  }
}

/** Reports each new state on a terminal, and an unchanged one every 30 seconds. Scripts get no reports. */
function createProgressReporter(
  { context, note }: Invocation,
  nowMs: () => number,
): (state: string) => Promise<void> {
  let reported: string | undefined
  let reportedMs = 0
  return async (state) => {
    if (!context.stderr.isTTY) return
    const isNew = state !== reported
    if (!isNew && nowMs() - reportedMs < REPORT_EVERY_MS) return
    const prefix = reported === undefined ? 'Waiting' : isNew ? 'Now' : 'Still'
    reported = state
    reportedMs = nowMs()
    await note(`${prefix}: ${state}`, 'ids')
  }
}

const FIRST_MS = 1_000
const LONGEST_MS = 15_000
const GROWTH = 1.5

/** The pause after a read: 1 s at first, growing by half to 15 s, less up to a quarter of jitter. */
function nextPauseMs(reads: number, random: number): number {
  const pauseMs = Math.min(FIRST_MS * GROWTH ** reads, LONGEST_MS)
  return Math.round(pauseMs * (1 - random / 4))
}
