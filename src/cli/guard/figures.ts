import type { CallOperation } from '../../calls/call.ts'
import type { Draft } from '../command/draft.ts'
import { numberAt, textAt } from './payment-reader.ts'

/** What a call moves. */
export interface Figures {
  readonly amountMinor: number | undefined
  readonly currencyCode: string | undefined
}

/** What the ledger keeps as the amount: points too, which are no money and count for no limit. */
export const recordedAmount = (
  operation: CallOperation,
  draft: Draft,
  { amountMinor }: Figures,
): number | undefined => (operation.unit === 'points' ? numberAt(draft.body, 'value') : amountMinor)

/** They take no amount of their own: what they move is the payment's. */
const OF_THE_PAYMENT: readonly string[] = ['payment.authorize', 'payment.resume']

/**
 * Where there is a payment it decides, whatever a body that nobody validated claims: a field that the operation does not
 * take counts for nothing. Unknown as long as the payment has not been read.
 */
export function figuresOf(operation: CallOperation, draft: Draft, payment: unknown): Figures {
  if (draft.params['id'] === undefined) {
    return {
      amountMinor: numberAt(draft.body, 'amount'),
      currencyCode: textAt(draft.body, 'currencyCode') ?? draft.money?.currencyCode,
    }
  }
  return {
    amountMinor: numberAt(OF_THE_PAYMENT.includes(operation.id) ? payment : draft.body, 'amount'),
    currencyCode: textAt(payment, 'currencyCode'),
  }
}
