import { describe, expect, test } from 'vitest'
import {
  at,
  createPayment,
  HOUR_MS,
  openService,
  refusal,
  settledPayment,
  textAt,
  advance,
} from '../service.ts'
import type { Json, Service } from '../service.ts'

const rows = (list: Json): readonly Json[] => (Array.isArray(list['data']) ? list['data'] : [])
const ordersOf = (list: Json) => rows(list).map((row) => row['orderId'])
const list = (service: Service, query = '') => service.ok('GET', `/payments${query}`)

async function withFive(): Promise<Service> {
  const service = await openService()
  const made: readonly [string, Json][] = [
    ['tok_visa', { orderId: 'o1', amount: 100, customerId: 'ada' }],
    ['tok_declined', { orderId: 'o2', amount: 200, customerId: 'bea' }],
    ['tok_visa', { orderId: 'o3', amount: 300, currencyCode: 'USD', customerId: 'ada' }],
    ['tok_failed', { orderId: 'o4', amount: 400 }],
    ['tok_autocapture', { orderId: 'o5', amount: 500 }],
  ]
  for (const [token, more] of made) {
    await createPayment(service, token, more)
    await advance(service, 24 * HOUR_MS)
  }
  return service
}

test('returns summaries, newest first', async () => {
  const service = await withFive()
  const found = await list(service)
  expect(ordersOf(found)).toEqual(['o5', 'o4', 'o3', 'o2', 'o1'])
  expect(rows(found)[0]).toMatchObject({
    status: 'SETTLED',
    amount: 500,
    currencyCode: 'EUR',
    processor: { amountCaptured: 500 },
    paymentMethod: { paymentMethodType: 'IDEAL' },
  })
  expect(rows(found)[0]).not.toHaveProperty('transactions')
  expect(found).not.toHaveProperty('nextCursor')
  expect(found).not.toHaveProperty('prevCursor')
})

test('an empty list is empty', async () => {
  expect(await list(await openService())).toEqual({ data: [] })
})

test.each([
  ['status=AUTHORIZED', ['o3', 'o1']],
  ['status=DECLINED,FAILED', ['o4', 'o2']],
  ['status=DECLINED&status=FAILED', ['o4', 'o2']],
  ['order_id=o4', ['o4']],
  ['order_id=o1,o5', ['o5', 'o1']],
  ['order_id=o1&order_id=o5', ['o5', 'o1']],
  ['order_id=o1,o2&order_id=o5', ['o5', 'o2', 'o1']],
  ['order_id=nothing', []],
  ['customer_id=ada,bea', ['o3', 'o2', 'o1']],
  ['customer_id=ada&customer_id=bea', ['o3', 'o2', 'o1']],
  ['currency_code=USD,EUR', ['o5', 'o4', 'o3', 'o2', 'o1']],
  ['currency_code=USD&currency_code=JPY', ['o3']],
  ['min_amount=301&max_amount=300', []],
  ['min_amount=300&max_amount=300', ['o3']],
  ['customer_id=ada', ['o3', 'o1']],
  ['currency_code=USD', ['o3']],
  ['min_amount=300', ['o5', 'o4', 'o3']],
  ['max_amount=300', ['o3', 'o2', 'o1']],
  ['min_amount=200&max_amount=400&currency_code=EUR', ['o4', 'o2']],
  ['from_date=2026-03-05T05:06:07.089Z', ['o5', 'o4', 'o3', 'o2']],
  ['from_date=2026-03-05T05:06:07.089001', ['o5', 'o4', 'o3']],
  ['from_date=2026-03-06', ['o5', 'o4', 'o3']],
  ['to_date=2026-03-05', ['o2', 'o1']],
  ['to_date=2026-03-05T06:06:07.089%2B01:00', ['o2', 'o1']],
  ['from_date=2026-03-05&to_date=2026-03-05', ['o2']],
  ['customer_id=ada&status=AUTHORIZED&currency_code=EUR', ['o1']],
])('filters by %s', async (query, orders) => {
  expect(ordersOf(await list(await withFive(), `?${query}`))).toEqual(orders)
})

