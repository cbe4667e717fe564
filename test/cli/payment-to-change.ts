import { jsonAnswer } from '../support/run-pay.ts'
import type { RunOptions } from '../support/run-pay.ts'

export const PAID = {
  id: 'p1',
  status: 'SETTLED',
  orderId: 'A-1',
  currencyCode: 'EUR',
  amount: 1000,
  paymentMethod: { paymentMethodData: { last4Digits: '1111', network: 'VISA' } },
  processor: { amountCaptured: 1000, amountRefunded: 200 },
}
export const AUTHORIZED = {
  ...PAID,
  status: 'AUTHORIZED',
  processor: { amountCaptured: 0, amountRefunded: 0 },
}

/** A service that responds to every request with this payment. */
export const serviceOf =
  (payment: unknown): RunOptions['service'] =>
  () =>
    jsonAnswer(200, payment)

/** That service, on a terminal. */
export const serving = (payment: unknown): RunOptions => ({ service: serviceOf(payment), tty: true })
