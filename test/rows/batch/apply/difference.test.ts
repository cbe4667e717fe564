import { expect, test } from 'vitest'
import { differenceOf, differsByRow } from '../../../../src/rows/batch/apply/difference.ts'
import type { ReadyRow } from '../../../../src/rows/batch/apply/ready-row.ts'
import type { BatchOperation } from '../../../../src/rows/batch/plan.ts'

const row = (status: string, captured: number, refunded: number, amount = 500): ReadyRow => ({
  row: 1,
  line: 2,
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
const FULL = row('SETTLED', 4990, 0)
const HELD = row('AUTHORIZED', 0, 0)
const settled = (refunded: number, more = {}) => payment('SETTLED', 4990, refunded, more)

test.each<[string, BatchOperation, ReadyRow, number, unknown]>([
  ['the same figures', 'refund', FULL, 0, settled(0)],
  ['the rows that are done', 'refund', row('SETTLED', 4990, 100), 700, settled(800)],
  ['a payment that has settled', 'refund', row('SETTLING', 4990, 0), 0, settled(0)],
  ['captures that are done, and their status', 'capture', HELD, 1000, payment('PARTIALLY_SETTLED', 1000, 0)],
  ['an authorized payment to cancel', 'cancel', HELD, 0, payment('AUTHORIZED', 0, 0)],
])('expects %s', (_, operation, planned, ownAmount, found) => {
  expect(differenceOf(operation, planned, [ownAmount], found)).toBeUndefined()
})

test.each<[string, BatchOperation, ReadyRow, number, unknown, string]>([
  ['a refund since', 'refund', FULL, 0, settled(500), 'the amount refunded is 5.00 EUR, planned 0.00 EUR'],
  [
    'a refund that came back',
    'refund',
    FULL,
    500,
    settled(0),
    'the amount refunded is 0.00 EUR, planned 5.00 EUR',
  ],
  [
    'a capture since',
    'refund',
    row('PARTIALLY_SETTLED', 1000, 0),
    0,
    settled(0),
    'its status is SETTLED, planned PARTIALLY_SETTLED; the amount captured is 49.90 EUR, planned 10.00 EUR',
  ],
  [
    'an adjusted amount',
    'capture',
    HELD,
    0,
    payment('AUTHORIZED', 0, 0, { amount: 5990 }),
    'its amount is 59.90 EUR, planned 49.90 EUR',
  ],
  [
    'another currency',
    'refund',
    FULL,
    0,
    settled(0, { currencyCode: 'USD' }),
    'its currency is USD, planned EUR',
  ],
  [
    'a cancellation since',
    'cancel',
    HELD,
    0,
    payment('CANCELLED', 0, 0),
    'its status is CANCELLED, planned AUTHORIZED',
  ],
  [
    'no figures',
    'refund',
    FULL,
    0,
    { id: 'p1', status: 'SETTLED' },
    'the service does not show all of its figures',
  ],
  ['a web page', 'refund', FULL, 0, undefined, 'does not show all of its figures'],
])('names %s', (_, operation, planned, ownAmount, found, words) => {
  expect(differenceOf(operation, planned, [ownAmount], found)).toContain(words)
})

test('of what may have been moved, one has to be right, and the likeliest is named', () => {
  const differenceAt = (refunded: number) => differenceOf('refund', FULL, [700, 0], settled(refunded))
  expect([differenceAt(0), differenceAt(700)]).toEqual([undefined, undefined])
  expect(differenceAt(500)).toContain('planned 7.00 EUR')
})

test.each<[BatchOperation, ReadyRow, ReturnType<typeof payment>, boolean]>([
  ['refund', FULL, settled(500), true],
  ['refund', FULL, settled(499), false],
  ['refund', FULL, settled(501), false],
  ['refund', FULL, settled(0), false],
  ['refund', FULL, settled(500, { amount: 5990 }), false],
  ['capture', HELD, payment('SETTLED', 500, 0), true],
  ['capture', HELD, payment('SETTLED', 501, 0), false],
  ['capture', HELD, payment('CANCELLED', 0, 0), false],
  ['cancel', HELD, payment('CANCELLED', 0, 0), true],
  ['cancel', HELD, settled(0), false],
])('a %s of 500: %j and %j differ by exactly the row: %s', (operation, planned, found, does) => {
  const ready = operation === 'cancel' ? { ...planned, amount: undefined } : planned
  expect(differsByRow(operation, ready, [0], found)).toBe(does)
})
