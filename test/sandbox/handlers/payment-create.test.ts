import { describe, expect, test } from 'vitest'
import { PAYMENT_SCENARIOS } from '../../../src/sandbox/domain/scenarios/payment-scenarios.ts'
import { at, createPayment, openService, textAt, tokenized } from '../service.ts'
import type { Json, Service } from '../service.ts'

const tokenOf = async (service: Service, session?: Json, card = '4111111111111111') => {
  const clientToken =
    session === undefined
      ? undefined
      : textAt(await service.ok('POST', '/client-session', session), 'clientToken')
  const paymentMethodToken = await tokenized(service, { card, clientToken })
  return paymentMethodToken
}

const TERMS = { orderId: 'order-1', currencyCode: 'EUR', amount: 1000 }

test('returns the whole payment', async () => {
  const service = await openService()
  const payment = await createPayment(service, 'tok_visa', {
    customerId: 'customer-1',
    customer: { emailAddress: 'a@example.com' },
    metadata: { a: 'b' },
    paymentMethod: { descriptor: 'Shop', paymentType: 'ECOMMERCE', authorizationType: 'ESTIMATED' },
  })
  expect(payment).toMatchObject({
    date: '2026-03-04T05:06:07.089000',
    status: 'AUTHORIZED',
    ...TERMS,
    customerId: 'customer-1',
    customer: { emailAddress: 'a@example.com' },
    metadata: { a: 'b' },
    paymentMethod: {
      descriptor: 'Shop',
      paymentType: 'ECOMMERCE',
      paymentMethodToken: 'tok_visa',
      isVaulted: false,
      paymentMethodType: 'PAYMENT_CARD',
      paymentMethodData: {
        first6Digits: '411111',
        last4Digits: '1111',
        network: 'VISA',
        binData: { network: 'VISA', accountFundingType: 'DEBIT' },
      },
      threeDSecureAuthentication: { responseCode: 'NOT_PERFORMED' },
      authorizationType: 'ESTIMATED',
    },
    processor: {
      name: 'SANDBOX_ALPHA',
      processorMerchantId: 'alpha-1',
      amountCaptured: 0,
      amountRefunded: 0,
    },
    transactions: [
      { transactionType: 'SALE', amount: 1000, currencyCode: 'EUR', processorStatus: 'AUTHORIZED' },
    ],
  })
  expect(payment['id']).toMatch(/^[A-Za-z0-9]{9}$/)
  expect(await service.ok('GET', `/payments/${textAt(payment, 'id')}`)).toEqual(payment)
})

test('a transaction has its processor and its own id', async () => {
  const service = await openService()
  const steps = [await createPayment(service, 'tok_visa'), await createPayment(service, 'tok_visa')].map(
    (payment) => at(payment, 'transactions', 0),
  )
  expect(steps[0]).toMatchObject({
    date: '2026-03-04T05:06:07.089000',
    processorName: 'SANDBOX_ALPHA',
    processorMerchantId: 'alpha-1',
    processorTransactionId: expect.stringMatching(/^\S+$/),
  })
  expect(at(steps[0], 'processorTransactionId')).not.toBe(at(steps[1], 'processorTransactionId'))
})

test('a decline also has its reason on the transaction', async () => {
  const payment = await createPayment(await openService(), 'tok_declined')
  expect(at(payment, 'transactions', 0)).toMatchObject({
    processorStatus: 'DECLINED',
    processorStatusReason: payment['statusReason'],
  })
})

const declined = (declineType: string, code: string) => ({
  status: 'DECLINED',
  statusReason: { declineType, code },
})
const authorized = (paymentMethod: Json) => ({ status: 'AUTHORIZED', paymentMethod })
const fraudCheck = (preAuthorizationResult: string, more: Json = {}): Json => ({
  riskData: { fraudCheck: { source: 'SANDBOX_FRAUD_CHECK', preAuthorizationResult, ...more } },
})
const FRAUD = { type: 'GATEWAY_REJECTED', code: 'SUSPECTED_FRAUD' }
const UNAVAILABLE = {
  responseCode: 'NOT_PERFORMED',
  reasonCode: 'GATEWAY_UNAVAILABLE',
  reasonText: expect.any(String),
}
const PREPAID = {
  regionalRestriction: 'DOMESTIC_USE_ONLY',
  accountFundingType: 'PREPAID',
  prepaidReloadableIndicator: 'RELOADABLE',
}

describe('outcomes', () => {
  test.each<[string, Json]>([
    ['tok_visa', { status: 'AUTHORIZED' }],
    ['tok_visa_credit', { status: 'AUTHORIZED' }],
    ['tok_mastercard', authorized({ paymentMethodData: { network: 'MASTERCARD' } })],
    ['tok_declined', declined('SOFT_DECLINE', 'INSUFFICIENT_FUNDS')],
    ['tok_hard_declined', declined('HARD_DECLINE', 'LOST_OR_STOLEN_CARD')],
    ['tok_failed', { status: 'FAILED', statusReason: { type: 'APPLICATION_ERROR' } }],
    ['tok_3ds', { status: 'PENDING', requiredAction: { name: '3DS_AUTHENTICATION' } }],
    ['tok_3ds_frictionless', authorized({ threeDSecureAuthentication: { responseCode: 'AUTH_SUCCESS' } })],
    ['tok_3ds_unavailable', authorized({ threeDSecureAuthentication: UNAVAILABLE })],
    [
      'tok_risk_accepted',
      { status: 'AUTHORIZED', ...fraudCheck('ACCEPT', { postAuthorizationResult: 'ACCEPT' }) },
    ],
    [
      'tok_risk_flagged',
      { status: 'AUTHORIZED', ...fraudCheck('ACCEPT', { postAuthorizationResult: 'REJECT' }) },
    ],
    ['tok_risk_rejected', { status: 'DECLINED', statusReason: FRAUD, ...fraudCheck('REJECT') }],
    ['tok_domestic', authorized({ paymentMethodData: { binData: PREPAID } })],
    ['tok_autocapture', { status: 'SETTLED', processor: { amountCaptured: 1000 } }],
    ['tok_async', { status: 'AUTHORIZED', paymentMethod: { paymentMethodType: 'GOOGLE_PAY' } }],
    ['tok_paypal', { status: 'AUTHORIZED', paymentMethod: { paymentMethodType: 'PAYPAL' } }],
  ])('%s', async (token, expected) => {
    expect(await createPayment(await openService(), token)).toMatchObject(expected)
  })

  test.each(PAYMENT_SCENARIOS.map(({ token, outcome }) => [token, outcome]))(
    '%s has the outcome in the list of scenarios',
    async (token, outcome) => {
      expect(await createPayment(await openService(), token)).toMatchObject({ status: outcome })
    },
  )

  test.each(
    PAYMENT_SCENARIOS.flatMap(({ card, outcome }) => (card === undefined ? [] : [[card, outcome] as const])),
  )('the card %s does the same', async (card, outcome) => {
    const service = await openService()
    const token = await tokenOf(service, undefined, card)
    expect(await createPayment(service, token)).toMatchObject({
      status: outcome,
      paymentMethod: { paymentMethodToken: token, paymentMethodData: { last4Digits: card.slice(-4) } },
    })
  })

  test('an approved payment has neither a reason nor a required action', async () => {
    const payment = await createPayment(await openService(), 'tok_visa')
    expect(payment).not.toHaveProperty('statusReason')
    expect(payment).not.toHaveProperty('requiredAction')
    expect(payment).not.toHaveProperty('riskData')
  })
})
