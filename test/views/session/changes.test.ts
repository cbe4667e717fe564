import { describe, expect, test } from 'vitest'
import { plainPaint, wordsPaint } from '../../../src/output/paint.ts'
import { renderSessionChanges, sessionChanges } from '../../../src/views/session/changes.ts'

const SESSION = {
  orderId: 'A-1',
  currencyCode: 'EUR',
  amount: 1000,
  customer: {
    emailAddress: 'ada@example.com',
    firstName: 'Ada',
    billingAddress: { city: 'Bonn', countryCode: 'DE' },
  },
  order: {
    lineItems: [
      { itemId: 'shoe-1', amount: 500 },
      { itemId: 'sock-1', amount: 500 },
    ],
  },
  metadata: { ticket: 'T-1', token: 'secret-of-somebody' },
  paymentMethod: { vaultOnSuccess: true, options: { PAYMENT_CARD: { surcharge: { amount: 5 } } } },
}
const BODY = {
  clientToken: 'a-secret-token',
  orderId: 'A-2',
  customer: { emailAddress: 'lovelace@example.com', lastName: 'Lovelace' },
  order: { lineItems: [{ itemId: 'shoe-1', amount: 500, quantity: 2 }] },
  metadata: null,
  paymentMethod: { vaultOnSuccess: true },
}

const at = (width: number | undefined, paint = plainPaint) => ({ paint, width, timeZone: undefined })

test.each([80, 60])('shows old, new and dropped values at %i columns', async (width) => {
  const text = renderSessionChanges(sessionChanges(SESSION, BODY), { merges: false }, at(width))
  await expect(`${text}\n`).toMatchFileSnapshot(`../../golden/views/session-changes-${width}.txt`)
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width)
})

const kinds = (session: unknown, body: unknown) =>
  Object.fromEntries(sessionChanges(session, body).map(({ kind, path }) => [path, kind]))

describe('the change of a field', () => {
  test.each([
    ['differs', { orderId: 'A-2' }, { orderId: 'changed' }],
    ['is the same value', { orderId: 'A-1', metadata: SESSION.metadata }, {}],
    ['is new', { customerId: 'c' }, { customerId: 'new' }],
    ['is cleared', { orderId: null }, { orderId: 'cleared' }],
    ['is cleared although it is absent', { customerId: null, customer: SESSION.customer }, {}],
    [
      'is cleared with its content',
      { metadata: null },
      { 'metadata.ticket': 'cleared', 'metadata.token': 'cleared' },
    ],
    [
      'is missing from the object that replaces its parent',
      { customer: { ...SESSION.customer, billingAddress: { city: 'Bonn' } } },
      { 'customer.billingAddress.countryCode': 'dropped' },
    ],
    [
      'is cleared inside an object',
      { customer: { ...SESSION.customer, firstName: null, billingAddress: null } },
      {
        'customer.firstName': 'cleared',
        'customer.billingAddress.city': 'cleared',
        'customer.billingAddress.countryCode': 'cleared',
      },
    ],
    [
      'is an entry missing from a shorter list',
      { order: { lineItems: [SESSION.order.lineItems[0]] } },
      { 'order.lineItems[1].itemId': 'dropped', 'order.lineItems[1].amount': 'dropped' },
    ],
    [
      'is kept by every update',
      { paymentMethod: { vaultOnSuccess: false } },
      { 'paymentMethod.vaultOnSuccess': 'changed' },
    ],
    [
      'is an entry of a list that is cleared',
      { order: { lineItems: null } },
      {
        'order.lineItems[0].itemId': 'cleared',
        'order.lineItems[0].amount': 'cleared',
        'order.lineItems[1].itemId': 'cleared',
        'order.lineItems[1].amount': 'cleared',
      },
    ],
  ])('that %s', (_, body, changes) => {
    expect(kinds(SESSION, body)).toEqual(changes)
  })

  test.each([undefined, null, 'text', []])('is new if the session is %j', (session) => {
    expect(kinds(session, { orderId: 'A' })).toEqual({ orderId: 'new' })
  })

  const ORDER = { countryCode: 'FR', shipping: { amount: 500 }, lineItems: [{ itemId: 'shoe-1' }] }
  const LINES = [{ itemId: 'sock-1' }]

  test.each([
    [
      'orderDetails, which keeps the lines',
      { orderDetails: { countryCode: 'DE' } },
      { 'order.countryCode': 'changed', 'order.shipping.amount': 'dropped' },
    ],
    [
      'orderDetails with lines',
      { orderDetails: { ...ORDER, lineItems: LINES } },
      { 'order.lineItems[0].itemId': 'changed' },
    ],
    ['lineItems, which keep the rest', { lineItems: LINES }, { 'order.lineItems[0].itemId': 'changed' }],
    [
      'both',
      { orderDetails: { countryCode: 'FR' }, lineItems: LINES },
      { 'order.shipping.amount': 'dropped', 'order.lineItems[0].itemId': 'changed' },
    ],
    [
      'orderDetails null',
      { orderDetails: null },
      { 'order.countryCode': 'cleared', 'order.shipping.amount': 'cleared' },
    ],
    ['lineItems null', { lineItems: null }, { 'order.lineItems[0].itemId': 'cleared' }],
    [
      'order null with lineItems',
      { order: null, lineItems: LINES },
      {
        'order.countryCode': 'dropped',
        'order.shipping.amount': 'dropped',
        'order.lineItems[0].itemId': 'changed',
      },
    ],
  ])('of the order is shown for %s', (_, body, changes) => {
    expect(kinds({ order: ORDER }, body)).toEqual(changes)
  })

  test('clearing an order that the session does not have changes nothing', () => {
    expect(kinds({}, { orderDetails: null, lineItems: null })).toEqual({})
    expect(kinds({}, { orderDetails: null })).toEqual({})
  })
})

test('marks dropped values with a word as well as colour', () => {
  const changes = sessionChanges(SESSION, { customer: { firstName: 'Ada' } })
  const text = renderSessionChanges(changes, { merges: false }, at(80, wordsPaint))
  expect(text).toContain('bad(! DROPPED)')
  expect(text).toContain('3 fields will be DROPPED. An update replaces the whole of:\n  customer.')
  expect(text).toContain('--merge')
})

test('an empty update is a sentence', () => {
  expect(renderSessionChanges([], { merges: false }, at(80))).toBe(
    'This update changes nothing in the session.',
  )
})

test('shows no secrets, card numbers or control characters', () => {
  const changes = sessionChanges(SESSION, {
    clientToken: 'a-secret-token',
    metadata: { note: '4111111111111111', evil: '\u001B[2J\u202E', token: 'another-secret' },
  })
  const text = renderSessionChanges(changes, { merges: false }, at(undefined))
  expect(text).not.toMatch(/secret|4111111111111111|[\u001B\u202E]/)
})
