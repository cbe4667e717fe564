import type { CallOperation } from '../../calls/call.ts'
import type { Draft } from '../command/draft.ts'
import type { Invocation } from '../command/invocation.ts'
import { withoutNulls } from '../command/nulls.ts'
import { numberAt, textAt } from '../parse/field-path.ts'

/** The payment of a call, read once at most before the call. */
export interface PaymentReader {
  readonly read: () => Promise<unknown>
  /** The payment, or undefined as long as it has not been read. */
  readonly cached: () => unknown
}

export function createPaymentReader({ call }: Pick<Invocation, 'call'>, { params }: Draft): PaymentReader {
  let reading: Promise<unknown> | undefined
  let cached: unknown
  async function read(): Promise<unknown> {
    const { getPayment } = await import('../../api/operations/payment.ts')
    const answer = await call({ operation: getPayment, params: { id: params['id'] ?? '' } })
    cached = withoutNulls(answer.json)
    return cached
  }
  return { read: () => (reading ??= read()), cached: () => cached }
}

/** What a call moves. */
export interface Figures {
  readonly amountMinor: number | undefined
  readonly currencyCode: string | undefined
  /** The amount for the ledger, which also records points. Limits do not apply to points. */
  readonly recorded: number | undefined
}

/** Operations without an amount of their own: they move the amount of the payment. */
const MOVES_PAYMENT_AMOUNT: readonly string[] = ['payment.authorize', 'payment.resume']

/**
 * The figures of a call. A payment takes precedence over a body that was not validated: the service ignores fields that
 * the operation does not take. Undefined as long as the payment has not been read.
 */
export function figuresOf(operation: CallOperation, draft: Draft, payment: unknown): Figures {
  const isNew = draft.params['id'] === undefined
  const amountFrom = !isNew && MOVES_PAYMENT_AMOUNT.includes(operation.id) ? payment : draft.body
  const amountMinor = numberAt(amountFrom, 'amount')
  return {
    amountMinor,
    currencyCode: isNew
      ? (textAt(draft.body, 'currencyCode') ?? draft.money?.currencyCode)
      : textAt(payment, 'currencyCode'),
    recorded: operation.unit === 'points' ? numberAt(draft.body, 'value') : amountMinor,
  }
}
