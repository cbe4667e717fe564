import { getPayment } from '../../../api/operations/payment.ts'
import { PAYMENT_STATUSES } from '../../../api/sets.ts'
import type { Payment, Transaction } from '../../../api/models/payment.ts'
import { startDraft, completeDraft } from '../../../cli/request/build-draft.ts'
import { fieldAt, textAt } from '../../../json/fields.ts'
import { switchFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import { operate } from '../../../cli/operate.ts'
import type { Result } from '../../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../../cli/command/spec.ts'
import { watchPayment } from '../../../cli/watch.ts'
import { EXIT, PayError, interruptedBy } from '../../../errors.ts'
import { answerAndResume } from '../../../views/payment/actions.ts'
import { refundsOf } from '../../../views/payment/refunds.ts'
import { formatStatus } from '../../../views/payment/status.ts'
import { ORDER_FLAG, paymentArgument } from '../payment-argument.ts'
import { readTargetStatuses, verdictOf } from './status-verdict.ts'
import type { TargetStatuses, Verdict } from './status-verdict.ts'
import { watchRefunds, matchEachRefund, pendingOrLatest } from './refund-watch.ts'
import type { StatusWatch } from './refund-watch.ts'
import { WAIT_TIMEOUT_FLAG, readWaitTimeout } from './wait-timeout.ts'
import { showPayment } from '../show-payment.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { paymentDeclined, refundFailed } from '../../../cli/report/decline-errors.ts'
import { accountFlagsOf } from '../../../cli/command/flag-words.ts'
import type { WatchEnd } from '../../../cli/watch.ts'
import type { ErrorDetails } from '../../../errors.ts'
import { lastWords } from '../../../files/shell.ts'
import { plainWord } from '../../../text/shell-word.ts'

export const command: CommandSpec = {
  path: ['payment', 'wait'],
  summary: 'Wait until a payment or its refund is final',
  details:
    'Reads the payment repeatedly until it has left PENDING and SETTLING, or until it reaches a status given with --until. Exit code 0: it did. 13: the payment (with --refund, the refund) was declined or failed. 8: the time ran out, or the payment reached another final status. Prints the payment in every case.\nThe sandbox settles payments by its own clock. To advance it, run pay sandbox clock advance 1h in another terminal.',
  examples: [
    { purpose: 'wait for a capture to settle', line: 'pay payment wait "$ID"' },
    {
      purpose: 'wait up to 10 minutes for pending refunds',
      line: 'pay payment wait "$ID" --refund --for 10m',
    },
    {
      purpose: 'print only the status, for a script',
      line: 'pay payment wait "$ID" --until "SETTLED,CANCELLED" --query status -o id',
    },
  ],
  args: [paymentArgument()],
  flags: {
    ...ORDER_FLAG,
    until: {
      kind: 'text',
      value: 'STATUS,…',
      suggestions: PAYMENT_STATUSES,
      help: 'Wait for one of these statuses, such as SETTLED; with --refund, statuses of the refund',
    },
    refund: {
      kind: 'switch',
      help: "Wait for the payment's refunds that are not final; if all are, check the latest",
    },
    for: WAIT_TIMEOUT_FLAG,
  },
  operation: getPayment,
  present: showPayment,
  exitCodes: [EXIT.conflict, EXIT.notFinished, EXIT.outcomeUnknown, EXIT.declined],
  related: ['payment explain', 'payment get'],
  run,
}

async function run(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const until = await readTargetStatuses(invocation)
  const timeout = readWaitTimeout(invocation)
  await invocation.account()
  const draft = await completeDraft(invocation, await startDraft(invocation))
  if (invocation.settings.mode !== 'send') return operate(invocation, getPayment, draft)
  const id = draft.params['id'] ?? ''
  invocation.target.id = id
  const what = switchFlag(input, 'refund') ? 'refund' : 'payment'
  const watch = what === 'refund' ? refundStatusWatch(until) : paymentStatusWatch(until)
  const end = await watchPayment(invocation, { id, forMs: timeout.forMs, ...watch })
  return waitResult(invocation, {
    end,
    what,
    until,
    timeout: timeout.text,
    describe: watch.describe,
    present: showPayment,
  })
}

const paymentStatusWatch = (until: TargetStatuses): StatusWatch => ({
  evaluate: (answer) =>
    verdictOf(
      { status: textAt(answer, 'status'), reasonType: textAt(fieldAt(answer, ['statusReason']), 'type') },
      until,
    ),
  describe: (answer) => formatStatus(textAt(answer, 'status')),
})

const refundStatusWatch = (until: TargetStatuses): StatusWatch =>
  watchRefunds(matchEachRefund(refundsToWatch), until)

function refundsToWatch(payment: Payment): readonly Transaction[] {
  // If the response lists transactions and none is a refund, there is nothing to wait for.
  if (payment.transactions !== undefined && refundsOf(payment).length === 0)
    throw new PayError('no_refund', EXIT.conflict, 'The payment has no refund to wait for', {
      operation: getPayment.id,
      outcome: 'none',
    })
  return pendingOrLatest(payment)
}

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
async function waitResult(invocation: Invocation, waited: FinishedWait): Promise<Result> {
  const { end, what } = waited
  const { id } = invocation.target
  const next = id === undefined ? [] : [`pay${accountFlagsOf(invocation)} payment explain ${lastWords(id)}`]
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
        ...(kind === 'sandbox' ? inSandbox(end.answer.json, invocation) : {}),
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

/** What helps in a sandbox, where settling takes an hour on its clock, and no clock answers a 3DS challenge. */
function inSandbox(payment: unknown, invocation: Invocation): Pick<ErrorDetails, 'hint' | 'next'> {
  const id = plainWord(invocation.target.id)
  const isChallenge = textAt(fieldAt(payment, ['requiredAction']), 'name') === '3DS_AUTHENTICATION'
  if (!isChallenge || id === undefined)
    return {
      hint: 'The sandbox settles payments by its own clock. To advance it: pay sandbox clock advance 1h',
    }
  return {
    hint: 'It waits for the customer, for whom you can answer.',
    next: [answerAndResume(id, `pay${accountFlagsOf(invocation)}`)],
  }
}

function withProblem(
  { present }: FinishedWait,
  answer: NonNullable<FinishedWait['end']['answer']>,
  exitCode: number,
  problem: PayError,
): Result {
  return { ...present(answer), exitCode, problem }
}

/** The error for a decline. It has the reason of a failed refund only if the payment has one refund: without a request, nothing identifies it. */
const declineError = (what: FinishedWait['what'], answer: unknown, details: ErrorDetails): PayError =>
  what === 'refund' ? refundFailed(answer, {}, details) : paymentDeclined(answer, details)

const notFinishedError = (words: string, problem: PayError | undefined, details: ErrorDetails): PayError =>
  new PayError('not_finished', EXIT.notFinished, words, {
    ...details,
    description: problem === undefined ? undefined : `the last read failed: ${problem.message}`,
  })

/** The error if every read failed, so that there is no payment to print. */
function neverReadError(problem: PayError | undefined, waited: string): PayError {
  if (problem === undefined) throw new Error('time is up without a response or a problem')
  return new PayError(
    problem.code,
    problem.exitCode,
    `The payment could not be read within ${waited}: ${problem.message}`,
    { ...problem.details, cause: problem },
  )
}
