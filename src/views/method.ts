import type { PaymentMethod } from '../api/payment-method.ts'
import { shown } from './shown.ts'

type Method = Pick<PaymentMethod, 'paymentMethodType' | 'paymentMethodData'>

/** `VISA •••• 1111`, or the kind of method where there is no card: `PAYPAL`. */
export function methodText(method: Method | undefined): string | undefined {
  const card = method?.paymentMethodData
  const name = shown(card?.network ?? card?.binData?.network ?? method?.paymentMethodType)
  const lastFour = card?.last4Digits === undefined ? undefined : `•••• ${shown(card.last4Digits.slice(-4))}`
  const text = [name, lastFour].filter((part) => part !== undefined).join(' ')
  return text === '' ? undefined : text
}

/** `03/2030`. */
export function expiryText(method: Method | undefined): string | undefined {
  const card = method?.paymentMethodData
  if (card?.expirationMonth === undefined || card.expirationYear === undefined) return undefined
  return shown(`${card.expirationMonth}/${card.expirationYear}`)
}
