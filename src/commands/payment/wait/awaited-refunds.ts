import { payment } from '../../../api/models/payment.ts'
import type { Payment, Transaction } from '../../../api/models/payment.ts'
import { parseResponse } from '../../../api/parse-response.ts'
import { joinParts, formatAmount } from '../../../views/format-fields.ts'
import { formatStatus } from '../../../views/status.ts'
import { verdictOfRefund } from './awaited.ts'
import type { Until, Verdict } from './awaited.ts'
import type { Find } from './which-refund.ts'

/** Refunds that are followed from reading to reading. */
export interface AwaitedRefunds {
  readonly evaluate: (payment: unknown) => Verdict | undefined
  /** `2.00 EUR … PENDING` */
  readonly describe: (payment: unknown) => string
}

/** The refunds that are found from the first reading on that has any. */
export function awaitedRefunds(find: Find, until: Until): AwaitedRefunds {
  let first: Payment | undefined
  const among = (answer: unknown) => {
    const paid = parseResponse(payment, answer) ?? {}
    if (first === undefined && find(paid, paid).flat().length > 0) first = paid
    return { paid, followed: first === undefined ? [] : find(first, paid) }
  }
  return {
    evaluate: (answer) => verdictOfAll(among(answer).followed.map((those) => agreedOn(those, until))),
    describe: (answer) => {
      const { paid, followed } = among(answer)
      const refunds = [...new Set(followed.flat())]
      if (refunds.length > 0) return refunds.map((refund) => wordsOf(refund, paid)).join(', ')
      return first === undefined
        ? 'no refund of it is to be seen yet'
        : 'no longer to be found in the payment'
    },
  }
}

/** One that failed tells of failure, but only once the others have ended too. */
function verdictOfAll(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  if (verdicts.length === 0 || verdicts.includes(undefined)) return undefined
  return (['doubtful', 'declined', 'stays'] as const).find((bad) => verdicts.includes(bad)) ?? 'reached'
}

/** The verdict of a refund that may be any of these. */
function agreedOn(refunds: readonly Transaction[], until: Until): Verdict | undefined {
  const verdicts = refunds.map(({ processorStatus: status, processorStatusReason: reason }) =>
    verdictOfRefund({ status, reasonType: reason?.type }, until),
  )
  return verdicts.every((verdict) => verdict === verdicts[0]) ? verdicts[0] : undefined
}

const wordsOf = ({ amount, currencyCode, processorStatus }: Transaction, paid: Payment): string =>
  joinParts([formatAmount(amount, currencyCode ?? paid.currencyCode), formatStatus(processorStatus)], ' ')
