import { payment } from '../../api/payment.ts'
import type { Payment, Transaction } from '../../api/payment.ts'
import { readAs } from '../../api/plain-shape.ts'
import { shownMoney } from '../../views/shown.ts'
import { statusText } from '../../views/status.ts'
import { verdictOf } from './awaited.ts'
import type { Until, Verdict } from './awaited.ts'

/** Refunds that are followed from reading to reading. */
export interface AwaitedRefunds {
  readonly judge: (payment: unknown) => Verdict | undefined
  /** `2.00 EUR … PENDING` */
  readonly look: (payment: unknown) => string
}

/** The refunds that are chosen from the first reading that has any; later ones of others do not matter. */
export function awaitedRefunds(
  choose: (paid: Payment) => readonly Transaction[],
  until: Until,
): AwaitedRefunds {
  let keys: readonly string[] = []
  const among = (answer: unknown): { readonly paid: Payment; readonly refunds: readonly Transaction[] } => {
    const paid = readAs(payment, answer) ?? {}
    if (keys.length === 0) keys = choose(paid).map(keyOf)
    return { paid, refunds: refundsOf(paid).filter((refund) => keys.includes(keyOf(refund))) }
  }
  return {
    judge: (answer) => verdictOfAll(among(answer).refunds, until),
    look: (answer) => {
      const { paid, refunds } = among(answer)
      return refunds.length === 0
        ? 'no refund of it is to be seen yet'
        : refunds.map((refund) => wordsOf(refund, paid)).join(', ')
    },
  }
}

/** One that failed tells of failure, but only once the others have ended too. */
function verdictOfAll(refunds: readonly Transaction[], until: Until): Verdict | undefined {
  const verdicts = refunds.map(({ processorStatus: status, processorStatusReason: reason }) =>
    verdictOf({ status, reasonType: reason?.type }, until),
  )
  if (verdicts.length === 0 || verdicts.includes(undefined)) return undefined
  return (['doubtful', 'declined', 'stays'] as const).find((bad) => verdicts.includes(bad)) ?? 'reached'
}

export const refundsOf = ({ transactions = [] }: Payment): readonly Transaction[] =>
  transactions.filter(({ transactionType }) => transactionType === 'REFUND')

/** Those that are not final; where all are, the one that was made last. */
export function openOrLatest(paid: Payment): readonly Transaction[] {
  const refunds = refundsOf(paid)
  const open = refunds.filter(
    ({ processorStatus: status }) => verdictOf({ status, reasonType: undefined }, undefined) === undefined,
  )
  const latest = refunds.reduce<Transaction | undefined>(
    (best, refund) => ((refund.date ?? '') < (best?.date ?? '') ? best : refund),
    undefined,
  )
  return open.length > 0 || latest === undefined ? open : [latest]
}

const wordsOf = ({ amount, currencyCode, processorStatus }: Transaction, paid: Payment): string =>
  [shownMoney(amount, currencyCode ?? paid.currencyCode), statusText(processorStatus)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')

const keyOf = (refund: Transaction): string =>
  refund.processorTransactionId ?? JSON.stringify([refund.date, refund.amount, refund.orderId, refund.reason])
