import { refundPayment } from '../../../api/operations/payment.ts'
import type { Payment } from '../../../api/models/payment.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { refundFailed } from '../../../cli/report/decline-errors.ts'
import { accountFlagsOf } from '../../../cli/command/flag-words.ts'
import type { FollowUp } from '../../../cli/operate.ts'
import { ownRefunds } from '../../../cli/report/own-refunds.ts'
import { watchPayment } from '../../../cli/watch.ts'
import type { WatchEnd } from '../../../cli/watch.ts'
import { EXIT, PayError } from '../../../errors.ts'
import { plainWord } from '../../../text/shell-word.ts'
import { refundsOf } from '../../../views/payment/refunds.ts'
import type { Verdict } from './status-verdict.ts'
import { watchRefunds, matchOneRefund } from './refund-watch.ts'
import { readWaitTimeout } from './wait-timeout.ts'

type Answer = Parameters<FollowUp>[0]
type FollowUpResult = Awaited<ReturnType<FollowUp>>

/**
 * Waits for the refund that was just sent and recorded. A failure to watch it must not look like a failed refund, so it is
 * reported as "not finished" (exit code 8).
 */
export function waitForRefund(invocation: Invocation): FollowUp {
  // Parse --for before anything is sent.
  const { forMs, text } = readWaitTimeout(invocation)
  return async (first, draft) => {
    if (first.exitCode !== EXIT.done) return { answer: first, problem: undefined }
    const ownOf = (payment: Payment) => {
      const own = ownRefunds(draft.body, payment)
      return refundsOf(payment).filter((refund) => own.includes(refund))
    }
    const watch = watchRefunds(matchOneRefund(ownOf), undefined)
    const earlyVerdict = watch.evaluate(first.json)
    try {
      const end: WatchEnd<Verdict> =
        earlyVerdict === undefined
          ? await watchPayment(invocation, { id: draft.params['id'] ?? '', forMs, ...watch })
          : { kind: 'decided', answer: first, verdict: earlyVerdict }
      return resultOfWait(invocation, first, end, {
        waited: text,
        describe: watch.describe,
        request: draft.body,
      })
    } catch (error) {
      if (!(error instanceof PayError) || error.code === 'outcome_unknown') throw error
      return notFinished(invocation, first, `waiting failed: ${error.message}`)
    }
  }
}

function resultOfWait(
  invocation: Invocation,
  first: Answer,
  end: WatchEnd<Verdict>,
  {
    waited: timeout,
    describe,
    request,
  }: {
    readonly waited: string
    readonly describe: (payment: unknown) => string
    readonly request: unknown
  },
): FollowUpResult {
  const answer = end.answer === undefined ? first : withPaymentOf(first, end.answer)
  const state = invocation.cleanText(describe(answer.json))
  if (end.kind === 'interrupted') return notFinished(invocation, answer, `interrupted while it was ${state}`)
  if (end.kind === 'time-up')
    return notFinished(
      invocation,
      answer,
      `after ${timeout} it is ${state}${end.problem === undefined ? '' : ` (the last read failed: ${end.problem.message})`}`,
    )
  switch (end.verdict) {
    case 'reached':
      return { answer, problem: undefined }
    case 'declined':
      return {
        answer: { ...answer, exitCode: EXIT.declined },
        problem: refundFailed(
          answer.json,
          request,
          {
            operation: refundPayment.id,
            outcome: 'none',
            retryable: false,
            next: nextCommands(invocation, 'explain'),
          },
          'The refund was accepted but failed later: no money was returned to the customer',
        ),
      }
    case 'unknown':
    case 'unreachable':
      throw outcomeUnknown(invocation, answer)
  }
}

const outcomeUnknown = (invocation: Invocation, { operationId, idempotencyKey }: Answer): PayError =>
  new PayError(
    'outcome_unknown',
    EXIT.outcomeUnknown,
    'Outcome unknown: the service accepted the refund, but the processor never responded (GATEWAY_TIMEOUT)',
    {
      operation: refundPayment.id,
      operationId,
      idempotencyKey,
      outcome: 'unknown',
      retryable: false,
      hint: "The money may have been returned. Check where that would show, such as the processor's records, before you refund again.",
      next: nextCommands(invocation, 'explain'),
    },
  )

/** The response to the refund, with the payment as last read. */
const withPaymentOf = (first: Answer, { text, json }: Pick<Answer, 'text' | 'json'>): Answer => ({
  ...first,
  text,
  json,
})

function notFinished(invocation: Invocation, answer: Answer, state: string): FollowUpResult {
  return {
    answer: { ...answer, exitCode: EXIT.notFinished },
    problem: new PayError(
      'not_finished',
      EXIT.notFinished,
      `The refund was accepted but is not final yet: ${invocation.cleanText(state)}`,
      {
        operation: refundPayment.id,
        paymentId: invocation.target.id,
        outcome: 'applied',
        retryable: false,
        next: nextCommands(invocation, 'wait'),
      },
    ),
  }
}

function nextCommands(invocation: Invocation, verb: 'wait' | 'explain'): readonly string[] {
  const id = plainWord(invocation.target.id)
  const flag = verb === 'wait' ? ' --refund' : ''
  return id === undefined ? [] : [`pay${accountFlagsOf(invocation)} payment ${verb} ${id}${flag}`]
}
