import type { PaymentMethod } from '../api/models/payment-method.ts'
import { joinParts, formatField, addNote } from './format-fields.ts'

type Method = Pick<PaymentMethod, 'paymentMethodType' | 'paymentMethodData'>

/** `VISA •••• 1111`, or the type of a method that is no card: `PAYPAL`. */
export function formatMethod(method: Method | undefined): string | undefined {
  const card = method?.paymentMethodData
  const name = formatField(card?.network ?? card?.binData?.network ?? method?.paymentMethodType)
  const lastFour =
    card?.last4Digits === undefined ? undefined : `•••• ${formatField(card.last4Digits.slice(-4))}`
  return joinParts([name, lastFour], ' ') || undefined
}

/** `VISA •••• 1111 (03/2030)`. */
export function formatMethodWithExpiry(method: Method | undefined): string | undefined {
  const { expirationMonth, expirationYear } = method?.paymentMethodData ?? {}
  const isKnown = expirationMonth !== undefined && expirationYear !== undefined
  return addNote(
    formatMethod(method),
    isKnown ? formatField(`${expirationMonth}/${expirationYear}`) : undefined,
  )
}
