import { getPayment } from '../../../api/operations/payment.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { paymentDeclined, refundFailed } from '../../../cli/report/decline-errors.ts'
import { accountFlagsOf } from '../../../cli/command/account-flags.ts'
import { withoutNulls } from '../../../cli/command/nulls.ts'
import type { Result } from '../../../cli/command/result.ts'
import type { WatchEnd } from '../../../cli/watch.ts'
import { EXIT, PayError, interruptedBy } from '../../../errors.ts'
import type { ErrorDetails } from '../../../errors.ts'
import type { Until, Verdict } from './awaited.ts'

interface Waited {
  readonly end: WatchEnd<Verdict>
  readonly what: 'payment' | 'refund'
  readonly until: Until
  /** The time that was given, as it was written. */
  readonly waited: string
  readonly describe: (payment: unknown) => string
  readonly present: (answer: { readonly text: string; readonly json: unknown }) => Result
}

/** What `payment wait` came to. Its answers that are no success (8 and 13) print the payment like any other. */
export async function waitEnd(invocation: Invocation, waited: Waited): Promise<Result> {
  const { end, what } = waited
  const { id } = invocation.target
  const next = /^[\w.-]{1,64}$/.test(id ?? '')
    ? [`pay${accountFlagsOf(invocation)} payment explain ${id}`]
    : []
  const details = { operation: getPayment.id, outcome: 'none', next } as const
  const looked =
    end.answer === undefined ? '' : invocation.cleanWords(waited.describe(withoutNulls(end.answer.json)))
  if (end.kind === 'interrupted')
    throw interruptedBy(
      invocation.context.interruption.stop,
      `Interrupted: no longer waited for${looked === '' ? '' : `, and it was ${looked}`}.`,
    )
  if (end.kind === 'time-up') {
    if (end.answer === undefined) throw neverRead(end.problem, waited.waited)
    const { kind } = await invocation.account()
    const words = `Not finished after ${waited.waited}: the ${what} is ${looked === '' ? 'of unknown status' : looked}`
    return answered(
      waited,
      end.answer,
      EXIT.notFinished,
      notFinished(words, end.problem, {
        ...details,
        retryable: true,
        hint: kind === 'sandbox' ? SANDBOX_CLOCK : undefined,
      }),
    )
  }
  switch (end.verdict) {
    case 'reached':
      return waited.present(end.answer)
    case 'stays': {
      const wanted = (waited.until ?? []).map((status) => invocation.cleanWords(status)).join(' or ')
      const words = `The ${what} is ${looked}, and becomes ${wanted} no more by itself`
      return answered(
        waited,
        end.answer,
        EXIT.notFinished,
        notFinished(words, undefined, { ...details, retryable: false }),
      )
    }
    case 'declined':
      return answered(waited, end.answer, EXIT.declined, badEnd(what, end.answer.json, details))
    case 'doubtful':
      throw new PayError(
        'outcome_unknown',
        EXIT.outcomeUnknown,
        `Outcome unknown: the processor never answered the service (GATEWAY_TIMEOUT), so the ${what} may have been done`,
        {
          ...details,
          outcome: 'unknown',
          hint: "Look where it would show, such as the processor's own records, before anything is done again.",
        },
      )
  }
}

/** Nobody should wait for an hour that never comes by itself. */
const SANDBOX_CLOCK = 'The sandbox settles by its own clock: pay sandbox clock advance 1h'

function answered(
  { present }: Waited,
  answer: NonNullable<Waited['end']['answer']>,
  exitCode: number,
  problem: PayError,
): Result {
  return { ...present(answer), exitCode, problem }
}

/** Which of several refunds was waited for is not told by a request: one that failed is named where it is the only one. */
const badEnd = (what: Waited['what'], answer: unknown, details: ErrorDetails): PayError =>
  what === 'refund' ? refundFailed(answer, {}, details) : paymentDeclined(answer, details)

const notFinished = (words: string, problem: PayError | undefined, details: ErrorDetails): PayError =>
  new PayError('not_finished', EXIT.notFinished, words, {
    ...details,
    description: problem === undefined ? undefined : `the last reading failed: ${problem.message}`,
  })

/** Nothing is known of the payment: there is no answer to print. */
function neverRead(problem: PayError | undefined, waited: string): PayError {
  if (problem === undefined) throw new Error('the time is up without a reading')
  return new PayError(
    problem.code,
    problem.exitCode,
    `The payment could not be read once in ${waited}: ${problem.message}`,
    { ...problem.details, cause: problem },
  )
}
