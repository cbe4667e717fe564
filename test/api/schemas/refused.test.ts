import { expect, test } from 'vitest'
import { operationOf, queryCheck, requestChecks } from './checker.ts'

const LINES = [{ amount: 100 }]
const RECORD = {
  paymentId: 'ext-1',
  currencyCode: 'EUR',
  processor: { name: 'ACME' },
  amount: 1,
  createdAt: '2026-01-31T09:30:00Z',
  order: { id: 'A-1' },
  paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
}

const madeAt = (createdAt: string) => ({ ...RECORD, createdAt })
const POINTS = { connectionId: 'c', customerId: 'c', orderId: 'o', value: 1 }

const SURCHARGED = {
  paymentMethod: { options: { PAYMENT_CARD: { networks: { VISA: { surcharge: { amount: 1 } } } } } },
}

/** One case for every kind of rule: the operation, the body and the expected error. */
const WRONG: readonly (readonly [rule: string, operation: string, body: unknown, where: RegExp])[] = [
  ['not an object', 'payment.refund', [], /^ must be object/],
  ['a required field is missing', 'payment.resume', {}, /resumeToken/],
  ['a nested required field is missing', 'payment.authorize', { processor: {} }, /processorMerchantId/],
  ['an unknown field', 'payment.capture', { amout: 1 }, /additional/],
  ['an unknown nested field', 'session.create', { order: { lines: [] } }, /order must NOT have additional/],
  ['a wrong type', 'payment.capture', { final: 'yes' }, /final must be boolean/],
  ['null in a field that it cannot clear', 'payment.capture', { amount: null }, /amount must be integer/],
  ['null for a required field', 'session.update', { clientToken: null }, /clientToken must be string/],
  ['null in a list', 'session.update', { clientToken: 't', lineItems: [{ amount: null }] }, /lineItems/],
  ['a fraction of a minor unit', 'payment.refund', { amount: 1.5 }, /amount must be integer/],
  ['an amount as text', 'payment.refund', { amount: '100' }, /amount must be integer/],
  ['an amount of zero', 'payment.adjust', { amount: 0 }, />= 1/],
  ['a negative amount', 'payment.create', { paymentMethodToken: 't', amount: -1 }, />= 0/],
  ['an amount beyond 2^53-1', 'payment.refund', { amount: 2 ** 53 }, /<= 9007199254740991/],
  ['zero points', 'loyalty.create', { connectionId: 'c', customerId: 'c', orderId: 'o', value: 0 }, />= 1/],
  ['not a currency of ISO 4217', 'session.create', { currencyCode: 'EUX' }, /currencyCode/],
  ['a country in lower case', 'session.create', { order: { countryCode: 'de' } }, /allowed values/],
  [
    'a value outside its set',
    'payment.create',
    { paymentMethodToken: 't', paymentMethod: { paymentType: 'GIFT' } },
    /allowed values/,
  ],
  ['a time with an offset', 'observability.push', madeAt('2026-01-31T09:30:00+02:00'), /createdAt/],
  ['a date without a time', 'observability.push', madeAt('2026-01-31'), /createdAt/],
  ['a created date that is not text', 'observability.update', { createdAt: 5 }, /createdAt must be string/],
  ['a day that no month has', 'observability.push', madeAt('2026-02-31T09:30:00Z'), /createdAt/],
  ['29 February of another year', 'observability.push', madeAt('2026-02-29T09:30:00Z'), /createdAt/],
  ['no date at all', 'observability.update', { createdAt: 'yesterday' }, /createdAt/],
  ['a created date without a time', 'observability.update', { createdAt: '2026-01-31' }, /createdAt/],
  ['31 April', 'observability.update', { createdAt: '2026-04-31 09:30' }, /createdAt/],
  [
    'an unknown card network',
    'session.create',
    { paymentMethod: { options: { A: { networks: { VISO: {} } } } } },
    /networks/,
  ],
  [
    'an unknown card network of a payment',
    'payment.create',
    { paymentMethodToken: 't', paymentMethod: { options: { A: { networks: { visa: {} } } } } },
    /networks/,
  ],
  ['a leap second', 'observability.push', madeAt('2026-06-30T23:59:60Z'), /createdAt/],
  ['an empty paymentId', 'observability.push', { ...RECORD, paymentId: '' }, /paymentId must NOT have fewer/],
  ['an empty customerId', 'instrument.vault', { customerId: '' }, /customerId must NOT have fewer/],
  ['an empty customerId of points', 'loyalty.create', { ...POINTS, customerId: '' }, /customerId must NOT/],
  ['an empty orderId of points', 'loyalty.create', { ...POINTS, orderId: '' }, /orderId must NOT/],
  ['an empty connectionId', 'loyalty.create', { ...POINTS, connectionId: '' }, /connectionId must NOT/],
  ['a list as metadata of a record', 'observability.update', { metadata: { a: [] } }, /metadata/],
  ['an object as metadata', 'session.create', { metadata: { a: {} } }, /metadata/],
  ['a fraction as metadata', 'session.create', { metadata: { a: 1.5 } }, /metadata/],
  ['an empty key in metadata', 'session.create', { metadata: { '': 'a' } }, /metadata/],
  [
    'an empty key in the metadata of an update',
    'session.update',
    { clientToken: 't', metadata: { '': 'a' } },
    /metadata/,
  ],
  ['new options', 'session.update', { clientToken: 't', paymentMethod: { options: {} } }, /paymentMethod/],
  ['null options', 'session.update', { clientToken: 't', paymentMethod: { options: null } }, /paymentMethod/],
  ['a surcharge without a currency', 'session.create', SURCHARGED, /currencyCode/],
  ['an amount without a currency', 'session.create', { amount: 1 }, /currencyCode/],
  ['a line amount without a currency', 'session.create', { lineItems: LINES }, /currencyCode/],
  ['an order line without a currency', 'session.create', { order: { lineItems: LINES } }, /currencyCode/],
  ['a fee without a currency', 'session.create', { orderDetails: { fees: LINES } }, /currencyCode/],
  ['shipping without a currency', 'session.create', { order: { shipping: { amount: 0 } } }, /currencyCode/],
  ['both forms of an order', 'session.create', { order: {}, orderDetails: {} }, /orderDetails must be null/],
  ['lines twice', 'session.create', { orderDetails: { lineItems: [] }, lineItems: [] }, /lineItems/],
  [
    'an order and lines',
    'payment.create',
    { paymentMethodToken: 't', order: {}, lineItems: [] },
    /lineItems/,
  ],
  ['both forms in an update', 'session.update', { clientToken: 't', order: {}, lineItems: [] }, /lineItems/],
]

