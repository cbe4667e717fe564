/** An example row, by field. */
const EXAMPLE: Readonly<Record<string, string>> = {
  paymentId: 'ext-1',
  currencyCode: 'EUR',
  'processor.name': 'ACME',
  amount: '2500',
  createdAt: '2026-01-31T09:30:00Z',
  'order.id': 'order-1',
  'paymentMethod.paymentMethodType': 'PAYMENT_CARD',
  status: 'SETTLED',
  'metadata.store': 'berlin-1',
}

export const TEMPLATE_FIELDS: readonly string[] = Object.keys(EXAMPLE)
export const templateRow = (): readonly string[] => Object.values(EXAMPLE)
