import { createPaymentReader } from '../rows/payments/payment-reader.ts'
import type { PaymentReader } from '../rows/payments/payment-reader.ts'
import { createBulkReader } from '../rows/send/bulk-reader.ts'
import type { BulkReader } from '../rows/send/bulk-reader.ts'
import { startPace } from '../rows/send/paced-transport.ts'
import { DEFAULT_MAX_WAIT_MS } from '../rows/send/patience.ts'
import { RowAbandoned, RunStopped } from '../rows/send/run-errors.ts'
import { targetOf } from '../cli/command/request-target.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { EXIT, PayError, interruptedBy } from '../errors.ts'
import type { Pace } from './file-settings.ts'
import { haltOnInterrupt } from './halt-on-interrupt.ts'
import type { Progress } from './row-progress.ts'

/** As many connections as an import uses. */
const MAX_CONNECTIONS = 64

/**
 * Calls `work` with a reader of many payments, and closes its connections afterwards.
 * @throws {PayError} if no payment can be read; {@link InterruptedError} with `interrupted` as its message
 */
export const withPaymentReader = <T>(
  invocation: Invocation,
  pace: Pace,
  words: ReadingWords,
  work: (reader: PaymentReader) => Promise<T>,
): Promise<T> => withBulkReader(invocation, pace, words, (read) => work(createPaymentReader(read)))

interface ReadingWords {
  readonly progress: Progress
  readonly interrupted: string
}

/** Like {@link withPaymentReader}, with a reader of anything. */
export async function withBulkReader<T>(
  invocation: Invocation,
  { concurrency, rate }: Pace,
  { progress, interrupted }: ReadingWords,
  work: (read: BulkReader) => Promise<T>,
): Promise<T> {
  const { context, settings } = invocation
  const { stop } = context.interruption
  const halt = haltOnInterrupt(invocation).signal
  const account = await invocation.account()
  const pace = startPace({
    now: context.now,
    sleep: context.sleep,
    concurrency,
    maxConcurrency: MAX_CONNECTIONS,
    rate,
    maxWaitMs: DEFAULT_MAX_WAIT_MS,
    onWait: progress.announceWait,
    signals: [halt],
  })
  const transport = await context.connect(account, { connections: concurrency ?? MAX_CONNECTIONS })
  const { now, random, sleep } = context
  try {
    const read = createBulkReader({
      target: targetOf(account, context),
      transport: pace.over(transport),
      patience: pace.patience,
      timeoutMs: settings.timeoutMs,
      maxRetries: settings.maxRetries,
      now,
      random,
      sleep,
      interruption: { stop: halt, abandon: halt },
      clean: invocation.cleanText,
      onAttempt: (log) => invocation.reportAttempt(log, progress.printAbove),
    })
    const result = await work(read)
    if (halt.aborted) throw interruptedBy(stop, interrupted)
    return result
  } catch (error) {
    if (error instanceof RunStopped) throw error.error
    if (error instanceof RowAbandoned || halt.aborted) throw interruptedBy(stop, interrupted)
    throw error
  } finally {
    pace.end()
    await progress.end()
    await transport.close()
  }
}

/** The exit codes of the commands that compare what was sent with the payments. */
export const VERIFY_EXITS = [
  EXIT.auth,
  EXIT.rateLimited,
  EXIT.notFinished,
  EXIT.notConnected,
  EXIT.serverFault,
  EXIT.bulk,
  EXIT.interrupted,
] as const

/** The error for what is as sent, but can still fail. `what` is such as `2 rows are`; `again` verifies again. */
export const stillPending = (what: string, again: string): PayError =>
  new PayError('still_pending', EXIT.notFinished, `${what} still pending`, {
    outcome: 'none',
    retryable: true,
    hint: 'Accepted by the service, but not settled. Verify again later.',
    next: [again],
  })