async function withDetails(): Promise<Service> {
  const service = await openService()
  const made: readonly [string, Json][] = [
    ['tok_visa', { orderId: 'a,b', customerId: 'x,y', customer: { emailAddress: 'Ada@Example.com' } }],
    ['tok_mastercard', { orderId: 'a', metadata: { ticket: 'T-1' } }],
    ['tok_paypal', { orderId: 'b,c', customer: { emailAddress: 'bea@example.com' } }],
  ]
  for (const [token, more] of made) await createPayment(service, token, more)
  return service
}

test.each([
  ['order_id=a%2Cb', ['a', 'a,b']],
  ['order_id=a,b', ['a', 'a,b']],
  ['order_id=a&order_id=b%2Cc', ['b,c', 'a', 'a,b']],
  ['order_id=b%2Cc', ['b,c']],
  ['customer_id=x%2Cy', ['a,b']],
  ['payment_method_type=PAYPAL', ['b,c']],
  ['payment_method_type=PAYMENT_CARD,PAYPAL', ['b,c', 'a', 'a,b']],
  ['payment_method_type=KLARNA', []],
  ['processor=SANDBOX_ALPHA', ['b,c', 'a', 'a,b']],
  ['processor=SANDBOX_BETA', []],
  ['merchant_id=alpha-1,beta-1', ['b,c', 'a', 'a,b']],
  ['merchant_id=beta-1', []],
  ['customer_email_address=ada@example.COM', ['a,b']],
  ['customer_email_address=ada@example.com,bea@example.com', ['b,c', 'a,b']],
  ['last_4_digits=1111', ['a,b']],
  ['last_4_digits=1111,4444', ['a', 'a,b']],
  ['last_4_digits=1111&payment_method_type=PAYPAL', []],
])('filters by the details of a payment: %s', async (query, orders) => {
  expect(ordersOf(await list(await withDetails(), `?${query}`))).toEqual(orders)
})

async function withPayers(): Promise<Service> {
  const service = await openService()
  for (const [token, orderId, emailAddress] of [
    ['tok_visa', 'card', 'ada@example.com'],
    ['tok_paypal', 'paypal', 'Ada@example.com'],
    ['tok_paypal', 'paypal-2', 'bea@example.com'],
    ['tok_klarna', 'klarna', 'ada@example.com'],
  ] as const)
    await createPayment(service, token, { orderId, customer: { emailAddress } })
  return service
}

test.each([
  ['paypal_email=ada@EXAMPLE.com', ['paypal']],
  ['paypal_email=ada@example.com,bea@example.com', ['paypal-2', 'paypal']],
  ['paypal_email=ada@example.com&paypal_email=bea@example.com&limit=1', ['paypal-2']],
  ['klarna_email=ada@example.com', ['klarna']],
  ['klarna_email=bea@example.com', []],
  ['klarna_email=ada@example.com&status=DECLINED', []],
  ['paypal_email=ada@example.com&klarna_email=ada@example.com', []],
  ['paypal_email=ada@example.com&customer_email_address=bea@example.com', []],
])('filters by the address of the payer: %s', async (query, orders) => {
  const service = await withPayers()
  for (const version of ['2.1', '2.4', '2021-09-27']) {
    const answer = await service.call('GET', `/payments?${query}`, undefined, {
      headers: { 'x-api-version': version },
    })
    expect(ordersOf(answer.body)).toEqual(orders)
    expect(answer.headers).not.toHaveProperty('x-sandbox-ignored')
  }
})

test('summaries include the metadata', async () => {
  const found = rows(await list(await withDetails(), '?order_id=a'))
  expect(found[0]).toMatchObject({ orderId: 'a', metadata: { ticket: 'T-1' } })
  expect(rows(await list(await withDetails(), '?order_id=b%2Cc'))[0]).not.toHaveProperty('metadata')
})

test.each([
  'limit=0',
  'last_4_digits=111',
  'last_4_digits=4111111111111111',
  'limit=101',
  'limit=ten',
  'status=LOST',
  'status=',
  'currency_code=EUX',
  'min_amount=-1',
  'max_amount=1.5',
  'from_date=yesterday',
  'from_date=2026-02-31',
  'to_date=2026-13-01',
  'cursor=nonsense',
  'sort=amount',
  'order_id=a%00b',
])('refuses %s', async (query) => {
  const answer = await (await openService()).call('GET', `/payments?${query}`)
  expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  const path = `$.${query.split('=')[0]}`
  expect(answer.body).toMatchObject({ error: { validationErrors: [{ errors: [{ path }] }] } })
})

