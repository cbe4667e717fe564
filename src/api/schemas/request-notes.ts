import type { OperationId } from '../table.ts'

const ORDER_TOTAL = 'An order cannot come to less than nothing, nor to more than 2^53-1.'

/** What a request has to keep and a schema cannot say, or not in a way that people would read. */
const NOTES: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  'session.create': [
    'The amount is calculated from line items, fees and shipping unless one is given.',
    ORDER_TOTAL,
    'What is left out can be given when the payment is created.',
  ],
  'session.update': [
    'Only what changes is sent. customer, metadata, order, paymentMethod and every list are replaced as a whole.',
    ORDER_TOTAL,
    'The options of paymentMethod cannot be changed.',
  ],
  'payment.create': [
    'orderId, currencyCode and an amount are needed, from here or from the client session; what is given here wins.',
    ORDER_TOTAL,
    'customerId is needed with vaultOnSuccess, and with a saved token, whose customer it has to be.',
  ],
  'payment.authorize': ['name is needed where several processors share the processorMerchantId.'],
  'payment.capture': [
    'Without an amount all that is left of the authorization is captured; more than that is refused.',
    'final is true unless it is given: a partial capture then releases the rest.',
  ],
  'payment.refund': [
    'Without an amount all that is left to refund is refunded; more than that is refused.',
    'orderId is that of the payment unless it is given.',
  ],
  'payment.adjust': [
    'Only a card payment that was created with authorizationType ESTIMATED and is AUTHORIZED can be adjusted.',
  ],
  'observability.push': [
    'paymentId has to be a new one, and not empty. createdAt has to be a day that exists.',
  ],
  'observability.update': [
    'Of nested fields only the changed parts are needed. createdAt cannot be changed: only the instant that the record has is taken.',
    'A paymentId in the body has to be that of the path.',
  ],
  'loyalty.create': ['type is REDEMPTION unless it is given.'],
}

export const notesFor = (id: OperationId): readonly string[] => NOTES[id] ?? []
