import { describe, expect, test } from 'vitest'
import { COUNTRY_CODES, SETS } from '../../../src/api/sets.ts'
import type { NamedSet, SetName } from '../../../src/api/sets.ts'
import { CURRENCY_CODES } from '../../../src/money/currencies.ts'
import { openService, refusal } from '../service.ts'
import type { Json, Service } from '../service.ts'

const session = (service: Service, body: Json) => service.call('POST', '/client-session', body)
let records = 0
const record = (service: Service, body: Json) =>
  service.call('POST', '/observability/payments', {
    paymentId: `ext-${(records += 1)}`,
    currencyCode: 'EUR',
    processor: { name: 'ADYEN' },
    amount: 7,
    createdAt: '2026-01-31T09:30:00Z',
    order: { id: 'order-1' },
    paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
    ...body,
  })
const method = (more: Json) => ({ paymentMethod: { paymentMethodType: 'PAYMENT_CARD', ...more } })

interface Place {
  readonly path: string
  readonly send: (service: Service, value: string) => ReturnType<Service['call']>
}

/** Where a request can contain a value of the set. */
const PLACES: Readonly<Record<Exclude<SetName, 'utcDatetime' | 'creationTime' | 'errorId'>, Place>> = {
  paymentType: {
    path: '$.paymentMethod.paymentType',
    send: (service, paymentType) => session(service, { paymentMethod: { paymentType } }),
  },
  authorizationType: {
    path: '$.paymentMethod.authorizationType',
    send: (service, authorizationType) => session(service, { paymentMethod: { authorizationType } }),
  },
  productType: {
    path: '$.order.lineItems[0].productType',
    send: (service, productType) => session(service, { order: { lineItems: [{ productType }] } }),
  },
  currencyCode: {
    path: '$.currencyCode',
    send: (service, currencyCode) => session(service, { currencyCode }),
  },
  countryCode: {
    path: '$.customer.billingAddress.countryCode',
    send: (service, countryCode) => session(service, { customer: { billingAddress: { countryCode } } }),
  },
  loyaltyType: {
    path: '$.type',
    send: (service, type) =>
      service.call('POST', '/loyalty-transactions', {
        connectionId: 'points-1',
        customerId: 'ada',
        orderId: 'o',
        value: 1,
        type,
      }),
  },
  paymentStatus: { path: '$.status', send: (service, status) => record(service, { status }) },
  statusReasonType: {
    path: '$.statusReason.type',
    send: (service, type) => record(service, { statusReason: { type } }),
  },
  declineType: {
    path: '$.statusReason.declineType',
    send: (service, declineType) => record(service, { statusReason: { declineType } }),
  },
  statusReasonCode: {
    path: '$.statusReason.code',
    send: (service, code) => record(service, { statusReason: { code } }),
  },
  threeDSecureResponseCode: {
    path: '$.paymentMethod.threeDSecureAuthentication.responseCode',
    send: (service, responseCode) =>
      record(service, method({ threeDSecureAuthentication: { responseCode } })),
  },
  cardNetwork: {
    path: '$.paymentMethod.data.binData.network',
    send: (service, network) => record(service, method({ data: { binData: { network } } })),
  },
  accountFundingType: {
    path: '$.paymentMethod.data.binData.accountFundingType',
    send: (service, accountFundingType) =>
      record(service, method({ data: { binData: { accountFundingType } } })),
  },
}

