import type { Answer, CallOperation } from '../../client/calls/call.ts'
import type { Draft } from '../command/draft.ts'
import type { Invocation } from '../command/invocation.ts'
import { numberAt, textAt } from '../../json/fields.ts'

/** Reads the payment of a call at most once. */
export interface PaymentReader {
  readonly read: () => Promise<unknown>
  /** The payment, or undefined before it is read. */
  readonly cached: () => unknown
  /** The whole response. */
  readonly answer: () => Answer | undefined
}

export function createPaymentReader({ call }: Pick<Invocation, 'call'>, { params }: Draft): PaymentReader {
  let reading: Promise<unknown> | undefined
  let found: Answer | undefined
  async function read(): Promise<unknown> {
    const { getPayment } = await import('../../api/operations/payment.ts')
    found = await call({ operation: getPayment, params: { id: params['id'] ?? '' } })
    return found.json
  }
  return { read: () => (reading ??= read()), cached: () => found?.json, answer: () => found }
}

/** The amount that a call moves, in minor units. */
export interface Figures {
  readonly amountMinor: number | undefined
  readonly currencyCode: string | undefined
  /** The amount for the ledger, which also records points. Limits do not apply to points. */
  readonly recorded: number | undefined
}

/**
 * The amount and currency of a call; undefined where they depend on a payment that has not been read. The payment takes
 * precedence over the body, which may not be validated: the service ignores fields that the operation does not take.
 */
export function figuresOf(operation: CallOperation, draft: Draft, payment: unknown): Figures {
  const isNew = draft.params['id'] === undefined
  const amountFrom = !isNew && operation.amount === 'of-payment' ? payment : draft.body
  const amountMinor = numberAt(amountFrom, 'amount')
  return {
    amountMinor,
    currencyCode: isNew
      ? (textAt(draft.body, 'currencyCode') ?? draft.money?.currencyCode)
      : textAt(payment, 'currencyCode'),
    recorded: operation.amount === 'points' ? numberAt(draft.body, 'value') : amountMinor,
  }
}
