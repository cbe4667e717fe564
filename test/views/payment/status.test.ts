import { expect, test } from 'vitest'
import { PAYMENT_STATUSES } from '../../../src/api/sets.ts'
import { wordsPaint } from '../../../src/output/paint.ts'
import {
  paintStatus,
  paintStyle,
  styleOf,
  styleOfPayment,
  styleOfSummary,
} from '../../../src/views/payment/status.ts'

test.each([
  ['PENDING', 'warn(… Pending)', 'warn Pending'],
  ['AUTHORIZED', 'good(✓ Authorized)', 'open Authorized'],
  ['SETTLING', 'good(… Settling)', 'good Settling'],
  ['PARTIALLY_SETTLED', 'good(… Partially settled)', 'good Partially settled'],
  ['SETTLED', 'good(✓ Settled)', 'good Settled'],
  ['DECLINED', 'bad(✗ Declined)', 'bad Declined'],
  ['FAILED', 'bad(✗ Failed)', 'bad Failed'],
  ['CANCELLED', 'dim(– Cancelled)', 'dim Cancelled'],
  ['toString', 'strong(? toString)', 'strong toString'],
])('%s in a terminal and on a page', (status, inTerminal, onPage) => {
  expect(paintStatus(status, wordsPaint)).toBe(inTerminal)
  const { tone, words } = styleOf(status)
  expect(`${tone} ${words}`).toBe(onPage)
})

test('every known status has words of its own', () => {
  expect(new Set(PAYMENT_STATUSES.map((status) => styleOf(status).words)).size).toBe(PAYMENT_STATUSES.length)
})

test.each([
  ['SETTLED', { captured: 500, refunded: 0 }, 'good(✓ Settled)'],
  ['SETTLED', { captured: 500, refunded: null }, 'good(✓ Settled)'],
  ['SETTLED', { captured: 500, refunded: 200 }, 'accent(✓ Settled, partly refunded)'],
  ['SETTLED', { captured: 500, refunded: 500 }, 'accent(✓ Refunded)'],
  ['SETTLING', { captured: 500, refunded: 500 }, 'accent(… Settling, refunded)'],
  ['PARTIALLY_SETTLED', { captured: 500, refunded: 100 }, 'accent(… Partially settled, partly refunded)'],
  ['SETTLED', { captured: 500, refunded: 0, hasFailedRefund: true }, 'bad(✗ Refund failed)'],
  ['SETTLED', { captured: 500, refunded: 200, hasFailedRefund: true }, 'bad(✗ Refund failed)'],
])('a %s payment with %o reads %s', (status, figures, words) => {
  expect(paintStyle(styleOfPayment(status, figures), wordsPaint)).toBe(words)
})

const refund = (processorStatus: string, amount: number, date: string) => ({
  transactionType: 'REFUND',
  processorStatus,
  amount,
  date,
})

test.each([
  ['a refund that failed', [refund('FAILED', 100, '2026-01-02T00:00:00')], 'Refund failed'],
  [
    'one that was made again',
    [refund('FAILED', 100, '2026-01-02T00:00:00'), refund('SETTLED', 100, '2026-01-03T00:00:00')],
    'Settled, partly refunded',
  ],
  [
    'one of two that was made again',
    [
      refund('FAILED', 100, '2026-01-02T00:00:00'),
      refund('FAILED', 100, '2026-01-02T00:00:00'),
      refund('SETTLED', 100, '2026-01-03T00:00:00'),
    ],
    'Refund failed',
  ],
  [
    'another amount afterwards',
    [refund('FAILED', 100, '2026-01-02T00:00:00'), refund('SETTLED', 50, '2026-01-03T00:00:00')],
    'Refund failed',
  ],
])('a payment with %s', (_what, transactions, words) => {
  const amountRefunded = transactions
    .filter(({ processorStatus }) => processorStatus === 'SETTLED')
    .reduce((sum, { amount }) => sum + amount, 0)
  const payment = { status: 'SETTLED', processor: { amountCaptured: 500, amountRefunded }, transactions }
  expect(styleOfSummary(payment)?.words).toBe(words)
})
