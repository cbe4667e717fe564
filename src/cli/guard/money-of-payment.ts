import { PayError, UsageError, isInterruption } from '../../errors.ts'
import { fieldAt } from '../request/field-path.ts'
import type { PaymentReader } from './payment-reader.ts'

/** A currency that was written is held against the payment's own. */
export async function refuseOtherCurrency(written: string, reader: PaymentReader): Promise<void> {
  let payment: unknown
  try {
    payment = await reader.read()
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    throw new UsageError(
      `The payment's currency could not be read, so ${written} could not be checked: ${error.message}`,
      {
        ...error.details,
        code: 'currency_unchecked',
        outcome: 'none',
        hint: 'A bare integer in minor units, without a currency, is sent unchecked.',
        cause: error,
      },
    )
  }
  const currencyCode = fieldAt(payment, ['currencyCode'])
  if (currencyCode === written) return
  const message =
    typeof currencyCode === 'string'
      ? `The payment is in ${currencyCode}, not in ${written}`
      : `The payment does not tell its currency, so ${written} could not be checked`
  throw new UsageError(message, {
    code: typeof currencyCode === 'string' ? 'currency_conflict' : 'currency_unchecked',
    outcome: 'none',
  })
}
