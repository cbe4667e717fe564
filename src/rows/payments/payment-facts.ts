import { refundStateOf, stateOf, transactionTypeOf } from '../../api/payment-states.ts'
import type { RefundState } from '../../api/payment-states.ts'
import { isRecord } from '../../json/is-record.ts'

/** The amounts of a payment in minor units, and its status. */
export interface Figures {
  readonly status: string
  readonly amount: number
  readonly amountCaptured: number
  readonly amountRefunded: number
}

/** The figures of a payment as the service returns it. Undefined if one is missing: then nothing can be compared. */
export function figuresOf(payment: unknown): Figures | undefined {
  if (!isRecord(payment)) return undefined
  const processor = isRecord(payment['processor']) ? payment['processor'] : {}
  const { status, amount } = payment
  const { amountCaptured, amountRefunded } = processor
  if (typeof status !== 'string' || !isAmount(amount)) return undefined
  const isUncaptured = stateOf(status)?.captured === 'none'
  // Before a capture, some services leave the figures out.
  const captured = amountCaptured ?? (isUncaptured ? 0 : undefined)
  const refunded = amountRefunded ?? (isUncaptured ? 0 : undefined)
  if (!isAmount(captured) || !isAmount(refunded)) return undefined
  return { status, amount, amountCaptured: captured, amountRefunded: refunded }
}

const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** The facts of a payment that a row of a batch needs: few, because many payments are kept at the same time. */
export interface BatchFacts {
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
export function factsOf(payment: Readonly<Record<string, unknown>>, id: string): BatchFacts {
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

export const isRefund = (transaction: Fields): boolean => transactionTypeOf(transaction) === 'REFUND'

/** A text that isn't empty. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? detached(value) : undefined
}

/** Copies a text: a part of a response would keep the whole response in memory. */
const detached = (text: string): string => Buffer.from(text).toString()

/** An amount in minor units. */
export function minorIn(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  return isAmount(value) ? value : undefined
}
