import { test } from 'vitest'
import { instrumentListView, instrumentView } from '../../../src/views/instrument/instrument.ts'
import { HOSTILE_TEXT, expectNoControlCharacters, optionsAt, testViews, viewCase } from '../view-case.ts'

const CARD = { last4Digits: '4242', network: 'VISA', expirationMonth: '12', expirationYear: '2031' }

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

testViews(
  [
    viewCase('instrument', instrumentView, saved, ['vaulted-token-1']),
    viewCase('instrument-deleted', instrumentView, deleted, ['vaulted-token-2']),
    viewCase('instrument-empty', instrumentView, {}, []),
    viewCase('instrument-list', instrumentListView, { data: [saved, deleted, wallet, {}] }, [
      'vaulted-token-1',
      'vaulted-token-2',
      'vaulted-token-3',
    ]),
    viewCase('instrument-list-empty', instrumentListView, { data: [] }, []),
  ],
  '../../golden/views',
)

test('shows no control characters from the service', () => {
  const hostile = { token: HOSTILE_TEXT, description: HOSTILE_TEXT }
  expectNoControlCharacters(instrumentView.render(hostile, optionsAt(80)))
  expectNoControlCharacters(instrumentListView.render({ data: [hostile] }, optionsAt(80)))
})
