import { describe, expect, test } from 'vitest'
import { PAYMENT_SCENARIOS } from '../../src/sandbox/domain/scenarios/payment-scenarios.ts'
import { at, createPayment, HOUR_MS, openService, refusal, textAt } from './service.ts'
import type { Json, Service } from './service.ts'

const tokenOf = async (service: Service, session?: Json, card = '4111111111111111') => {
  const clientToken =
    session === undefined
      ? undefined
      : textAt(await service.ok('POST', '/client-session', session), 'clientToken')
  const { paymentMethodToken } = await service.sandbox.tokenize({ card, clientToken })
  return paymentMethodToken
}

const pay = (service: Service, body: Json) => service.call('POST', '/payments', body)
const TERMS = { orderId: 'order-1', currencyCode: 'EUR', amount: 1000 }

test('answers the whole payment', async () => {
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

test('a transaction tells its processor, and an id of its own', async () => {
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

test('a decline tells its reason on the transaction too', async () => {
  const payment = await createPayment(await openService(), 'tok_declined')
  expect(at(payment, 'transactions', 0)).toMatchObject({
    processorStatus: 'DECLINED',
    processorStatusReason: payment['statusReason'],
  })
})

const fraudCheck = (results: Json): Json => ({ fraudCheck: { source: 'SANDBOX_FRAUD_CHECK', ...results } })

describe('outcomes', () => {
  test.each<[string, Json]>([
    ['tok_visa', { status: 'AUTHORIZED' }],
    ['tok_visa_credit', { status: 'AUTHORIZED' }],
    [
      'tok_mastercard',
      { status: 'AUTHORIZED', paymentMethod: { paymentMethodData: { network: 'MASTERCARD' } } },
    ],
    [
      'tok_declined',
      { status: 'DECLINED', statusReason: { declineType: 'SOFT_DECLINE', code: 'INSUFFICIENT_FUNDS' } },
    ],
    [
      'tok_hard_declined',
      { status: 'DECLINED', statusReason: { declineType: 'HARD_DECLINE', code: 'LOST_OR_STOLEN_CARD' } },
    ],
    ['tok_failed', { status: 'FAILED', statusReason: { type: 'APPLICATION_ERROR' } }],
    ['tok_3ds', { status: 'PENDING', requiredAction: { name: '3DS_AUTHENTICATION' } }],
    [
      'tok_3ds_frictionless',
      {
        status: 'AUTHORIZED',
        paymentMethod: { threeDSecureAuthentication: { responseCode: 'AUTH_SUCCESS' } },
      },
    ],
    [
      'tok_3ds_unavailable',
      {
        status: 'AUTHORIZED',
        paymentMethod: {
          threeDSecureAuthentication: {
            responseCode: 'NOT_PERFORMED',
            reasonCode: 'GATEWAY_UNAVAILABLE',
            reasonText: expect.any(String),
          },
        },
      },
    ],
    [
      'tok_risk_accepted',
      {
        status: 'AUTHORIZED',
        riskData: fraudCheck({ preAuthorizationResult: 'ACCEPT', postAuthorizationResult: 'ACCEPT' }),
      },
    ],
    [
      'tok_risk_flagged',
      {
        status: 'AUTHORIZED',
        riskData: fraudCheck({ preAuthorizationResult: 'ACCEPT', postAuthorizationResult: 'REJECT' }),
      },
    ],
    [
      'tok_risk_rejected',
      {
        status: 'DECLINED',
        statusReason: { type: 'GATEWAY_REJECTED', code: 'SUSPECTED_FRAUD' },
        riskData: fraudCheck({ preAuthorizationResult: 'REJECT' }),
      },
    ],
    [
      'tok_domestic',
      {
        status: 'AUTHORIZED',
        paymentMethod: {
          paymentMethodData: {
            binData: {
              regionalRestriction: 'DOMESTIC_USE_ONLY',
              accountFundingType: 'PREPAID',
              prepaidReloadableIndicator: 'RELOADABLE',
            },
          },
        },
      },
    ],
    ['tok_autocapture', { status: 'SETTLED', processor: { amountCaptured: 1000 } }],
    ['tok_async', { status: 'AUTHORIZED', paymentMethod: { paymentMethodType: 'GOOGLE_PAY' } }],
    ['tok_paypal', { status: 'AUTHORIZED', paymentMethod: { paymentMethodType: 'PAYPAL' } }],
  ])('%s', async (token, expected) => {
    expect(await createPayment(await openService(), token)).toMatchObject(expected)
  })

  test.each(PAYMENT_SCENARIOS.map(({ token, outcome }) => [token, outcome]))(
    '%s comes to what the list of scenarios says',
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

describe('terms', () => {
  test.each(['amount', 'currencyCode', 'orderId'])('needs %s', async (field) => {
    const answer = await pay(await openService(), {
      paymentMethodToken: 'tok_visa',
      ...TERMS,
      [field]: undefined,
    })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toMatchObject([{ path: `$.${field}` }])
  })

  test.each<[string, Json]>([
    ['orderId', { orderId: '' }],
    ['customerId', { customerId: '', paymentMethod: { vaultOnSuccess: true } }],
  ])('takes an empty %s for none', async (field, more) => {
    const answer = await pay(await openService(), { paymentMethodToken: 'tok_visa', ...TERMS, ...more })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toMatchObject([{ path: `$.${field}` }])
  })

  test('takes an amount of 0, and refuses one below', async () => {
    const service = await openService()
    expect(await createPayment(service, 'tok_visa', { amount: 0 })).toMatchObject({ amount: 0 })
    const answer = await pay(service, { paymentMethodToken: 'tok_visa', ...TERMS, amount: -1 })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('takes 2^53-1 exactly, and nothing above', async () => {
    const service = await openService()
    const most = Number.MAX_SAFE_INTEGER
    expect(await createPayment(service, 'tok_visa', { amount: most })).toMatchObject({ amount: most })
    const text = JSON.stringify({ paymentMethodToken: 'tok_visa', ...TERMS }).replace(
      '1000',
      '9007199254740992',
    )
    const answer = await service.call('POST', '/payments', undefined, { text })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('calculates the amount from the order', async () => {
    const service = await openService()
    const order = { lineItems: [{ amount: 300, quantity: 2 }], shipping: { amount: 50 } }
    expect(await createPayment(service, 'tok_visa', { amount: undefined, order })).toMatchObject({
      amount: 650,
      order,
    })
  })

  test.each<[string, Json, number]>([
    [
      'discount and tax, for the whole line',
      { lineItems: [{ amount: 100, quantity: 3, discountAmount: 30, taxAmount: 7 }] },
      277,
    ],
    ['a line without a quantity', { lineItems: [{ amount: 100 }] }, 100],
    ['fees', { lineItems: [{ amount: 100 }], fees: [{ amount: 11 }, { amount: 2 }] }, 113],
  ])('calculates with %s', async (_, order, amount) => {
    const service = await openService()
    expect(await createPayment(service, 'tok_visa', { amount: undefined, order })).toMatchObject({ amount })
  })

  test('a top-level amount overrides the calculated one', async () => {
    const order = { lineItems: [{ amount: 300 }] }
    expect(await createPayment(await openService(), 'tok_visa', { order })).toMatchObject({
      amount: 1000,
      order,
    })
  })

  test('takes orderDetails with lineItems, and answers order', async () => {
    const payment = await createPayment(await openService(), 'tok_visa', {
      amount: undefined,
      orderDetails: { countryCode: 'DE' },
      lineItems: [{ amount: 300, quantity: 2 }],
    })
    expect(payment).toMatchObject({
      amount: 600,
      order: { countryCode: 'DE', lineItems: [{ amount: 300, quantity: 2 }] },
    })
    expect(payment).not.toHaveProperty('orderDetails')
    expect(payment).not.toHaveProperty('lineItems')
  })

  test.each([{ lineItems: [] }, { orderDetails: {} }])('refuses order together with %j', async (other) => {
    const answer = await pay(await openService(), {
      paymentMethodToken: 'tok_visa',
      ...TERMS,
      order: {},
      ...other,
    })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('needs the token', async () => {
    expect(await pay(await openService(), TERMS)).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('refuses an unknown token, before what is missing', async () => {
    const answer = await pay(await openService(), { paymentMethodToken: 'nonsense' })
    expect(answer).toMatchObject(refusal(400, 'PaymentError'))
  })
})

describe('merging with the client session', () => {
  const session = {
    orderId: 'session-order',
    currencyCode: 'EUR',
    customerId: 'customer-1',
    order: { countryCode: 'DE', lineItems: [{ amount: 400, name: 'Shoe' }] },
    customer: { firstName: 'Ada', billingAddress: { city: 'Berlin' } },
    metadata: { a: 1, b: 1 },
    paymentMethod: { descriptor: 'Session shop', paymentType: 'ECOMMERCE' },
  }

  test('takes all that is absent from the session', async () => {
    const service = await openService()
    const { paymentMethod, ...rest } = session
    const answer = await pay(service, { paymentMethodToken: await tokenOf(service, session) })
    expect(answer).toMatchObject({ status: 200, body: { ...rest, amount: 400, paymentMethod } })
  })

  test('merges nested objects, and values of the request win', async () => {
    const service = await openService()
    const { body } = await pay(service, {
      paymentMethodToken: await tokenOf(service, session),
      orderId: 'request-order',
      order: { lineItems: [{ amount: 90 }] },
      customer: { emailAddress: 'a@example.com', billingAddress: { postalCode: '10115' } },
      metadata: { b: 2 },
      paymentMethod: { descriptor: 'Request shop' },
    })
    expect(body).toMatchObject({ orderId: 'request-order', amount: 90, currencyCode: 'EUR' })
    expect(body['order']).toEqual({ countryCode: 'DE', lineItems: [{ amount: 90 }] })
    expect(body['customer']).toEqual({
      firstName: 'Ada',
      emailAddress: 'a@example.com',
      billingAddress: { city: 'Berlin', postalCode: '10115' },
    })
    expect(body['metadata']).toEqual({ a: 1, b: 2 })
    expect(body['paymentMethod']).toMatchObject({ descriptor: 'Request shop', paymentType: 'ECOMMERCE' })
  })

  test('merges the 2.1 form of an order too', async () => {
    const service = await openService()
    const paymentMethodToken = await tokenOf(service, session)
    const { body } = await pay(service, { paymentMethodToken, lineItems: [{ amount: 5 }] })
    expect(body).toMatchObject({ amount: 5, order: { countryCode: 'DE', lineItems: [{ amount: 5 }] } })
  })

  test('a top-level amount of the session overrides, one of the request overrides that', async () => {
    const service = await openService()
    const token = () => tokenOf(service, { ...session, amount: 77 })
    expect((await pay(service, { paymentMethodToken: await token() })).body).toMatchObject({ amount: 77 })
    expect((await pay(service, { paymentMethodToken: await token(), amount: 8 })).body).toMatchObject({
      amount: 8,
    })
  })

  test('takes metadata that an update of the session may hold and a create request may not', async () => {
    const service = await openService()
    const made = await service.ok('POST', '/client-session', { ...TERMS, metadata: { a: 1 } })
    const clientToken = textAt(made, 'clientToken')
    const metadata = { open: true, lines: [{ n: 1.5 }], nested: { b: null } }
    await service.ok('PATCH', '/client-session', { clientToken, metadata })
    const token = await service.sandbox.tokenize({ card: '4111111111111111', clientToken })
    expect(await service.ok('POST', '/payments', { ...token, metadata: { shop: 'north' } })).toMatchObject({
      metadata: { ...metadata, shop: 'north' },
    })
  })

  test('sees an update of the session', async () => {
    const service = await openService()
    const clientToken = textAt(await service.ok('POST', '/client-session', session), 'clientToken')
    const { paymentMethodToken } = await service.sandbox.tokenize({ card: '4111111111111111', clientToken })
    await service.ok('PATCH', '/client-session', { clientToken, orderId: 'changed' })
    expect((await pay(service, { paymentMethodToken })).body).toMatchObject({ orderId: 'changed' })
  })

  test('a token made in no session takes nothing from any', async () => {
    const service = await openService()
    await tokenOf(service, session)
    const answer = await pay(service, { paymentMethodToken: await tokenOf(service) })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('a token made in time still pays after its session', async () => {
    const service = await openService()
    const paymentMethodToken = await tokenOf(service, session)
    await service.sandbox.clock.advance(25 * HOUR_MS)
    expect(await pay(service, { paymentMethodToken })).toMatchObject({
      status: 200,
      body: { orderId: 'session-order', amount: 400 },
    })
  })

  test('vaults when the session says so, for the customer of the session', async () => {
    const service = await openService()
    const paymentMethodToken = await tokenOf(service, { ...session, paymentMethod: { vaultOnSuccess: true } })
    expect(await pay(service, { paymentMethodToken })).toMatchObject({
      status: 200,
      body: { paymentMethod: { isVaulted: true } },
    })
    expect(await service.ok('GET', '/payment-instruments?customer_id=customer-1')).toMatchObject({
      data: [{ customerId: 'customer-1' }],
    })
  })

  test('still needs what neither has', async () => {
    const service = await openService()
    const paymentMethodToken = await tokenOf(service, { orderId: 'o' })
    expect(await pay(service, { paymentMethodToken })).toMatchObject(refusal(422, 'RequestValidationError'))
    const again = await pay(service, { paymentMethodToken, currencyCode: 'EUR', amount: 5 })
    expect(again).toMatchObject({ status: 200, body: { orderId: 'o' } })
  })
})

describe('surcharge', () => {
  const order = { lineItems: [{ amount: 1000 }] }
  const options = {
    PAYMENT_CARD: { surcharge: { amount: 10 }, networks: { MASTERCARD: { surcharge: { amount: 25 } } } },
    PAYPAL: { surcharge: { amount: 40 } },
  }
  test.each([
    ['tok_visa', 1010, [{ type: 'SURCHARGE', amount: 10 }]],
    ['tok_mastercard', 1025, [{ type: 'SURCHARGE', amount: 25 }]],
    ['tok_paypal', 1040, [{ type: 'SURCHARGE', amount: 40 }]],
    ['tok_async', 1000, undefined],
  ])('%s pays its own', async (token, amount, fees) => {
    const body = { amount: undefined, order, paymentMethod: { options } }
    const payment = await createPayment(await openService(), token, body)
    expect(payment).toMatchObject({ amount })
    expect(at(payment, 'order', 'fees')).toEqual(fees)
  })

  test('of a network that is none is refused', async () => {
    const paymentMethod = { options: { PAYMENT_CARD: { networks: { Visa: { surcharge: { amount: 7 } } } } } }
    const answer = await (await openService()).call('POST', '/client-session', { paymentMethod })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'description')).toContain('networks.Visa must be one of AMEX')
  })

  test('of a network is for cards alone', async () => {
    const networks = { OTHER: { surcharge: { amount: 7 } }, VISA: { surcharge: { amount: 8 } } }
    const payment = await createPayment(await openService(), 'tok_paypal', {
      amount: undefined,
      order,
      paymentMethod: { options: { PAYPAL: { networks } } },
    })
    expect(payment).toMatchObject({ amount: 1000 })
  })

  test('comes after the fees of the order, and is charged on a saved card too', async () => {
    const service = await openService()
    const payment = await createPayment(service, await vaulted(service), {
      customerId: 'customer-1',
      amount: undefined,
      order: { ...order, fees: [{ type: 'HANDLING', amount: 3 }] },
      paymentMethod: { options },
    })
    expect(payment).toMatchObject({ amount: 1013 })
    expect(at(payment, 'order', 'fees')).toEqual([
      { type: 'HANDLING', amount: 3 },
      { type: 'SURCHARGE', amount: 10 },
    ])
  })

  test('comes from the options of the session, unless that has a top-level amount', async () => {
    const service = await openService()
    const session = { orderId: 'o', currencyCode: 'EUR', order, paymentMethod: { options } }
    const [calculated, fixed] = [
      await tokenOf(service, session),
      await tokenOf(service, { ...session, amount: 900 }),
    ]
    expect((await pay(service, { paymentMethodToken: calculated })).body).toMatchObject({ amount: 1010 })
    const { body } = await pay(service, { paymentMethodToken: fixed })
    expect(body).toMatchObject({ amount: 900, order })
    expect(at(body, 'order', 'fees')).toBeUndefined()
  })

  test('is not added to a top-level amount', async () => {
    const payment = await createPayment(await openService(), 'tok_visa', {
      order,
      paymentMethod: { options },
    })
    expect(payment).toMatchObject({ amount: 1000, order })
    expect(at(payment, 'order', 'fees')).toBeUndefined()
  })
})

describe('tokens', () => {
  test('are 36 URL-safe characters', async () => {
    expect(await tokenOf(await openService())).toMatch(/^[\w-]{36}$/)
  })

  test('a card token pays once, a decline included', async () => {
    const service = await openService()
    const token = await tokenOf(service, undefined, '4000000000000002')
    await createPayment(service, token)
    expect(await pay(service, { paymentMethodToken: token, ...TERMS })).toMatchObject(
      refusal(400, 'PaymentError'),
    )
  })

  test('a refused call does not use up the token', async () => {
    const service = await openService()
    const token = await tokenOf(service)
    await pay(service, { paymentMethodToken: token })
    expect(await pay(service, { paymentMethodToken: token, ...TERMS })).toMatchObject({ status: 200 })
  })

  test('a fixed token pays any number of times', async () => {
    const service = await openService()
    const ids = [await createPayment(service, 'tok_visa'), await createPayment(service, 'tok_visa')].map(
      (p) => p['id'],
    )
    expect(new Set(ids).size).toBe(2)
  })

  test.each(['4111111111111112', '', 'tok_visa', '4111-1111-1111'])(
    'tokenize refuses %j without repeating it',
    async (card) => {
      const { sandbox } = await openService()
      const failure = await sandbox.tokenize({ card }).catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: 'unknown_card', exitCode: 2 })
      if (card !== '') expect(JSON.stringify(failure) + String(failure)).not.toContain(card)
    },
  )

  test('tokenize takes a number in groups', async () => {
    const { sandbox } = await openService()
    await expect(sandbox.tokenize({ card: '4111 1111-1111 1111' })).resolves.toHaveProperty(
      'paymentMethodToken',
    )
  })

  test('tokenize refuses an unknown and an expired client token', async () => {
    const service = await openService()
    const card = '4111111111111111'
    const clientToken = textAt(await service.ok('POST', '/client-session'), 'clientToken')
    await service.sandbox.clock.advance(24 * HOUR_MS)
    await expect(service.sandbox.tokenize({ card, clientToken: 'x.y.z' })).rejects.toMatchObject({
      code: 'unknown_client_token',
    })
    await expect(service.sandbox.tokenize({ card, clientToken })).rejects.toMatchObject({
      code: 'expired_client_token',
    })
  })
})

describe('vaultOnSuccess', () => {
  const vaulting = { customerId: 'customer-1', paymentMethod: { vaultOnSuccess: true } }

  test('needs a customerId', async () => {
    const answer = await pay(await openService(), {
      paymentMethodToken: 'tok_visa',
      ...TERMS,
      paymentMethod: { vaultOnSuccess: true },
    })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'validationErrors', 0, 'errors', 0, 'path')).toBe('$.customerId')
  })

  test('answers a new reusable token, and flags a first payment', async () => {
    const service = await openService()
    const used = await tokenOf(service)
    const payment = await createPayment(service, used, vaulting)
    expect(payment).toMatchObject({ paymentMethod: { isVaulted: true, paymentType: 'FIRST_PAYMENT' } })
    const saved = textAt(payment, 'paymentMethod', 'paymentMethodToken')
    expect(saved).not.toBe(used)
    for (const orderId of ['order-2', 'order-3']) {
      const again = await createPayment(service, saved, { orderId, customerId: 'customer-1' })
      expect(again).toMatchObject({ paymentMethod: { paymentMethodToken: saved, isVaulted: true } })
    }
    const list = await service.ok('GET', '/payment-instruments?customer_id=customer-1')
    expect(list).toMatchObject({ data: [{ token: saved, tokenType: 'MULTI_USE' }] })
  })

  test('flags a first payment whatever type was given', async () => {
    const paymentMethod = { vaultOnSuccess: true, paymentType: 'SUBSCRIPTION' }
    const payment = await createPayment(await openService(), 'tok_visa', { ...vaulting, paymentMethod })
    expect(payment).toMatchObject({ paymentMethod: { paymentType: 'FIRST_PAYMENT' } })
  })

  test('saves a saved method no second time, and leaves its payment type alone', async () => {
    const service = await openService()
    const saved = await vaulted(service)
    const paymentMethod = { vaultOnSuccess: true, paymentType: 'SUBSCRIPTION' }
    const payment = await createPayment(service, saved, { ...vaulting, paymentMethod })
    expect(payment).toMatchObject({
      paymentMethod: { paymentMethodToken: saved, isVaulted: true, paymentType: 'SUBSCRIPTION' },
    })
    const { data } = await service.ok('GET', '/payment-instruments?customer_id=customer-1')
    expect(data).toHaveLength(1)
  })

  test('without it nothing is saved', async () => {
    const service = await openService()
    const payment = await createPayment(service, 'tok_visa', { customerId: 'customer-1' })
    expect(payment).toMatchObject({ paymentMethod: { isVaulted: false } })
    expect(payment['paymentMethod']).not.toHaveProperty('paymentType')
    expect(await service.ok('GET', '/payment-instruments?customer_id=customer-1')).toEqual({ data: [] })
  })

  test.each(['tok_declined', 'tok_failed', 'tok_3ds'])(
    'saves nothing while %s has not succeeded',
    async (token) => {
      const service = await openService()
      expect(await createPayment(service, token, vaulting)).toMatchObject({
        paymentMethod: { isVaulted: false },
      })
      expect(await service.ok('GET', '/payment-instruments?customer_id=customer-1')).toEqual({ data: [] })
    },
  )
})

const vaulted = async (service: Service) =>
  textAt(
    await service.ok('POST', '/payment-instruments/tok_visa/vault', { customerId: 'customer-1' }),
    'token',
  )

describe('a vaulted token', () => {
  test.each(['amount', 'currencyCode', 'orderId', 'customerId'])('needs %s', async (field) => {
    const service = await openService()
    const answer = await pay(service, {
      paymentMethodToken: await vaulted(service),
      ...TERMS,
      customerId: 'customer-1',
      [field]: undefined,
    })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toMatchObject([{ path: `$.${field}` }])
  })

  test('is refused for another customer', async () => {
    const service = await openService()
    const body = { paymentMethodToken: await vaulted(service), ...TERMS, customerId: 'customer-2' }
    expect(await pay(service, body)).toMatchObject(refusal(400, 'PaymentError'))
  })

  test('is refused once it is deleted', async () => {
    const service = await openService()
    const token = await vaulted(service)
    await service.ok('DELETE', `/payment-instruments/${token}`)
    const body = { paymentMethodToken: token, ...TERMS, customerId: 'customer-1' }
    expect(await pay(service, body)).toMatchObject(refusal(400, 'PaymentError'))
  })
})
