import { describe, expect, test } from 'vitest'
import type { Evidence } from '../../../src/calls/client-port.ts'
import { evidenceIn, other } from './evidence-bench.ts'
import type { Case } from './evidence-bench.ts'

const refunded = (amountRefunded: number, ...amounts: readonly number[]) => ({
  status: 'SETTLED',
  processor: { amountCaptured: 1000, amountRefunded },
  transactions: amounts.map((amount) => ({
    transactionType: 'REFUND',
    amount,
    date: '2026-03-10T12:00:01.000000',
    processorStatus: 'SETTLED',
  })),
})

const ENTRY = {
  transactionType: 'REFUND',
  amount: 300,
  date: '2026-03-10T12:00:01Z',
  processorStatus: 'SETTLED',
}
const listing = (amountRefunded: number | undefined, ...transactions: readonly object[]) => ({
  status: 'SETTLED',
  processor: { amountCaptured: 1000, amountRefunded },
  transactions,
})
const refundCase = (payment: unknown, evidence: Evidence, more: Partial<Case> = {}): Case => ({
  operation: 'payment.refund',
  request: { amount: 300 },
  payment,
  evidence,
  ...more,
})

const REFUND_CASES: Readonly<Record<string, Case>> = {
  'a refund, and more was given back than the list shows': refundCase(listing(300), 'unclear'),
  'a refund, and the list shows all that was given back': refundCase(
    listing(200, { ...ENTRY, amount: 200 }),
    'absent',
  ),
  'a refund, and what failed is not counted': refundCase(
    listing(0, { ...ENTRY, amount: 200, processorStatus: 'FAILED' }),
    'absent',
  ),
  'a refund that failed was processed': refundCase(
    listing(0, { ...ENTRY, processorStatus: 'FAILED' }),
    'unclear',
  ),
  'a refund, and no sum is shown': refundCase(listing(undefined), 'absent'),
  'a refund, and an entry that does not say what it is': refundCase(
    listing(300, { ...ENTRY, transactionType: undefined }),
    'unclear',
  ),
  'a refund, and an entry without an amount': refundCase(
    listing(300, { ...ENTRY, amount: undefined }),
    'unclear',
  ),
  'a refund, and an amount that is no number': refundCase(
    listing(300, { ...ENTRY, amount: '300' }),
    'unclear',
  ),
  'a refund, and an entry without a date': refundCase(listing(300, { ...ENTRY, date: undefined }), 'unclear'),
  'a refund, and a date that is none': refundCase(listing(300, { ...ENTRY, date: 'today' }), 'unclear'),
  'a refund, and one like it of long before': refundCase(
    listing(300, { ...ENTRY, date: '2026-03-09T11:59:59Z' }),
    'absent',
  ),
  'a refund, and one like it of the day before: by a wrong clock it may be this one': refundCase(
    listing(300, { ...ENTRY, date: '2026-03-09T12:00:01Z' }),
    'unclear',
  ),
  'a refund, and one like it of ten minutes before: the clock may be ahead': refundCase(
    listing(300, { ...ENTRY, date: '2026-03-10T11:50:00Z' }),
    'unclear',
  ),
  'a refund, and one like it of ten minutes before, which was another one from here': refundCase(
    listing(300, { ...ENTRY, date: '2026-03-10T11:50:00Z' }),
    'absent',
    { others: [other('payment.refund', 300)] },
  ),
  'a refund, and two like it of before, of which another one from here was one': refundCase(
    listing(600, { ...ENTRY, date: '2026-03-10T11:50:00Z' }, { ...ENTRY, date: '2026-03-10T11:49:00Z' }),
    'unclear',
    { others: [other('payment.refund', 300)] },
  ),
  'a refund, and one like it, and one from here of all that was left, which may be that': refundCase(
    listing(300, { ...ENTRY, date: '2026-03-10T11:50:00Z' }),
    'unclear',
    { others: [other('payment.refund')] },
  ),
  'a refund, and two like it, and another one from here by a clock that may be behind': refundCase(
    listing(600, ENTRY, { ...ENTRY, date: '2026-03-10T11:50:00Z' }),
    'unclear',
    { others: [{ ...other('payment.refund', 300), endedAt: new Date('2026-03-10T11:50:00Z') }] },
  ),
  'a refund of the remainder, and as many as others from here': refundCase(listing(300, ENTRY), 'absent', {
    request: {},
    others: [other('payment.refund', 300)],
  }),
  'a refund, and one like it of the minute before: clocks differ': refundCase(
    listing(300, { ...ENTRY, date: '2026-03-10T11:59:00Z' }),
    'unclear',
  ),
  'a refund, and one like it that was done from here just before': refundCase(
    listing(300, { ...ENTRY, date: '2026-03-10T11:59:00Z' }),
    'absent',
    { others: [other('payment.refund', 300)] },
  ),
  'a refund, and one like it without a date, and another one from here': refundCase(
    listing(300, { ...ENTRY, date: undefined }),
    'absent',
    { others: [other('payment.refund', 300)] },
  ),
  'a refund, and as many as others from here, and more was given back': refundCase(
    listing(600, ENTRY),
    'unclear',
    { others: [other('payment.refund', 300)] },
  ),
  'a refund, next to one from here of another amount': refundCase(
    listing(500, ENTRY, { ...ENTRY, amount: 200 }),
    'unclear',
    { others: [other('payment.refund', 200)] },
  ),
  'a refund, next to one from here of all that was left': refundCase(listing(300, ENTRY), 'unclear', {
    others: [other('payment.refund')],
  }),
  'a refund with words, which have been shortened': refundCase(
    listing(300, { ...ENTRY, reason: 'broken' }),
    'unclear',
    {
      request: { amount: 300, reason: 'broken glass' },
    },
  ),
  'a refund with a reason, next to one with another reason': refundCase(
    listing(600, { ...ENTRY, reason: 'broken glass' }, { ...ENTRY, reason: 'late' }),
    'unclear',
    { request: { amount: 300, reason: 'broken glass' } },
  ),
  'a refund, and no list, and less given back': refundCase(
    { status: 'SETTLED', processor: { amountRefunded: 299 } },
    'absent',
  ),
  'a refund, and no list, and as much given back': refundCase(
    { status: 'SETTLED', processor: { amountRefunded: 300 } },
    'unclear',
  ),
  'a refund, and nothing but an id': refundCase({ id: 'pay-1' }, 'unclear'),
  'a refund, and no payment': refundCase(undefined, 'unclear'),
  'a refund of an amount that is there once': {
    operation: 'payment.refund',
    request: { amount: 300 },
    payment: refunded(300, 300),
    evidence: 'unclear',
  },
  'a refund of the remainder, and nothing is left': {
    operation: 'payment.refund',
    payment: refunded(1000, 1000),
    evidence: 'unclear',
  },
  'a refund of the remainder that failed and gave all back': {
    operation: 'payment.refund',
    payment: {
      status: 'SETTLED',
      processor: { amountCaptured: 1000, amountRefunded: 0 },
      transactions: [
        {
          transactionType: 'REFUND',
          amount: 1000,
          date: '2026-03-10T12:00:01.000000',
          processorStatus: 'FAILED',
        },
      ],
    },
    evidence: 'unclear',
  },
  'a refund of the remainder, and something is left': {
    operation: 'payment.refund',
    payment: refunded(7, 7),
    evidence: 'unclear',
  },
  'a refund of the remainder, and there is none': {
    operation: 'payment.refund',
    payment: refunded(0),
    evidence: 'absent',
  },
}

describe('the evidence for a refund', () => {
  test.each(Object.entries(REFUND_CASES))('%s', (_, one) => {
    expect(evidenceIn(one)).toBe(one.evidence)
  })
})
