import { refundStateOf, transactionTypeOf } from '../../../api/payment-states.ts'
import type { RefundState } from '../../../api/payment-states.ts'
import { isRecord } from '../../../json/is-record.ts'
import { figuresOf } from '../figures.ts'
import type { Figures } from '../plan.ts'

/** The facts of a payment that a batch needs: few, because many payments are kept at the same time. */
export interface PaymentFacts {
  readonly id: string
  readonly orderId: string | undefined
  readonly status: string | undefined
  readonly currencyCode: string | undefined
  /** The figures; undefined where the payment doesn't show all of them. */
  readonly figures: Figures | undefined
  readonly refunds: readonly RefundFact[]
}

/** A transaction of type REFUND. */
export interface RefundFact {
  readonly amount: number | undefined
  readonly state: RefundState
  readonly date: string | undefined
}

/** Reads a payment, or an entry of a list, which has no transactions. `id` is the one that was asked for. */
export function factsOf(payment: Readonly<Record<string, unknown>>, id: string): PaymentFacts {
  return {
    id,
    orderId: textIn(payment, 'orderId'),
    status: textIn(payment, 'status'),
    currencyCode: textIn(payment, 'currencyCode'),
    figures: figuresOf(payment),
    refunds: refundsIn(payment['transactions']),
  }
}

/** The list that all payments without refunds share. */
const NONE: readonly RefundFact[] = []

function refundsIn(transactions: unknown): readonly RefundFact[] {
  if (!Array.isArray(transactions)) return NONE
  const refunds = transactions.filter(isRecord).filter(isRefund)
  return refunds.length === 0
    ? NONE
    : refunds.map((refund) => ({
        amount: minorIn(refund, 'amount'),
        state: refundStateOf(textIn(refund, 'processorStatus')),
        date: textIn(refund, 'date'),
      }))
}

type Fields = Readonly<Record<string, unknown>>

const isRefund = (transaction: Fields): boolean => transactionTypeOf(transaction) === 'REFUND'

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? detached(value) : undefined
}

/** Copies a text: a part of a response would keep the whole response in memory. */
const detached = (text: string): string => Buffer.from(text).toString()

function minorIn(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
