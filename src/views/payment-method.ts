import type { PaymentMethod } from '../api/models/payment-method.ts'
import { joined, shown, withNote } from './format-fields.ts'

type Method = Pick<PaymentMethod, 'paymentMethodType' | 'paymentMethodData'>

/** `VISA •••• 1111`, or the kind of method where there is no card: `PAYPAL`. */
export function methodText(method: Method | undefined): string | undefined {
  const card = method?.paymentMethodData
  const name = shown(card?.network ?? card?.binData?.network ?? method?.paymentMethodType)
  const lastFour = card?.last4Digits === undefined ? undefined : `•••• ${shown(card.last4Digits.slice(-4))}`
  return joined([name, lastFour], ' ') || undefined
}

/** `VISA •••• 1111 (03/2030)`. */
export function methodWithExpiry(method: Method | undefined): string | undefined {
  const { expirationMonth, expirationYear } = method?.paymentMethodData ?? {}
  const isKnown = expirationMonth !== undefined && expirationYear !== undefined
  return withNote(methodText(method), isKnown ? shown(`${expirationMonth}/${expirationYear}`) : undefined)
}
