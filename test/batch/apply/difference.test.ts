import { expect, test } from 'vitest'
import { differenceOf, mayBeDone } from '../../../src/batch/apply/difference.ts'
import type { ReadyRow } from '../../../src/batch/apply/ready-row.ts'
import type { BatchOperation } from '../../../src/batch/plan.ts'

const row = (status: string, captured: number, refunded: number, amount = 500): ReadyRow => ({
  row: 1,
  paymentId: 'p1',
  amount,
  currencyCode: 'EUR',
  orderId: undefined,
  reason: undefined,
  ticket: undefined,
  figures: { status, amount: 4990, amountCaptured: captured, amountRefunded: refunded },
})
const payment = (status: string, captured: number, refunded: number, more = {}) => ({
  id: 'p1',
  status,
  amount: 4990,
  currencyCode: 'EUR',
  processor: { amountCaptured: captured, amountRefunded: refunded },
  ...more,
})

test.each<[string, BatchOperation, ReadyRow, number, unknown]>([
  ['the same figures', 'refund', row('SETTLED', 4990, 0), 0, payment('SETTLED', 4990, 0)],
  ['the rows that are done', 'refund', row('SETTLED', 4990, 100), 700, payment('SETTLED', 4990, 800)],
  ['a payment that has settled', 'refund', row('SETTLING', 4990, 0), 0, payment('SETTLED', 4990, 0)],
  [
    'captures that are done, and the status they lead to',
    'capture',
    row('AUTHORIZED', 0, 0),
    1000,
    payment('PARTIALLY_SETTLED', 1000, 0),
  ],
  ['an authorized payment to cancel', 'cancel', row('AUTHORIZED', 0, 0), 0, payment('AUTHORIZED', 0, 0)],
])('expects %s', (_, operation, planned, ownAmount, found) => {
  expect(differenceOf(operation, planned, ownAmount, found)).toBeUndefined()
})

test.each<[string, BatchOperation, ReadyRow, number, unknown, string]>([
  [
    'a refund since',
    'refund',
    row('SETTLED', 4990, 0),
    0,
    payment('SETTLED', 4990, 500),
    'the amount refunded is 5.00 EUR, planned 0.00 EUR',
  ],
  [
    'a refund that gave its amount back',
    'refund',
    row('SETTLED', 4990, 0),
    500,
    payment('SETTLED', 4990, 0),
    'the amount refunded is 0.00 EUR, planned 5.00 EUR',
  ],
  [
    'a capture since',
    'refund',
    row('PARTIALLY_SETTLED', 1000, 0),
    0,
    payment('SETTLED', 4990, 0),
    'its status is SETTLED, planned PARTIALLY_SETTLED; the amount captured is 49.90 EUR, planned 10.00 EUR',
  ],
  [
    'an adjusted amount',
    'capture',
    row('AUTHORIZED', 0, 0),
    0,
    payment('AUTHORIZED', 0, 0, { amount: 5990 }),
    'its amount is 59.90 EUR, planned 49.90 EUR',
  ],
  [
    'another currency',
    'refund',
    row('SETTLED', 4990, 0),
    0,
    payment('SETTLED', 4990, 0, { currencyCode: 'USD' }),
    'its currency is USD, planned EUR',
  ],
  [
    'a cancellation since',
    'cancel',
    row('AUTHORIZED', 0, 0),
    0,
    payment('CANCELLED', 0, 0),
    'its status is CANCELLED, planned AUTHORIZED',
  ],
  [
    'missing figures',
    'refund',
    row('SETTLED', 4990, 0),
    0,
    { id: 'p1', status: 'SETTLED' },
    'the service does not show all of its figures',
  ],
  ['a web page', 'refund', row('SETTLED', 4990, 0), 0, undefined, 'does not show all of its figures'],
])('names %s', (_, operation, planned, ownAmount, found, words) => {
  expect(differenceOf(operation, planned, ownAmount, found)?.words).toContain(words)
})

test.each<[BatchOperation, number, string, boolean]>([
  ['refund', 500, 'SETTLED', true],
  ['refund', 499, 'SETTLED', false],
  ['capture', 700, 'SETTLED', true],
  ['capture', 0, 'SETTLED', false],
  ['cancel', 0, 'CANCELLED', true],
  ['cancel', 0, 'SETTLED', false],
])(
  'a %s of 500 with a growth of %i and status %s: may be done elsewhere %s',
  (operation, growth, status, may) => {
    const figures = { status, amount: 4990, amountCaptured: 4990, amountRefunded: growth }
    expect(mayBeDone({ planId: 'p', operation }, row('SETTLED', 4990, 0), growth, figures)).toBe(may)
  },
)
