import { expect, test } from 'vitest'
import { buildTimeline } from '../../../src/views/payment/timeline.ts'
import { PARTLY_REFUNDED } from '../payments.ts'

test('lists events in the order in which they happened', () => {
  const events = buildTimeline(PARTLY_REFUNDED).map(({ event, status }) => [event, status])
  expect(events).toEqual([
    ['created', null],
    ['3ds', 'NOT_PERFORMED'],
    ['fraud-check', 'ACCEPT'],
    ['authorization', 'SETTLED'],
    ['capture', null],
    ['refund', 'FAILED'],
    ['refund', 'PENDING'],
  ])
})
