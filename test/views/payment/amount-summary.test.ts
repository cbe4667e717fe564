import { describe, expect, test } from 'vitest'
import type { Payment } from '../../../src/api/models/payment.ts'
import { summarizeAmounts } from '../../../src/views/payment/amount-summary.ts'
import { AUTHORIZED, DECLINED, PARTLY_REFUNDED, WAITING } from '../payments.ts'

describe('describes the amounts', () => {
  test.each<[string, Payment, string]>([
    [
      'partly refunded',
      PARTLY_REFUNDED,
      '10.00 EUR was authorized. 7.00 EUR was captured; the remaining 3.00 EUR was released. 2.00 EUR was refunded and is not final yet; 5.00 EUR can still be refunded.',
    ],
    [
      'authorized',
      AUTHORIZED,
      '10.00 EUR was authorized. Nothing is captured yet; 10.00 EUR can still be captured.',
    ],
    ['declined', DECLINED, '10.00 EUR was requested; nothing was authorized.'],
    ['waiting', WAITING, '700 JPY was requested and is not authorized yet.'],
    [
      'no response from the processor',
      { ...DECLINED, status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } },
      '10.00 EUR was requested; it is unknown whether it was authorized.',
    ],
    [
      'fully refunded',
      { ...AUTHORIZED, status: 'SETTLED', processor: { amountCaptured: 1000, amountRefunded: 1000 } },
      '10.00 EUR was authorized. 10.00 EUR was captured. 10.00 EUR was refunded; nothing is left to refund.',
    ],
    ['unknown amounts', { status: 'SETTLED' }, ''],
  ])('%s', (_, payment, expected) => {
    expect(summarizeAmounts(payment).words).toBe(expected)
  })

  test('reports an unknown amount as null, never as zero', () => {
    expect(summarizeAmounts({ status: 'SETTLED', amount: 5 })).toMatchObject({
      authorized: 5,
      captured: null,
      refunded: null,
      leftToRefund: null,
    })
  })

  test('reports no sum of pending refunds if one has no amount', () => {
    const open = { transactionType: 'REFUND', processorStatus: 'PENDING' }
    const payment: Payment = { ...PARTLY_REFUNDED, transactions: [open, { ...open, amount: 200 }] }
    expect(summarizeAmounts(payment).refundsNotFinal).toEqual({ count: 2, amount: null })
  })
})
