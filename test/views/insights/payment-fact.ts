import type { PaymentFact } from '../../../src/views/insights/facts.ts'

export const FACT: PaymentFact = {
  source: 'payments',
  createdAt: '2026-01-31T23:59:59.500000',
  status: 'SETTLED',
  currencyCode: 'EUR',
  processor: 'ALPHA',
  method: 'PAYMENT_CARD',
  reason: undefined,
  country: 'DE',
  amountAuthorized: 1000,
  amountCaptured: 1000,
  amountRefunded: 0,
}
