import { test } from 'vitest'
import { externalPaymentView } from '../../../src/views/import/external-payment.ts'
import { HOSTILE_TEXT, expectNoControlCharacters, optionsAt, testViews, viewCase } from '../view-case.ts'

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

testViews(
  [
    viewCase('external-payment', externalPaymentView, record, ['ext-1']),
    viewCase('external-payment-empty', externalPaymentView, {}, []),
  ],
  '../../golden/views',
)

test('shows no control characters from the service', () => {
  const hostile = { paymentId: HOSTILE_TEXT, status: HOSTILE_TEXT, processor: { name: HOSTILE_TEXT } }
  expectNoControlCharacters(externalPaymentView.render(hostile, optionsAt(80)))
})