test.each(WRONG)('%s is refused: %s %j', (_, id, body, where) => {
  for (const [kind, check] of Object.entries(requestChecks(operationOf(id))))
    expect(check(body).join('\n'), kind).toMatch(where)
})

const SESSION_METADATA = { clientToken: 't', metadata: { a: [true, { b: 1.5 }] } }

/** The valid counterparts. */
const RIGHT: readonly (readonly [rule: string, operation: string, body: unknown])[] = [
  ['an empty body', 'session.create', {}],
  ['29 February', 'observability.push', madeAt('2024-02-29T09:30:00.5Z')],
  ['any notation of a created date', 'observability.update', { createdAt: '2024-02-29 10:30+0100' }],
  ['a card network', 'session.create', { paymentMethod: { options: { A: { networks: { VISA: {} } } } } }],
  ['an amount of zero', 'payment.create', { paymentMethodToken: 't', amount: 0 }],
  ['the largest amount', 'payment.refund', { amount: 2 ** 53 - 1 }],
  ['an amount with its currency', 'session.create', { amount: 1, currencyCode: 'EUR' }],
  ['no amount, no currency', 'session.create', { order: { lineItems: [{ name: 'a' }], shipping: {} } }],
  ['the other form of an order', 'session.create', { orderDetails: { countryCode: 'DE' }, lineItems: [] }],
  [
    'null clears',
    'session.update',
    { clientToken: 't', amount: null, customer: { firstName: null }, metadata: { a: null } },
  ],
  ['one form cleared, the other given', 'session.update', { clientToken: 't', order: null, lineItems: [] }],
  ['the other form cleared', 'session.update', { clientToken: 't', order: {}, orderDetails: null }],
  ['a metadata integer above 2^53', 'session.create', { metadata: { a: 2 ** 60 } }],
  ['any values of metadata in an update of a session', 'session.update', SESSION_METADATA],
  [
    'undocumented fields of a surcharge',
    'session.create',
    { paymentMethod: { options: { PAYMENT_CARD: { surcharge: { percentage: 1.5 } } } } },
  ],
  ['a negative line amount', 'session.create', { lineItems: [{ amount: -1 }], currencyCode: 'EUR' }],
]

test.each(RIGHT)('%s is valid: %s %j', (_, id, body) => {
  for (const [kind, check] of Object.entries(requestChecks(operationOf(id))))
    expect(check(body), kind).toEqual([])
})

test.each([
  ['payment.list', { limit: 0 }, />= 1/],
  ['payment.list', { limit: 101 }, /<= 100/],
  ['payment.list', { status: ['SETLED'] }, /status/],
  ['payment.list', { status: [] }, /status/],
  ['payment.list', { currency_code: ['EUX'] }, /currency_code/],
  ['payment.list', { min_amount: -1 }, />= 0/],
  ['payment.list', { stauts: ['SETTLED'] }, /additional/],
  ['session.get', {}, /clientToken/],
  ['instrument.list', {}, /customer_id/],
] as const)('parameters of %s are refused: %j', (id, query, where) => {
  expect(queryCheck(operationOf(id))(query).join('\n')).toMatch(where)
})

test.each([
  ['payment.list', {}],
  ['payment.list', { limit: 100, status: ['SETTLED', 'PENDING'], currency_code: ['EUR'], min_amount: 0 }],
  ['session.get', { clientToken: 't' }],
] as const)('parameters of %s are valid: %j', (id, query) => {
  expect(queryCheck(operationOf(id))(query)).toEqual([])
})
