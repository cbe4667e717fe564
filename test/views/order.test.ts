import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderTotal } from '../../src/api/models/order-total.ts'
import { plainPaint } from '../../src/output/paint.ts'
import { paymentView } from '../../src/views/payment/payment.ts'
import { sessionView } from '../../src/views/session/session.ts'
import { extraRows, lineTotal, orderDetails } from '../../src/views/order.ts'

const ORDER = {
  lineItems: [
    { name: 'Blue shoe', amount: 1000, quantity: 2, discountAmount: 100, taxAmount: 50 },
    { itemId: 'sock-1', amount: 100 },
    { name: 'Gift', quantity: 3 },
  ],
  fees: [
    { amount: 250, type: 'HANDLING', description: 'Wrap' },
    { type: 'SURCHARGE', amount: 30 },
  ],
  shipping: { amount: 490 },
}

const LINES = [
  ['Items', '2 × Blue shoe at 10.00 EUR − 1.00 EUR discount + 0.50 EUR tax = 19.50 EUR'],
  ['', '1 × sock-1 at 1.00 EUR'],
  ['', '3 × Gift'],
  ['Fees', '2.50 EUR HANDLING (Wrap)'],
  ['', '0.30 EUR SURCHARGE'],
  ['Shipping', '4.90 EUR'],
  ['Order total', '28.20 EUR'],
]

test('shows lines, fees and totals that add up', () => {
  expect(orderDetails(ORDER, 'EUR')).toEqual(LINES)
})

test.each([
  ['a payment', (width?: number) => paymentView.render({ order: ORDER, currencyCode: 'EUR' }, at(width))],
  ['a session', (width?: number) => sessionView.render({ order: ORDER, currencyCode: 'EUR' }, at(width))],
])('the table of %s shows the order and fits', (_, render) => {
  for (const [, value = ''] of LINES) expect(render(undefined)).toContain(value)
  expect(
    Math.max(
      ...render(60)
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(60)
})

test('shows the surcharges of a session', () => {
  const options = {
    PAYMENT_CARD: { surcharge: { amount: 50 }, networks: { AMEX: { surcharge: { amount: 90 } } } },
    PAYPAL: {},
  }
  const text = sessionView.render({ paymentMethod: { options }, currencyCode: 'EUR' }, at(undefined))
  expect(text).toBe(
    'Surcharge  0.50 EUR with PAYMENT_CARD\n           0.90 EUR with PAYMENT_CARD AMEX\nCurrency   EUR',
  )
})

test('shows no total without amounts or beyond the safe integers', () => {
  expect(orderDetails({ lineItems: [{ name: 'Tea', quantity: 3 }] }, 'EUR').at(-1)).toEqual([
    'Order total',
    undefined,
  ])
  const large = { lineItems: [{ amount: Number.MAX_SAFE_INTEGER, quantity: 2 }] }
  expect(
    orderDetails(large, 'EUR')
      .map(([, value]) => value ?? '')
      .join(),
  ).not.toContain('=')
  expect(orderDetails(large, 'EUR').at(-1)).toEqual(['Order total', undefined])
})

test('shows the first twenty lines of a long order', () => {
  const lineItems = Array.from({ length: 23 }, (_, at_) => ({ name: `n${at_}`, amount: 1 }))
  const items = orderDetails({ lineItems }, 'EUR').filter(([label]) => label === 'Items' || label === '')
  expect(items).toHaveLength(21)
  expect(items.at(-1)).toEqual(['', '… and 3 more'])
})

function at(width: number | undefined) {
  return { paint: plainPaint, width, timeZone: undefined }
}

test('rows follow the line items: shipping, fees, surcharge', () => {
  const order = {
    lineItems: [{ amount: 1000, quantity: 2, discountAmount: 300, taxAmount: 100 }],
    shipping: { amount: 490 },
    fees: [{ amount: 10, type: 'GIFT' }, { amount: 20, description: 'Handling', type: 'X' }, { amount: 5 }],
  }
  expect(order.lineItems.map(lineTotal)).toEqual([1800n])
  expect(extraRows(order, 2325, 100)).toEqual([
    { label: 'Shipping', amount: 490n },
    { label: 'GIFT', amount: 10n },
    { label: 'Handling', amount: 20n },
    { label: 'Fee', amount: 5n },
    { label: 'Surcharge', amount: 100n },
  ])
})

test('an amount that overrides the order is explained by an adjustment', () => {
  const order = { lineItems: [{ amount: 1000 }] }
  expect(extraRows(order, 900)).toEqual([{ label: 'Adjustment', amount: -100n }])
})

test('without an order, there is only the total', () => {
  expect(extraRows({}, 900)).toEqual([])
})

test('the rows of any order add up to what the service charges', () => {
  const amount = fc.option(fc.integer({ min: 0, max: 1_000_000_000 }), { nil: undefined })
  const line = fc.record({
    amount,
    quantity: fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }),
    discountAmount: amount,
    taxAmount: amount,
  })
  const order = fc.record({
    lineItems: fc.array(line, { maxLength: 4 }),
    fees: fc.array(fc.record({ amount }), { maxLength: 3 }),
    shipping: fc.option(fc.record({ amount }), { nil: undefined }),
  })
  fc.assert(
    fc.property(order, (given) => {
      const total = orderTotal(given)
      fc.pre(total !== undefined && total >= 0n && total <= BigInt(Number.MAX_SAFE_INTEGER))
      const rows = extraRows(given, Number(total))
      expect(rows.filter(({ label }) => label === 'Adjustment')).toEqual([])
      const sum = [...(given.lineItems ?? []).map(lineTotal), ...rows.map((row) => row.amount)].reduce(
        (one, two) => one + two,
        0n,
      )
      expect(sum).toBe(total)
    }),
  )
})
