import type { CallOperation } from '../../calls/call.ts'
import { parseAmount } from '../../money/parse.ts'
import type { Draft } from '../command/draft.ts'
import { fieldAt, setField } from '../request/field-path.ts'
import type { CommandRun } from '../command/spec.ts'
import { refuseOtherCurrency } from './money-of-payment.ts'
import type { PaymentReader } from './payment-reader.ts'

/** The amount in minor units and the check of a written currency; the payment is read where one of them hangs on it. */
export async function settleMoney(
  invocation: CommandRun,
  operation: CallOperation,
  draft: Draft,
  reader: PaymentReader,
): Promise<{ readonly draft: Draft; readonly unchecked: readonly string[] }> {
  const { spec, settings } = invocation
  if (spec.money === undefined) return { draft, unchecked: [] }
  const written = draft.money?.currencyCode
  if (settings.mode !== 'send') {
    if (draft.money?.text !== undefined && fieldAt(draft.body, ['amount']) === undefined)
      parseAmount(draft.money.text, { what: '--amount', allowZero: false })
    return { draft, unchecked: written === undefined ? [] : [`that the payment is in ${written}`] }
  }
  if (invocation.isInteractive) {
    const { refuseOpenIntent } = await import('./ask-amount.ts')
    await refuseOpenIntent(invocation, operation, draft)
  }
  if (written !== undefined) await refuseOtherCurrency(written, reader)
  if (!invocation.isInteractive) return { draft, unchecked: [] }
  const { askAmount } = await import('./ask-amount.ts')
  const amountMinor = await askAmount(invocation, operation, draft, reader)
  return {
    draft:
      amountMinor === undefined
        ? draft
        : { ...draft, body: setField(draft.body, ['amount'], amountMinor, '--amount') },
    unchecked: [],
  }
}
