import { getPayment } from '../../../api/operations/payment.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { paymentDeclined, refundFailed } from '../../../cli/report/decline-errors.ts'
import { accountFlagsOf } from '../../../cli/command/flag-words.ts'
import type { Result } from '../../../cli/command/result.ts'
import type { WatchEnd } from '../../../cli/watch.ts'
import { EXIT, PayError, interruptedBy } from '../../../errors.ts'
import type { ErrorDetails } from '../../../errors.ts'
import { plainWord } from '../../../text/shell-word.ts'
import type { TargetStatuses, Verdict } from './status-verdict.ts'

interface FinishedWait {
  readonly end: WatchEnd<Verdict>
  readonly what: 'payment' | 'refund'
  readonly until: TargetStatuses
  /** The duration as typed: `2m`. */
  readonly timeout: string
  readonly describe: (payment: unknown) => string
  readonly present: (answer: { readonly text: string; readonly json: unknown }) => Result
}

/** The result of `payment wait`. Exit codes 8 and 13 print the payment too. */
export async function waitResult(invocation: Invocation, waited: FinishedWait): Promise<Result> {
  const { end, what } = waited
  const id = plainWord(invocation.target.id)
  const next = id === undefined ? [] : [`pay${accountFlagsOf(invocation)} payment explain ${id}`]
  const details = { operation: getPayment.id, outcome: 'none', next } as const
  const lastState = end.answer === undefined ? '' : invocation.cleanText(waited.describe(end.answer.json))
  if (end.kind === 'interrupted')
    throw interruptedBy(
      invocation.context.interruption.stop,
      `Interrupted while waiting${lastState === '' ? '' : `: the ${what} was ${lastState}`}.`,
    )
  if (end.kind === 'time-up') {
    if (end.answer === undefined) throw neverReadError(end.problem, waited.timeout)
    const { kind } = await invocation.account()
    const message = `Not finished after ${waited.timeout}: ${lastState === '' ? `the status of the ${what} is unknown` : `the ${what} is ${lastState}`}`
    return withProblem(
      waited,
      end.answer,
      EXIT.notFinished,
      notFinishedError(message, end.problem, {
        ...details,
        retryable: true,
        hint: kind === 'sandbox' ? SANDBOX_CLOCK : undefined,
      }),
    )
  }
  switch (end.verdict) {
    case 'reached':
      return waited.present(end.answer)
    case 'unreachable': {
      const wanted = (waited.until ?? []).map((status) => invocation.cleanText(status)).join(' or ')
      const words = `The ${what} is ${lastState}, which is final: it won't become ${wanted}`
      return withProblem(
        waited,
        end.answer,
        EXIT.notFinished,
        notFinishedError(words, undefined, { ...details, retryable: false }),
      )
    }
    case 'declined':
      return withProblem(waited, end.answer, EXIT.declined, declineError(what, end.answer.json, details))
    case 'unknown':
      throw new PayError(
        'outcome_unknown',
        EXIT.outcomeUnknown,
        `Outcome unknown: the processor never responded to the service (GATEWAY_TIMEOUT), so the ${what} may have succeeded`,
        {
          ...details,
          outcome: 'unknown',
          hint: "Check where that would show, such as the processor's records, before you try again.",
        },
      )
  }
}

/** Settling takes about an hour of sandbox time, which passes only if the user advances the clock. */
const SANDBOX_CLOCK =
  'The sandbox settles payments by its own clock. To advance it: pay sandbox clock advance 1h'

function withProblem(
  { present }: FinishedWait,
  answer: NonNullable<FinishedWait['end']['answer']>,
  exitCode: number,
  problem: PayError,
): Result {
  return { ...present(answer), exitCode, problem }
}

/** Includes the reason of a failed refund only if the payment has one refund: without a request, nothing identifies it. */
const declineError = (what: FinishedWait['what'], answer: unknown, details: ErrorDetails): PayError =>
  what === 'refund' ? refundFailed(answer, {}, details) : paymentDeclined(answer, details)

const notFinishedError = (words: string, problem: PayError | undefined, details: ErrorDetails): PayError =>
  new PayError('not_finished', EXIT.notFinished, words, {
    ...details,
    description: problem === undefined ? undefined : `the last read failed: ${problem.message}`,
  })

/** Every read failed, so there is no payment to print. */
function neverReadError(problem: PayError | undefined, waited: string): PayError {
  if (problem === undefined) throw new Error('time is up without a response or a problem')
  return new PayError(
    problem.code,
    problem.exitCode,
    `The payment could not be read within ${waited}: ${problem.message}`,
    { ...problem.details, cause: problem },
  )
}
