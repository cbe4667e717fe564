import { isRecord } from '../json/is-record.ts'
import { knownStatus, stateOf, transactionTypeOf } from './payment-states.ts'

/** One payment of an order: its entry in the list or, with `isFull`, its own full read. */
export interface OrderPayment {
  readonly payment: unknown
  readonly isFull: boolean
}

type OrderVerdict =
  /** The payment of the order; the others were tries that never captured anything. */
  | { readonly kind: 'one'; readonly at: number }
  | { readonly kind: 'several' }
  /** The list doesn't say enough about these: read each, then decide again. */
  | { readonly kind: 'read'; readonly at: readonly number[] }

/** The most payments to read for one order. If the list lacks the figures of more, a person has to choose. */
const MAX_READS = 20

/**
 * Decides which of an order's payments is meant. If another one may have captured anything, that can't be told: a repeated
 * command could act on the next payment and move the money again.
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

/** Whether several are meant, whatever further payments the order has. */
export const areSeveral = (payments: readonly unknown[]): boolean =>
  payments.filter((payment) => !isOver(payment)).length > 1

const OVER: readonly unknown[] = ['DECLINED', 'FAILED', 'CANCELLED']

export const isOver = (payment: unknown): boolean => isRecord(payment) && OVER.includes(payment['status'])

/** Whether a payment that is over ever captured anything. Figures that can't be read count as `maybe`. */
function hasCaptured(payment: unknown, isFull: boolean): 'no' | 'maybe' | 'unread' {
  if (!isRecord(payment)) return 'maybe'
  const { processor = {}, transactions = [], status } = payment
  if (!isRecord(processor) || !Array.isArray(transactions)) return 'maybe'
  const figures = [processor['amountCaptured'], processor['amountRefunded']]
  if (figures.some((figure) => figure !== undefined && figure !== null && figure !== 0)) return 'maybe'
  if (!transactions.every(movedNothing)) return 'maybe'
  if (!figures.some((figure) => figure === undefined || figure === null)) return 'no'
  if (!isFull) return 'unread'
  // Services may leave out the figures of a payment that was never authorized. A cancelled one may have been partly captured.
  const known = knownStatus(status)
  return known !== undefined && stateOf(known)?.authorized === 'no' ? 'no' : 'maybe'
}

/** Whether a transaction moved nothing. */
const movedNothing = (transaction: unknown): boolean =>
  isRecord(transaction) &&
  transactionTypeOf(transaction) !== 'REFUND' &&
  stateOf(transaction['processorStatus'])?.captured === 'none'
