import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderTotal } from '../../../../src/api/models/order-total.ts'
import { extraRows, hidesSurcharge } from '../../../../src/pages/checkout/summary/order-rows.ts'
import { lineTotal } from '../../../../src/views/order.ts'

const termsOf = (amount: number) => ({ amount })
const noSurcharge = (amount: number) => ({ amount, surcharge: undefined })

test('rows follow the line items: shipping, fees, surcharge', () => {
  const order = {
    lineItems: [{ amount: 1000, quantity: 2, discountAmount: 300, taxAmount: 100 }],
    shipping: { amount: 490 },
    fees: [{ amount: 10, type: 'GIFT' }, { amount: 20, description: 'Handling', type: 'X' }, { amount: 5 }],
  }
  expect(order.lineItems.map(lineTotal)).toEqual([1800n])
  expect(extraRows(order, termsOf(2325), { amount: 2425, surcharge: 100 })).toEqual([
    { label: 'Shipping', amount: 490n },
    { label: 'GIFT', amount: 10n },
    { label: 'Handling', amount: 20n },
    { label: 'Fee', amount: 5n },
    { label: 'Surcharge', amount: 100n },
  ])
})

test('an amount of the session that overrides its order is explained by an adjustment', () => {
  const order = { lineItems: [{ amount: 1000 }] }
  expect(extraRows(order, termsOf(900), noSurcharge(900))).toEqual([{ label: 'Adjustment', amount: -100n }])
})

test('a session without an order has only its total', () => {
  expect(extraRows({}, termsOf(900), noSurcharge(900))).toEqual([])
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
      const rows = extraRows(given, termsOf(Number(total)), noSurcharge(Number(total)))
      expect(rows.filter(({ label }) => label === 'Adjustment')).toEqual([])
      const sum = [...(given.lineItems ?? []).map(lineTotal), ...rows.map((row) => row.amount)].reduce(
        (one, two) => one + two,
        0n,
      )
      expect(sum).toBe(total)
    }),
  )
})

test('a surcharge that the settings hide is noticed', () => {
  expect(hidesSurcharge(termsOf(1000), noSurcharge(1000))).toBe(false)
  expect(hidesSurcharge(termsOf(1000), { amount: 1050, surcharge: 50 })).toBe(false)
  expect(hidesSurcharge(termsOf(1000), noSurcharge(1050))).toBe(true)
})
