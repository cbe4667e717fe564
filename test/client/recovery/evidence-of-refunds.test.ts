import { describe, expect, test } from 'vitest'
import type { Evidence } from '../../../src/client/calls/client-port.ts'
import type { DoneWrite } from '../../../src/client/ledger/port.ts'
import { SINCE, evidenceIn, other } from './evidence-bench.ts'
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

const BEFORE = '2026-03-10T11:58:59Z'
const noted = (effectAt: string): DoneWrite => ({ ...other('payment.refund', 300), effectAt })
const justBefore = (): DoneWrite => ({
  ...other('payment.refund', 300),
  endedServiceMs: SINCE.getTime() - 120_000,
})

const REFUND_CASES: Readonly<Record<string, Case>> = {
  'an equal one since': refundCase(listing(300, ENTRY), 'shown'),
  'an equal one of a minute before: clocks differ': refundCase(
    listing(300, { ...ENTRY, date: '2026-03-10T11:59:00Z' }),
    'shown',
  ),
  'an equal one of more than a minute before': refundCase(listing(300, { ...ENTRY, date: BEFORE }), 'absent'),
  'an equal one of any date, where no clock of the service was seen': refundCase(
    listing(300, { ...ENTRY, date: '2026-01-01T00:00:00Z' }),
    'shown',
    { sinceMs: undefined },
  ),
  'an equal one that failed': refundCase(listing(0, { ...ENTRY, processorStatus: 'FAILED' }), 'absent'),
  ...Object.fromEntries(
    ['FAILED', 'DECLINED', 'CANCELLED', 'REJECTED'].map((processorStatus) => [
      `more refunded than is listed, beside an old one that is ${processorStatus}`,
      refundCase(listing(300, { ...ENTRY, date: BEFORE, processorStatus }), 'unclear'),
    ]),
  ),
  'a payment, by the other name of the field': refundCase(
    listing(0, { ...ENTRY, transactionType: undefined, type: 'SALE' }),
    'absent',
  ),
  'an equal one, by the other name of the field': refundCase(
    listing(300, { ...ENTRY, transactionType: undefined, type: 'REFUND' }),
    'shown',
  ),
  'an equal one that is pending': refundCase(listing(300, { ...ENTRY, processorStatus: 'PENDING' }), 'shown'),
  'one of another amount': refundCase(listing(200, { ...ENTRY, amount: 200 }), 'absent'),
  'none, and no sum': refundCase(listing(undefined), 'absent'),
  'an entry that does not say what it is': refundCase(
    listing(300, { ...ENTRY, transactionType: undefined }),
    'shown',
  ),
  'an entry without an amount': refundCase(listing(300, { ...ENTRY, amount: undefined }), 'shown'),
  'an entry without a date': refundCase(listing(300, { ...ENTRY, date: undefined }), 'shown'),
  'a date that is none': refundCase(listing(300, { ...ENTRY, date: 'today' }), 'shown'),
  'an equal one that another write from here explains': refundCase(listing(300, ENTRY), 'absent', {
    others: [noted(ENTRY.date)],
  }),
  'two equal ones, of which another write from here explains one': refundCase(
    listing(600, ENTRY, { ...ENTRY, date: '2026-03-10T12:00:02Z' }),
    'shown',
    { others: [noted(ENTRY.date)] },
  ),
  'two equal ones at the same moment, of which another write from here explains one': refundCase(
    listing(600, ENTRY, ENTRY),
    'shown',
    { others: [noted(ENTRY.date)] },
  ),
  'an equal one, and another write from here that ended long before': refundCase(
    listing(600, ENTRY, { ...ENTRY, date: BEFORE }),
    'shown',
    { others: [other('payment.refund', 300)] },
  ),
  'an equal one that may be that of another write from here, which ended right before': refundCase(
    listing(300, { ...ENTRY, date: '2026-03-10T11:59:30Z' }),
    'unclear',
    { others: [justBefore()] },
  ),
  'more equal ones than other writes from here may explain': refundCase(
    listing(600, ENTRY, { ...ENTRY, date: '2026-03-10T11:59:30Z' }),
    'shown',
    { others: [justBefore()] },
  ),
  'another write from here that was declined explains none': refundCase(listing(300, ENTRY), 'shown', {
    others: [{ ...noted(ENTRY.date), exitCode: 13 }],
  }),
  'more was given back than the list shows: it may be that': refundCase(listing(300), 'unclear'),
  'less is missing in the list than this one': refundCase(listing(299), 'absent'),
  'the list lacked as much before it was sent': refundCase(listing(300), 'absent', {
    before: { refunded: 300 },
  }),
  'no list, and less given back': refundCase({ processor: { amountRefunded: 299 } }, 'absent'),
  'no list, and as much given back': refundCase({ processor: { amountRefunded: 300 } }, 'shown'),
  'no list, and more given back': refundCase({ processor: { amountRefunded: 500 } }, 'unclear'),
  'no list, and as much as before': refundCase({ processor: { amountRefunded: 300 } }, 'absent', {
    before: { refunded: 300 },
  }),
  'nothing but an id': refundCase({ id: 'pay-1' }, 'hidden'),
  'no payment': refundCase(undefined, 'hidden'),
  'all that is left, and nothing is left': refundCase(refunded(1000, 1000), 'shown', { request: {} }),
  'all that is left, and something is left': refundCase(refunded(7, 7), 'unclear', { request: {} }),
  'all that is left, and there is none': refundCase(refunded(0), 'absent', { request: {} }),
  'all that is left, and the sums are missing': refundCase(listing(undefined, ENTRY), 'unclear', {
    request: {},
  }),
}

describe('the evidence for a refund', () => {
  test.each(Object.entries(REFUND_CASES))('%s', (_, one) => {
    expect(evidenceIn(one)).toBe(one.evidence)
  })
})
