import { describe, expect, test } from 'vitest'
import { plainPaint } from '../../src/output/paint.ts'
import type { View } from '../../src/output/view.ts'
import { externalPaymentView } from '../../src/views/import/external-payment.ts'
import { instrumentListView, instrumentView } from '../../src/views/instrument/instrument.ts'
import { loyaltyView } from '../../src/views/loyalty.ts'
import { sessionView } from '../../src/views/session/session.ts'

const CARD = { last4Digits: '4242', network: 'VISA', expirationMonth: '12', expirationYear: '2031' }

const created = {
  clientToken: 'eyJhbGciOiJIUzI1NiJ9.eyJhbW91bnQiOjF9.abc',
  clientTokenExpirationDate: '2026-11-21T15:36:16.367687',
  orderId: 'order-1',
  currencyCode: 'BHD',
  amount: 1500,
  order: { countryCode: 'BH', lineItems: [{ name: 'Tea', quantity: 3 }] },
  customerId: 'customer-1',
  customer: { emailAddress: 'jo@example.com' },
  paymentMethod: { paymentType: 'FIRST_PAYMENT', vaultOnSuccess: true, descriptor: 'TEA' },
  metadata: { source: 'web' },
}
const session = { currencyCode: 'EUR', warnings: { type: 'ORDER', code: 'MISSING_DATA' } }

const record = {
  paymentId: 'ext-1',
  status: 'DECLINED',
  statusReason: { code: 'DO_NOT_HONOR' },
  currencyCode: 'EUR',
  amount: 990,
  createdAt: '2026-11-20T15:36:16Z',
  order: { id: 'order-1', countryCode: 'DE' },
  processor: { name: 'ELSEWHERE', merchantId: 'm-1' },
  paymentMethod: {
    paymentMethodType: 'PAYMENT_CARD',
    data: { first6Digits: '411111', binData: { network: 'VISA' } },
    threeDSecureAuthentication: { responseCode: 'AUTH_SUCCESS' },
  },
  paymentType: 'ECOMMERCE',
  descriptor: 'SHOP',
  metadata: { row: 7 },
}

const points = {
  id: 'loy-1',
  type: 'REDEMPTION',
  value: 500,
  customerId: 'customer-1',
  orderId: 'order-1',
  connectionId: 'points-1',
  connectionName: 'Points Club',
  connectionTransactionId: 'pc-9',
  date: '2026-11-20T15:36:16.367687',
}

const saved = {
  token: 'vaulted-token-1',
  tokenType: 'MULTI_USE',
  paymentMethodType: 'PAYMENT_CARD',
  paymentMethodData: CARD,
  customerId: 'customer-1',
  description: 'Blue card',
  default: true,
  isVerified: true,
  createdAt: '2026-11-20T15:36:16.367687',
}
const deleted = {
  ...saved,
  token: 'vaulted-token-2',
  default: false,
  deleted: true,
  deletedAt: '2026-11-21T00:00:00.000000',
}
const wallet = { token: 'vaulted-token-3', paymentMethodType: 'PAYPAL', deleted: true }

const at = (width: number) => ({ paint: plainPaint, width, timeZone: 'America/New_York' })

function shownCase<T>(name: string, view: View<T>, result: T, ids: readonly string[]) {
  return { name, ids, shownIds: view.ids(result), render: (width: number) => view.render(result, at(width)) }
}

const CASES = [
  shownCase('session-created', sessionView, created, [created.clientToken]),
  shownCase('session', sessionView, session, []),
  shownCase('session-empty', sessionView, {}, []),
  shownCase('external-payment', externalPaymentView, record, ['ext-1']),
  shownCase('external-payment-empty', externalPaymentView, {}, []),
  shownCase('loyalty', loyaltyView, points, ['loy-1']),
  shownCase('loyalty-empty', loyaltyView, {}, []),
  shownCase('instrument', instrumentView, saved, ['vaulted-token-1']),
  shownCase('instrument-deleted', instrumentView, deleted, ['vaulted-token-2']),
  shownCase('instrument-empty', instrumentView, {}, []),
  shownCase('instrument-list', instrumentListView, { data: [saved, deleted, wallet, {}] }, [
    'vaulted-token-1',
    'vaulted-token-2',
    'vaulted-token-3',
  ]),
  shownCase('instrument-list-empty', instrumentListView, { data: [] }, []),
]

describe.each([80, 60])('at %i columns', (width) => {
  test.each(CASES)('shows $name', async ({ name, render }) => {
    await expect(`${render(width)}\n`).toMatchFileSnapshot(`../golden/views/${name}-${width}.txt`)
  })
})

test.each(CASES)('names the ids of $name', ({ shownIds, ids }) => {
  expect(shownIds).toEqual(ids)
})

test('shows nothing of a server that steers a terminal', () => {
  const evil = '\u001B[2J\u202E'
  const texts = [
    sessionView.render(
      { clientToken: evil, warnings: { code: evil }, currencyCode: evil, amount: 1 },
      at(80),
    ),
    externalPaymentView.render({ paymentId: evil, status: evil, processor: { name: evil } }, at(80)),
    loyaltyView.render({ id: evil, connectionName: evil }, at(80)),
    instrumentView.render({ token: evil, description: evil }, at(80)),
    instrumentListView.render({ data: [{ token: evil, description: evil }] }, at(80)),
  ]
  expect(texts.join('').replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
