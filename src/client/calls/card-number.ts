import { UsageError } from '../../errors.ts'
import { isRecord } from '../../json/is-record.ts'
import { passesLuhn } from '../../text/luhn.ts'

/** The parameter or field with a payment method token, in every operation. */
const TOKEN = 'paymentMethodToken'

/** 13 to 19 digits, grouped or not. */
const CARD_LENGTH = /^\d(?:[ \u00A0-]?\d){12,18}$/

/**
 * Refuses a card number in place of a payment method token, at any depth. IDs and order references are not checked: one in
 * ten numeric ones passes the Luhn check.
 * @throws {UsageError} with the last four digits
 */
export function refuseCardNumber(value: unknown): void {
  if (Array.isArray(value)) value.forEach(refuseCardNumber)
  if (!isRecord(value)) return
  for (const [name, field] of Object.entries(value)) {
    if (name === TOKEN) refuseCardToken(field)
    else refuseCardNumber(field)
  }
}

function refuseCardToken(token: unknown): void {
  const text = String(token).trim()
  const digits = text.replaceAll(/\D/g, '')
  if (!CARD_LENGTH.test(text) || !passesLuhn(digits)) return
  throw new UsageError(
    `The payment method token is a card number (ending in ${digits.slice(-4)}): it was not sent`,
    {
      code: 'card_number',
      outcome: 'none',
      hint: 'Give the token that the checkout made of the card. In a sandbox: pay sandbox tokenize',
    },
  )
}
