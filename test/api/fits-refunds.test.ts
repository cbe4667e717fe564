import { expect, test } from 'vitest'
import { REFUND_FILTERS, fitsRefunds } from '../../src/api/payment-states.ts'

const refund = (processorStatus: string) => ({ transactionType: 'REFUND', processorStatus, amount: 100 })
const figures = (amountCaptured: number, amountRefunded: number) => ({
  processor: { amountCaptured, amountRefunded },
})

/** What each filter says, in their order: yes, no, or that the row doesn't tell. */
test.each([
  ['a row without refunds', figures(500, 0), 'yes no no no ?'],
  ['a row of a payment without a capture', figures(0, 0), 'yes no no no no'],
  ['a row with a part', figures(500, 100), 'no yes no ? ?'],
  ['a row with all', figures(500, 500), 'no no yes ? ?'],
  ['a row that says nothing', {}, '? ? ? ? ?'],
  ['a pending part', { ...figures(500, 100), transactions: [refund('PENDING')] }, 'no yes no yes no'],
  ['a part', { ...figures(500, 100), transactions: [refund('SETTLED')] }, 'no yes no no no'],
  ['one that failed', { ...figures(500, 0), transactions: [refund('FAILED')] }, 'yes no no no yes'],
  [
    'one that failed, and all',
    { ...figures(100, 100), transactions: [refund('DECLINED'), refund('SETTLED')] },
    'no no yes no yes',
  ],
  ['a sale', { ...figures(500, 0), transactions: [{ transactionType: 'SALE' }] }, 'yes no no no no'],
])('%s', (_what, payment, expected) => {
  const said = REFUND_FILTERS.map((filter) => fitsRefunds(filter, payment))
  expect(said.map((fits) => (fits === undefined ? '?' : fits ? 'yes' : 'no')).join(' ')).toBe(expected)
})
