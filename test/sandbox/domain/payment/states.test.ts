import { expect, test } from 'vitest'
import { PAYMENT_STATUSES } from '../../../../src/api/sets.ts'
import { nextStatus, statusesFor } from '../../../../src/sandbox/domain/payment/states.ts'
import type { PaymentEvent } from '../../../../src/sandbox/domain/payment/states.ts'

/** Each event with every status that allows it and the status that follows. */
const EXPECTED: Readonly<Record<PaymentEvent, Readonly<Record<string, string>>>> = {
  approved: { PENDING: 'AUTHORIZED' },
  declined: { PENDING: 'DECLINED' },
  faulted: { PENDING: 'FAILED' },
  challenged: { PENDING: 'PENDING' },
  'auto-captured': { PENDING: 'SETTLED' },
  'challenge passed': { PENDING: 'AUTHORIZED' },
  'challenge failed': { PENDING: 'DECLINED' },
  'third party agreed': { PENDING: 'AUTHORIZED' },
  'third party refused': { PENDING: 'DECLINED' },
  'manually approved': { PENDING: 'AUTHORIZED', FAILED: 'AUTHORIZED', DECLINED: 'AUTHORIZED' },
  'manually declined': { PENDING: 'DECLINED', FAILED: 'DECLINED', DECLINED: 'DECLINED' },
  'part captured': { AUTHORIZED: 'PARTIALLY_SETTLED', PARTIALLY_SETTLED: 'PARTIALLY_SETTLED' },
  'all captured': { AUTHORIZED: 'SETTLED', PARTIALLY_SETTLED: 'SETTLED' },
  'all captured, settles later': { AUTHORIZED: 'SETTLING', PARTIALLY_SETTLED: 'SETTLING' },
  'processor confirmed': { SETTLING: 'SETTLED' },
  cancelled: { PENDING: 'CANCELLED', AUTHORIZED: 'CANCELLED' },
  refunded: { SETTLED: 'SETTLED', PARTIALLY_SETTLED: 'PARTIALLY_SETTLED', SETTLING: 'SETTLING' },
  adjusted: { AUTHORIZED: 'AUTHORIZED' },
}

const isEvent = (name: string): name is PaymentEvent => name in EXPECTED

test.each(Object.keys(EXPECTED).filter(isEvent))('%s', (event) => {
  const reached = PAYMENT_STATUSES.map((status) => [status, nextStatus(status, event)])
  expect(Object.fromEntries(reached.filter(([, next]) => next !== undefined))).toEqual(EXPECTED[event])
  expect(statusesFor(event).toSorted()).toEqual(Object.keys(EXPECTED[event]).toSorted())
})