test.each(['status', 'order_id', 'customer_id', 'currency_code'])(
  'a filter takes a hundred values: %s',
  async (name) => {
    const service = await openService()
    const value = { status: 'SETTLED', currency_code: 'EUR' }[name] ?? 'x'
    const listed = (count: number) =>
      service.call('GET', `/payments?${name}=${Array.from({ length: count }, () => value).join(',')}`)
    expect(await listed(100)).toMatchObject({ status: 200 })
    const { status, body } = await listed(101)
    expect([status, at(body, 'error', 'validationErrors', 0, 'errors')]).toEqual([
      422,
      [{ path: `$.${name}`, description: 'must have at most 100 values' }],
    ])
  },
)

describe('pages', () => {
  test('continue with nextCursor and go back with prevCursor', async () => {
    const service = await withFive()
    const first = await list(service, '?limit=2')
    expect(ordersOf(first)).toEqual(['o5', 'o4'])
    expect(first).not.toHaveProperty('prevCursor')
    const second = await list(service, `?limit=2&cursor=${textAt(first, 'nextCursor')}`)
    expect(ordersOf(second)).toEqual(['o3', 'o2'])
    const third = await list(service, `?limit=2&cursor=${textAt(second, 'nextCursor')}`)
    expect(ordersOf(third)).toEqual(['o1'])
    expect(third).not.toHaveProperty('nextCursor')
    const back = await list(service, `?limit=2&cursor=${textAt(third, 'prevCursor')}`)
    expect(ordersOf(back)).toEqual(['o3', 'o2'])
    const start = await list(service, `?limit=2&cursor=${textAt(back, 'prevCursor')}`)
    expect(ordersOf(start)).toEqual(['o5', 'o4'])
    expect(start).not.toHaveProperty('prevCursor')
  })

  test('keep their place when a payment is created in between', async () => {
    const service = await withFive()
    const first = await list(service, '?limit=2')
    await createPayment(service, 'tok_visa', { orderId: 'o6' })
    const second = await list(service, `?limit=2&cursor=${textAt(first, 'nextCursor')}`)
    expect(ordersOf(second)).toEqual(['o3', 'o2'])
    await createPayment(service, 'tok_visa', { orderId: 'o7' })
    const back = await list(service, `?limit=2&cursor=${textAt(second, 'prevCursor')}`)
    expect(ordersOf(back)).toEqual(['o5', 'o4'])
    const newest = await list(service, `?limit=2&cursor=${textAt(back, 'prevCursor')}`)
    expect(ordersOf(newest)).toEqual(['o7', 'o6'])
    expect(newest).not.toHaveProperty('prevCursor')
  })

  test('keep to their filter', async () => {
    const service = await withFive()
    const first = await list(service, '?limit=1&customer_id=ada')
    expect(ordersOf(first)).toEqual(['o3'])
    const second = await list(service, `?limit=1&customer_id=ada&cursor=${textAt(first, 'nextCursor')}`)
    expect(ordersOf(second)).toEqual(['o1'])
    expect(second).not.toHaveProperty('nextCursor')
  })

  test.each([1, 100])('can hold %i', async (limit) => {
    const service = await withFive()
    expect(rows(await list(service, `?limit=${limit}`))).toHaveLength(Math.min(limit, 5))
  })

  test('a full last page has no nextCursor', async () => {
    const found = await list(await withFive(), '?limit=5')
    expect(rows(found)).toHaveLength(5)
    expect(found).not.toHaveProperty('nextCursor')
  })

  test('hold a hundred by default', async () => {
    const service = await openService()
    for (let count = 0; count < 101; count += 1) await createPayment(service, 'tok_visa')
    const found = await list(service)
    expect(rows(found)).toHaveLength(100)
    expect(rows(await list(service, `?cursor=${textAt(found, 'nextCursor')}`))).toHaveLength(1)
  })
})

test('shows payments that the clock has settled', async () => {
  const service = await openService()
  await settledPayment(service, 'tok_async')
  expect(rows(await list(service, '?status=SETTLING'))).toHaveLength(1)
  await advance(service, HOUR_MS)
  expect(rows(await list(service, '?status=SETTLED'))).toHaveLength(1)
})
