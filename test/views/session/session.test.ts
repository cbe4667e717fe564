import { test } from 'vitest'
import { sessionView } from '../../../src/views/session/session.ts'
import { HOSTILE_TEXT, expectNoControlCharacters, optionsAt, testViews, viewCase } from '../view-case.ts'

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

testViews(
  [
    viewCase('session-created', sessionView, created, [created.clientToken]),
    viewCase('session', sessionView, session, []),
    viewCase('session-empty', sessionView, {}, []),
  ],
  '../../golden/views',
)

test('shows no control characters from the service', () => {
  const hostile = {
    clientToken: HOSTILE_TEXT,
    warnings: { code: HOSTILE_TEXT },
    currencyCode: HOSTILE_TEXT,
    amount: 1,
  }
  expectNoControlCharacters(sessionView.render(hostile, optionsAt(80)))
})