/** Copied from the API reference, independently of the code. */
const VALUES: Readonly<Record<keyof typeof PLACES, readonly string[]>> = {
  paymentType: ['FIRST_PAYMENT', 'ECOMMERCE', 'SUBSCRIPTION', 'UNSCHEDULED', 'MOTO', 'IN_STORE'],
  authorizationType: ['FINAL', 'ESTIMATED'],
  productType: ['PHYSICAL', 'DIGITAL'],
  currencyCode: ['EUR', 'USD', 'JPY', 'KWD', 'CLF'],
  countryCode: ['DE', 'US', 'GB'],
  loyaltyType: ['REDEMPTION', 'REFUND'],
  paymentStatus: 'PENDING AUTHORIZED SETTLING PARTIALLY_SETTLED SETTLED DECLINED FAILED CANCELLED'.split(' '),
  statusReasonType: ['APPLICATION_ERROR', 'GATEWAY_REJECTED', 'ISSUER_DECLINED', 'GATEWAY_TIMEOUT'],
  declineType: ['SOFT_DECLINE', 'HARD_DECLINE'],
  statusReasonCode: [
    'ERROR',
    'INVALID_CARD_NUMBER',
    'EXPIRED_CARD',
    'LOST_OR_STOLEN_CARD',
    'SUSPECTED_FRAUD',
    'UNKNOWN',
    'DECLINED',
    'REFER_TO_CARD_ISSUER',
    'DO_NOT_HONOR',
    'INSUFFICIENT_FUNDS',
    'WITHDRAWAL_LIMIT_EXCEEDED',
    'ISSUER_TEMPORARILY_UNAVAILABLE',
    'AUTHENTICATION_REQUIRED',
  ],
  threeDSecureResponseCode: 'NOT_PERFORMED SKIPPED AUTH_SUCCESS AUTH_FAILED CHALLENGE METHOD'.split(' '),
  cardNetwork: [
    'AMEX',
    'CARTES_BANCAIRES',
    'DANKORT',
    'DINERS_CLUB',
    'DISCOVER',
    'ELO',
    'HIPER',
    'INTERAC',
    'JCB',
    'MAESTRO',
    'MASTERCARD',
    'MIR',
    'PRIVATE_LABEL',
    'UNIONPAY',
    'VISA',
    'OTHER',
  ],
  accountFundingType: ['CREDIT', 'DEBIT', 'PREPAID', 'CHARGE', 'DEFERRED_DEBIT', 'UNKNOWN'],
}

const isPlace = (name: string): name is keyof typeof PLACES => name in PLACES

describe.each(Object.keys(PLACES).filter(isPlace))('%s', (name) => {
  const { path, send } = PLACES[name]

  test('accepts every value in its list', async () => {
    const service = await openService()
    for (const value of VALUES[name]) expect(await send(service, value), value).toMatchObject({ status: 200 })
  })

  test.each(['NO_SUCH_VALUE', 'lower', ''])('refuses %j', async (word) => {
    const value = word === 'lower' ? (VALUES[name][0] ?? '').toLowerCase() : word
    const answer = await send(await openService(), value)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(answer.body).toMatchObject({ error: { validationErrors: [{ errors: [{ path }] }] } })
  })

  test('accepts no other values', () => {
    const set: NamedSet = SETS[name]
    if (set.form !== undefined)
      expect(set.values ?? VALUES[name]).toEqual(expect.arrayContaining([...VALUES[name]]))
    else expect(set.values).toEqual(VALUES[name])
  })
})

test('accepts every ISO 4217 code', async () => {
  const service = await openService()
  const statuses = await Promise.all(
    CURRENCY_CODES.map(async (currencyCode) => (await session(service, { currencyCode })).status),
  )
  expect(CURRENCY_CODES.length).toBeGreaterThan(150)
  expect([...new Set(statuses)]).toEqual([200])
})

test('accepts every ISO 3166-1 code as a country, and no other pair of letters', async () => {
  const service = await openService()
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
  const pairs = letters.flatMap((first) => letters.map((second) => `${first}${second}`))
  const taken: string[] = []
  for (const countryCode of pairs) {
    const { status } = await session(service, { order: { countryCode } })
    if (status === 200) taken.push(countryCode)
    else expect(status).toBe(422)
  }
  expect(taken).toEqual(COUNTRY_CODES)
  expect(taken).toHaveLength(249)
  expect(['EU', 'UK', 'XK', 'XQ', 'AN', 'ZZ'].filter((code) => taken.includes(code))).toEqual([])
})

test('accepts any word as a payment method type', async () => {
  const answer = await record(await openService(), { paymentMethod: { paymentMethodType: 'NEW_WALLET' } })
  expect(answer).toMatchObject({ status: 200, body: { paymentMethod: { paymentMethodType: 'NEW_WALLET' } } })
})
