import type { Payment } from '../../api/models/payment.ts'
import type { Detail } from '../../output/details.ts'
import { addNote, formatField, formatFreeText, joinParts } from '../format-fields.ts'

/** The customer and their email address. */
export const customerDetails = (payment: Payment): readonly [Detail, Detail] => [
  ['Customer', formatCustomer(payment)],
  ['Email', formatFreeText(payment.customer?.emailAddress)],
]

/** `Ada Lovelace (customer-1)`, or the one that is known. */
function formatCustomer({ customerId, customer }: Payment): string | undefined {
  const name = joinParts([customer?.firstName, customer?.lastName], ' ')
  return addNote(formatFreeText(name), formatField(customerId))
}
