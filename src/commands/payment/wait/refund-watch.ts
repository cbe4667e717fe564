import { payment as paymentSchema } from '../../../api/models/payment.ts'
import type { Payment, Transaction } from '../../../api/models/payment.ts'
import { parseResponse } from '../../../api/parse-response.ts'
import { joinParts, formatAmount } from '../../../views/format-fields.ts'
import { formatStatus } from '../../../views/payment/status.ts'
import { verdictOfRefund } from './status-verdict.ts'
import type { TargetStatuses, Verdict } from './status-verdict.ts'
import type { RefundMatcher } from './match-refunds.ts'

/** How to evaluate and describe each response while waiting. */
export interface StatusWatch {
  readonly evaluate: (payment: unknown) => Verdict | undefined
  /** For the user who waits: `2.00 EUR … PENDING` */
  readonly describe: (payment: unknown) => string
}

/** Watches refunds from the first response that has any. */
export function watchRefunds(find: RefundMatcher, until: TargetStatuses): StatusWatch {
  let first: Payment | undefined
  const readRefunds = (answer: unknown) => {
    const payment = parseResponse(paymentSchema, answer) ?? {}
    if (first === undefined && find(payment, payment).flat().length > 0) first = payment
    return { payment, followed: first === undefined ? [] : find(first, payment) }
  }
  return {
    evaluate: (answer) =>
      combineVerdicts(readRefunds(answer).followed.map((refunds) => unanimousVerdict(refunds, until))),
    describe: (answer) => {
      const { payment, followed: candidates } = readRefunds(answer)
      const refunds = [...new Set(candidates.flat())]
      if (refunds.length > 0) return refunds.map((refund) => describeRefund(refund, payment)).join(', ')
      return first === undefined ? 'not listed on the payment yet' : 'missing from the payment'
    },
  }
}

/** A failed refund fails the wait, but only once all the others have ended too. */
function combineVerdicts(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  if (verdicts.length === 0 || verdicts.includes(undefined)) return undefined
  return (
    (['unknown', 'declined', 'unreachable'] as const).find((outcome) => verdicts.includes(outcome)) ??
    'reached'
  )
}

/** The verdict on a refund that may be any of these transactions; undefined unless all of them agree. */
function unanimousVerdict(refunds: readonly Transaction[], until: TargetStatuses): Verdict | undefined {
  const verdicts = refunds.map(({ processorStatus: status, processorStatusReason: reason }) =>
    verdictOfRefund({ status, reasonType: reason?.type }, until),
  )
  return verdicts.every((verdict) => verdict === verdicts[0]) ? verdicts[0] : undefined
}

const describeRefund = ({ amount, currencyCode, processorStatus }: Transaction, payment: Payment): string =>
  joinParts([formatAmount(amount, currencyCode ?? payment.currencyCode), formatStatus(processorStatus)], ' ')
