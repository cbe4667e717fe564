import { expect, test } from 'vitest'
import { createPaymentReader } from '../../../src/rows/payments/payment-reader.ts'
import type { ReadOutcome } from '../../../src/rows/send/bulk-reader.ts'

const page = (json: Readonly<Record<string, unknown>>): ReadOutcome => ({ kind: 'answer', json })
const entry = (id: string) => ({ id, orderId: 'o-1', status: 'SETTLED' })

test.each<[string, readonly ReadOutcome[], string]>([
  [
    'a page that fails',
    [page({ data: [], nextCursor: 'a' }), { kind: 'failed', message: 'HTTP 500' }],
    'the order could not be searched: HTTP 500',
  ],
  ['a page without a list', [page({ data: {} })], 'the list of payments for the order is not a list'],
  [
    'a cursor that is no text',
    [page({ data: [entry('p1'), entry('p2')], nextCursor: {} })],
    "the next page of payments for the order can't be asked for",
  ],
  [
    'a cursor that comes again',
    [page({ data: [entry('p1')], nextCursor: 'a' }), page({ data: [], nextCursor: 'a' })],
    'the list of payments repeats a page',
  ],
])('an order is not judged after %s', async (_, pages, message) => {
  const left = [...pages]
  const reader = createPaymentReader(async () => left.shift() ?? page({}))
  expect(await reader.byOrder('o-1')).toEqual({
    kind: 'unread',
    message: `the payment could not be read (${message})`,
  })
  expect(left).toEqual([])
})

test('a second payment of an order is found after an empty page', async () => {
  const left = [
    page({ data: [entry('p1')], nextCursor: 'a' }),
    page({ data: [], nextCursor: 'b' }),
    page({ data: [entry('p2')], nextCursor: 'c' }),
  ]
  const reader = createPaymentReader(async () => left.shift() ?? page({}))
  expect(await reader.byOrder('o-1')).toEqual({
    kind: 'ambiguous_order',
    message: 'several payments have this order: fill in the paymentId (p1, p2)',
  })
})
