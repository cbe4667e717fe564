import { describe, expect, test } from 'vitest'
import type { Payment, Transaction } from '../../../src/api/models/payment.ts'
import { buildExplanation } from '../../../src/views/payment/build-explanation.ts'
import { DECLINED, PARTLY_REFUNDED } from '../payments.ts'

const NOW = new Date('2026-03-01T12:00:00Z')

const explanation = (payment: Payment) => buildExplanation(payment, { id: 'DdRZ6YY0P', pay: 'pay', now: NOW })

test('explains a decline only for a declined or failed payment', () => {
  expect(explanation(DECLINED).decline).not.toBeNull()
  expect(explanation({ ...DECLINED, status: 'AUTHORIZED' }).decline).toBeNull()
})

describe('the first sentence about a payment with a refund that failed', () => {
  const refund = (amount: number, processorStatus: string, type?: string): Transaction => ({
    transactionType: 'REFUND',
    amount,
    processorStatus,
    ...(type === undefined ? {} : { processorStatusReason: { type } }),
  })
  const SETTLED = 'Captured and settled: the money has moved.'

  test.each<[readonly Transaction[], string]>([
    [[refund(200, 'FAILED')], 'The customer has got nothing back: the refund of 2.00 EUR failed.'],
    [
      [refund(500, 'SETTLED'), refund(200, 'FAILED')],
      'The customer has got 5.00 EUR back: a refund of 2.00 EUR failed.',
    ],
    [
      [refund(200, 'FAILED'), refund(200, 'PENDING')],
      'The customer has got nothing back yet, 2.00 EUR is on its way, and a refund of 2.00 EUR failed.',
    ],
    [
      [refund(200, 'FAILED'), refund(300, 'DECLINED')],
      'The customer has got nothing back: 2 refunds of 5.00 EUR in total failed.',
    ],
    [
      [refund(200, 'FAILED', 'GATEWAY_TIMEOUT')],
      'Whether the refund of 2.00 EUR reached the customer is unknown: the processor never responded.',
    ],
  ])('says what the customer has got: %j', (transactions, words) => {
    const processor = { ...PARTLY_REFUNDED.processor, amountRefunded: 0 }
    const { headline } = explanation({ ...PARTLY_REFUNDED, processor, transactions: [...transactions] })
    expect(headline).toBe(`${words} ${SETTLED}`)
  })

  test.each<[readonly Transaction[]]>([[[refund(200, 'SETTLED')]], [[refund(200, 'PENDING')]], [[]]])(
    'is about the status if none failed: %j',
    (transactions) => {
      const { headline } = explanation({ ...PARTLY_REFUNDED, transactions: [...transactions] })
      expect(headline.startsWith(SETTLED)).toBe(true)
    },
  )
})

test.each([
  ['DECLINED', undefined, ': no money moved.'],
  ['DECLINED', 300, ', but 3.00 EUR was captured.'],
  ['FAILED', 300, ', but 3.00 EUR was captured.'],
  ['AUTHORIZED', 0, ' and no money has moved yet.'],
  ['AUTHORIZED', 300, ', but 3.00 EUR was captured.'],
] as const)(
  'never says that no money moved if some was captured: %s, %s',
  (status, amountCaptured, words) => {
    const { headline } = explanation({
      id: 'p1',
      status,
      currencyCode: 'EUR',
      amount: 1000,
      ...(amountCaptured === undefined ? {} : { processor: { amountCaptured } }),
    })
    expect(headline.endsWith(words)).toBe(true)
  },
)
