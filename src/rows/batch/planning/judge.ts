import { formatMoney } from '../../../money/format.ts'
import { REASON_NOT_DONE } from '../plan.ts'
import type { BatchOperation, Verdict } from '../plan.ts'
import { agree, rowsInWords } from '../../../text/words.ts'
import type { Figures, BatchFacts } from '../../payments/payment-facts.ts'
import type { Reading } from '../../payments/payment-reader.ts'
import { leftOf, refuseByState } from './payment-state.ts'

/** The request of a row. */
export interface RequestedRow {
  /** The amount in minor units; undefined for all that is left. */
  readonly amount: number | undefined
  /** The currency as written in the row, with the amount or in its own column. */
  readonly currencyCode: string | undefined
  readonly ticket: string | undefined
}

/** A row of the same payment that comes before and is ready. */
export interface EarlierRow {
  readonly row: number
  /** The amount; 0 for a cancellation. */
  readonly amount: number
}

export interface Circumstances {
  readonly operation: BatchOperation
  readonly requested: RequestedRow
  /** Why the row itself can't be used. */
  readonly problem: string | undefined
  readonly reading: Reading
  /** The earlier ready rows of the same payment, in file order. */
  readonly earlier: readonly EarlierRow[]
  /** A write on this payment whose outcome is unknown, in words. */
  readonly openWrite: string | undefined
  /** The earlier use of the row's ticket, in words. */
  readonly usedTicket: string | undefined
  /** An equal write of this machine, in words. */
  readonly sameWrite: (amount: number | undefined) => string | undefined
  /** Whether repeats are intentional: `--again`. */
  readonly allowsRepeats: boolean
  /** Whether the row itself may have been done elsewhere, whatever else is intentional. */
  readonly mayBeDone: boolean
  /** Why the profile forbids the amount; undefined if it allows it. */
  readonly overLimit: (amount: number | undefined, currencyCode: string) => string | undefined
}

export interface Judgement {
  readonly verdict: Verdict
  readonly message?: string | undefined
  readonly amount?: number | undefined
  readonly currencyCode?: string | undefined
  readonly figures?: Figures | undefined
}

/** Judges a row. The first verdict that applies wins, in the order of {@link Verdict}. */
export function judge(circumstances: Circumstances): Judgement {
  const { operation, requested, problem, reading } = circumstances
  const asked = { amount: requested.amount, currencyCode: requested.currencyCode }
  if (problem !== undefined) return { verdict: 'bad_row', message: problem, ...asked }
  if (reading.kind === 'unread')
    return { verdict: 'unread', message: `${reading.message}: plan the row again`, ...asked }
  if (reading.kind !== 'payment') return { verdict: reading.kind, message: reading.message, ...asked }
  const { facts } = reading
  const { currencyCode, figures } = facts
  if (figures === undefined || currencyCode === undefined)
    return {
      verdict: 'unread',
      message: `the payment does not show its ${missingIn(facts)}: plan the row again, or use pay payment ${operation}`,
      ...asked,
    }
  const refuse = (verdict: Verdict, message: string): Judgement => ({
    verdict,
    message,
    amount: requested.amount,
    currencyCode: requested.currencyCode ?? currencyCode,
    figures,
  })
  const { openWrite, usedTicket } = circumstances
  if (openWrite !== undefined) return refuse('in_doubt', openWrite)
  if (usedTicket !== undefined) return refuse('done_before', usedTicket)
  if (requested.currencyCode !== undefined && requested.currencyCode !== currencyCode)
    return refuse(
      'currency_mismatch',
      `the payment is in ${currencyCode}, the row in ${requested.currencyCode}: correct the row`,
    )
  const byState = refuseByState(operation, figures, currencyCode)
  if (byState !== undefined) return refuse(byState.verdict, byState.message)
  const amount = operation === 'cancel' ? undefined : amountOf(circumstances, figures, currencyCode)
  if (typeof amount === 'object') return refuse(amount.verdict, amount.message)
  const { allowsRepeats, mayBeDone } = circumstances
  const repeated = mayBeDone
    ? MAY_BE_DONE
    : allowsRepeats
      ? undefined
      : repeatOf(circumstances, facts, amount)
  if (repeated !== undefined) return { ...refuse('possible_duplicate', repeated), amount }
  const forbidden = circumstances.overLimit(amount, currencyCode)
  if (forbidden !== undefined) return { ...refuse('over_limit', forbidden), amount }
  if (operation === 'cancel' && circumstances.earlier.length > 0)
    return refuse('nothing_left', cancelledBy(circumstances.earlier[0]))
  return { verdict: 'ready', message: reading.note, amount, currencyCode, figures }
}

const missingIn = ({ status, currencyCode }: BatchFacts): string =>
  status === undefined ? 'status' : currencyCode === undefined ? 'currency' : 'amounts'

/** The explicit amount of the row, or why too little is left for it. */
function amountOf(
  { operation, requested, earlier }: Circumstances,
  figures: Figures,
  currencyCode: string,
): number | Pick<Judgement & { readonly message: string }, 'verdict' | 'message'> {
  const left = leftOf(operation, figures)
  const taken = earlier.reduce((sum, { amount }) => sum + amount, 0)
  const money = (minor: number) => formatMoney(minor, currencyCode)
  const takers = rowsInWords(earlier.map(({ row }) => row))
  if (left - taken <= 0)
    return {
      verdict: 'nothing_left',
      message: `${takers} ${agree(earlier.length, 'takes', 'take')} the ${money(left)} left to ${operation}: remove this row, or correct the amounts`,
    }
  const { amount = left - taken } = requested
  if (amount <= left - taken) return amount
  const after = taken === 0 ? '' : ` (${money(left)} less ${money(taken)} in ${takers})`
  return {
    verdict: 'exceeds_remaining',
    message: `${money(amount)} is more than the ${money(left - taken)} left to ${operation}${after}: correct the amount`,
  }
}

/** The write that the row may repeat. An unused ticket says that the row is intentional. */
function repeatOf(
  { operation, requested, earlier, sameWrite }: Circumstances,
  { refunds, currencyCode }: BatchFacts,
  amount: number | undefined,
): string | undefined {
  if (requested.ticket !== undefined) return undefined
  const what = amount === undefined ? '' : ` of ${formatMoney(amount, currencyCode)}`
  const write = sameWrite(amount)
  if (write !== undefined) return `${write}: ${REMEDY}`
  const shown =
    operation === 'refund'
      ? refunds.find((refund) => refund.amount === amount && refund.state !== 'failed')
      : undefined
  if (shown !== undefined) {
    const date = shown.date === undefined ? '' : `, ${shown.date.slice(0, 10)}`
    return `the payment already shows a refund${what}${date}: ${REMEDY}`
  }
  const equal = earlier.find((row) => row.amount === (amount ?? 0))
  if (equal === undefined) return undefined
  return operation === 'cancel'
    ? cancelledBy(equal)
    : `row ${equal.row} is the same ${operation}${what}: ${REMEDY}`
}

/** The words for an earlier cancellation: a payment can be cancelled only once. */
const cancelledBy = (earlier: EarlierRow | undefined): string =>
  `row ${earlier?.row} cancels the payment: remove this row`

const MAY_BE_DONE = `the payment moved after an earlier plan, maybe by this very row: look at the payment, then remove the row, or clear ${REASON_NOT_DONE}`

const REMEDY = 'if it is intentional, give the row a ticket, or plan with --again'
