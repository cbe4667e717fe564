import type { OperationId } from '../table.ts'

const ORDER_TOTAL = 'The total of an order must be between 0 and 2^53-1.'

/** Rules that a schema can't express, or not legibly. */
const NOTES: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  'session.create': [
    'Without an amount, the service calculates it from line items, fees and shipping.',
    ORDER_TOTAL,
    'Omitted fields can be set when the payment is created.',
  ],
  'session.update': [
    'Send only the fields to change. customer, metadata, order, paymentMethod and lists are replaced as a whole.',
    ORDER_TOTAL,
    'paymentMethod.options cannot be changed.',
  ],
  'payment.create': [
    'orderId, currencyCode and an amount are required, here or in the client session. Values here take precedence.',
    ORDER_TOTAL,
    'customerId is required with vaultOnSuccess and with a saved token, and must be the customer of that token.',
  ],
  'payment.authorize': ['name is required if several processors share the processorMerchantId.'],
  'payment.capture': [
    'Without an amount, everything that is left of the authorization is captured. A higher amount is refused.',
    'final defaults to true: a partial capture then releases the rest.',
  ],
  'payment.refund': [
    'Without an amount, everything that is left is refunded. A higher amount is refused.',
    'orderId defaults to the orderId of the payment.',
  ],
  'payment.adjust': ['Only an AUTHORIZED card payment with authorizationType ESTIMATED can be adjusted.'],
  'observability.push': ['paymentId must be new. createdAt must be an existing date.'],
  'observability.update': [
    "Send only the changed parts of nested fields. You can't change createdAt: it must be the same instant as in the record.",
    'A paymentId in the body must equal the one in the path.',
  ],
  'loyalty.create': ['type defaults to REDEMPTION.'],
}

export const notesFor = (id: OperationId): readonly string[] => NOTES[id] ?? []
