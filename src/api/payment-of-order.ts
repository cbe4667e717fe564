import { isRecord } from '../json/is-record.ts'
import { knownStatus, stateOf } from './payment-states.ts'

/** One payment of an order, as an entry of the list or, with `isFull`, as its own read shows it. */
export interface OrderPayment {
  readonly payment: unknown
  readonly isFull: boolean
}

export type OrderVerdict =
  /** The payment of the order; the others were tries that never captured anything. */
  | { readonly kind: 'one'; readonly at: number }
  | { readonly kind: 'several' }
  /** The list doesn't say enough of these: read each, then decide again. */
  | { readonly kind: 'read'; readonly at: readonly number[] }

/** Most payments to read for one order. One with more tries that the list says too little of is for a person to look at. */
const MAX_READS = 20

/**
 * Which of an order's payments is meant. Once another one may have captured anything, there is no telling: a repeated
 * command would walk on to the next payment and move the money again.
 */
export function decidePaymentOfOrder(payments: readonly OrderPayment[]): OrderVerdict {
  const [at, ...more] = payments.flatMap(({ payment }, index) => (isOver(payment) ? [] : [index]))
  if (at === undefined || more.length > 0) return { kind: 'several' }
  const unread: number[] = []
  for (const [other, { payment, isFull }] of payments.entries()) {
    if (other === at) continue
    const captured = hasCaptured(payment, isFull)
    if (captured === 'maybe') return { kind: 'several' }
    if (captured === 'unread') unread.push(other)
  }
  if (unread.length > MAX_READS) return { kind: 'several' }
  return unread.length > 0 ? { kind: 'read', at: unread } : { kind: 'one', at }
}

/** Whether no further payments of the order can change that several are meant. */
export const areSeveral = (payments: readonly unknown[]): boolean =>
  payments.filter((payment) => !isOver(payment)).length > 1

const OVER: readonly unknown[] = ['DECLINED', 'FAILED', 'CANCELLED']

const isOver = (payment: unknown): boolean => isRecord(payment) && OVER.includes(payment['status'])

/** Whether a payment that is over ever captured anything. What can't be read counts as a maybe. */
function hasCaptured(payment: unknown, isFull: boolean): 'no' | 'maybe' | 'unread' {
  if (!isRecord(payment)) return 'maybe'
  const { processor = {}, transactions = [], status } = payment
  if (!isRecord(processor) || !Array.isArray(transactions)) return 'maybe'
  const figures = [processor['amountCaptured'], processor['amountRefunded']]
  if (figures.some((figure) => figure !== undefined && figure !== null && figure !== 0)) return 'maybe'
  if (!transactions.every(movedNothing)) return 'maybe'
  if (!figures.some((figure) => figure === undefined || figure === null)) return 'no'
  if (!isFull) return 'unread'
  // Services may leave the figures of a payment out that was never authorized. A cancelled one may have been captured in part.
  const known = knownStatus(status)
  return known !== undefined && stateOf(known)?.authorized === 'no' ? 'no' : 'maybe'
}

/** Some services call the field `type`. */
const movedNothing = (transaction: unknown): boolean =>
  isRecord(transaction) &&
  (transaction['transactionType'] ?? transaction['type']) !== 'REFUND' &&
  stateOf(transaction['processorStatus'])?.captured === 'none'
