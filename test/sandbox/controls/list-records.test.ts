import { describe, expect, test } from 'vitest'
import { at, createPayment, openService, refusal, textAt } from '../service.ts'
import type { Json, Service } from '../service.ts'
import { control } from './call-control.ts'

const list = async (service: Service, query = '') =>
  (await control(service, 'GET', `/sandbox/records${query}`)).body

async function idsOf(service: Service, query = ''): Promise<readonly unknown[]> {
  const { data } = await list(service, query)
  return Array.isArray(data) ? data.map((line) => at(line, 'id')) : []
}

const push = (service: Service, paymentId: string, createdAt: string, more: Json = {}) =>
  service.ok('POST', '/observability/payments', {
    paymentId,
    createdAt,
    currencyCode: 'EUR',
    amount: 700,
    processor: { name: 'ACME' },
    order: { id: 'order-9' },
    paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
    ...more,
  })

describe('the list of records', () => {
  test('has payments and external records in one order, newest first', async () => {
    const service = await openService()
    const payment = await createPayment(service, 'tok_visa', { customerId: 'customer-1' })
    const id = textAt(payment, 'id')
    await service.ok('POST', `/payments/${id}/capture`)
    await service.ok('POST', `/payments/${id}/refund`, { amount: 300 })
    await push(service, 'older', '2001-01-31T09:30:00Z', { status: 'SETTLED' })
    await push(service, 'newer', '2099-01-31T09:30:00.5Z')
    expect(await list(service)).toEqual({
      total: 3,
      newer: 0,
      first: '2099-01-31T09:30:00.500000 external 2',
      data: [
        expect.objectContaining({ id: 'newer', source: 'external', date: '2099-01-31T09:30:00.500000' }),
        {
          id,
          source: 'payments',
          orderId: 'order-1',
          customerId: 'customer-1',
          status: 'SETTLED',
          amount: 1000,
          amountCaptured: 1000,
          amountRefunded: 300,
          currencyCode: 'EUR',
          method: 'PAYMENT_CARD',
          network: 'VISA',
          last4Digits: expect.stringMatching(/^\d{4}$/),
          processor: 'SANDBOX_ALPHA',
          date: textAt(payment, 'date'),
        },
        {
          id: 'older',
          source: 'external',
          orderId: 'order-9',
          status: 'SETTLED',
          amount: 700,
          amountCaptured: null,
          amountRefunded: null,
          currencyCode: 'EUR',
          method: 'PAYMENT_CARD',
          processor: 'ACME',
          date: '2001-01-31T09:30:00.000000',
        },
      ],
    })
  })

  test('is empty in an empty sandbox', async () => {
    expect(await list(await openService())).toEqual({ total: 0, newer: 0, data: [] })
  })
})

describe('a window of the list', () => {
  const TIMES = [1, 2, 3, 4, 5, 6]
  async function openWithRecords(): Promise<Service> {
    const service = await openService()
    for (const second of TIMES)
      await push(service, `r${second}`, `2026-01-01T00:00:0${second}Z`, { status: 'SETTLED' })
    return service
  }

  test.each([
    ['', ['r6', 'r5', 'r4', 'r3', 'r2', 'r1']],
    ['?limit=2', ['r6', 'r5']],
    ['?offset=4', ['r2', 'r1']],
    ['?offset=2&limit=2', ['r4', 'r3']],
    ['?offset=6', []],
    ['?limit=0', []],
    // Filters that have no index find the same places.
    ['?offset=2&limit=2&status=SETTLED', ['r4', 'r3']],
    ['?offset=6&status=SETTLED', []],
  ])('%s', async (query, ids) => {
    const service = await openWithRecords()
    expect(await idsOf(service, query)).toEqual(ids)
    expect(await list(service, query)).toMatchObject({ total: 6 })
  })

  test.each(['', '&status=SETTLED'])('stays where it is while records arrive %s', async (filter) => {
    const service = await openWithRecords()
    const { first } = await list(service, `?${filter}`)
    await push(service, 'r7', '2026-01-01T00:00:07Z', { status: 'SETTLED' })
    await createPayment(service, 'tok_autocapture')
    const query = `?start=${encodeURIComponent(String(first))}${filter}`
    expect(await list(service, query)).toMatchObject({ total: 6, newer: 2 })
    expect(await idsOf(service, `${query}&limit=3`)).toEqual(['r6', 'r5', 'r4'])
    expect(await idsOf(service, `${query}&offset=4`)).toEqual(['r2', 'r1'])
    expect(await list(service, `?${filter}`)).toMatchObject({ total: 8, newer: 0 })
  })

  test('puts a payment above an external record of the same time', async () => {
    const service = await openService()
    const payment = await createPayment(service, 'tok_visa')
    const time = textAt(payment, 'date')
    await push(service, 'same', `${time.slice(0, 23)}Z`)
    expect(await idsOf(service)).toEqual([payment['id'], 'same'])
    const start = encodeURIComponent(`${time} external 1`)
    expect(await list(service, `?start=${start}`)).toMatchObject({ total: 1, newer: 1 })
    const startsAtPayment = encodeURIComponent(`${time} payments 1`)
    expect(await list(service, `?start=${startsAtPayment}`)).toMatchObject({ total: 2, newer: 0 })
  })

  test('shows at once what changed, by this process or another one', async () => {
    const service = await openService()
    const { id } = await createPayment(service, 'tok_visa')
    expect(await idsOf(service, '?status=AUTHORIZED')).toEqual([id])
    await service.ok('POST', `/payments/${String(id)}/cancel`)
    expect(await idsOf(service, '?status=AUTHORIZED')).toEqual([])
    expect(await idsOf(service, '?status=CANCELLED')).toEqual([id])
    const other = await openService(service.folder, 2)
    const { id: second } = await createPayment(other, 'tok_visa')
    expect(await idsOf(service, '?status=AUTHORIZED')).toEqual([second])
  })
})

describe('a filter', () => {
  async function openWithKinds() {
    const service = await openService()
    const create = async (token: string, more: Json = {}) =>
      textAt(await createPayment(service, token, more), 'id')
    const named = {
      visa: await create('tok_visa', {
        orderId: 'Order-A',
        customerId: 'Ada_1',
        order: { countryCode: 'DE' },
      }),
      paypal: await create('tok_paypal', { orderId: 'order-b', currencyCode: 'USD' }),
      declined: await create('tok_declined', { orderId: 'order-100%' }),
      external: 'ext-1',
      bare: 'ext-2',
    }
    await push(service, 'ext-1', '2026-01-31T09:30:00Z', { status: 'SETTLED', order: { id: 'order-x' } })
    await push(service, 'ext-2', '2026-02-28T09:30:00Z', {
      currencyCode: 'JPY',
      statusReason: { code: 'EXPIRED_CARD' },
      paymentMethod: { paymentMethodType: 'GIFT_CARD' },
      order: { id: 'order-y', countryCode: 'JP' },
    })
    return { service, named }
  }

  test.each([
    ['status=AUTHORIZED', ['visa', 'paypal']],
    ['status=DECLINED,SETTLED', ['declined', 'external']],
    ['status=none', ['bare']],
    ['source=external', ['external', 'bare']],
    ['source=payments', ['visa', 'paypal', 'declined']],
    ['source=payments,external', ['visa', 'paypal', 'declined', 'external', 'bare']],
    ['currency=USD,JPY', ['paypal', 'bare']],
    ['method=PAYPAL', ['paypal']],
    ['method=GIFT_CARD,PAYPAL', ['paypal', 'bare']],
    ['method=PAYMENT_CARD', ['visa', 'declined', 'external']],
    ['processor=ACME', ['external', 'bare']],
    ['country=DE', ['visa']],
    ['country=JP', ['bare']],
    // As responses show external records without a country.
    ['country=US', ['external']],
    ['country=none', ['paypal', 'declined']],
    ['reason=INSUFFICIENT_FUNDS', ['declined']],
    ['reason=EXPIRED_CARD', ['bare']],
    ['reason=none', ['visa', 'paypal', 'external']],
    ['customer=Ada_1', ['visa']],
    ['order=order-x', ['external']],
    ['from=2026-02-01&to=2026-02-28', ['bare']],
    ['to=2026-01-31T09:30:00Z', ['external']],
    ['to=2026-01-31T09:29:59Z', []],
    ['from=1d', ['visa', 'paypal', 'declined']],
    ['from=2h30m&status=AUTHORIZED', ['visa', 'paypal']],
    ['search=ext-', ['external', 'bare']],
    ['search=ORDER-a', ['visa']],
    ['search=ada_', ['visa']],
    ['search=%20ada_1%20', ['visa']],
    ['search=%20', ['visa', 'paypal', 'declined', 'external', 'bare']],
    // Not as patterns.
    ['search=a%25', []],
    ['search=100%25', ['declined']],
    ['search=%5C', []],
    ['search=_1', ['visa']],
    ['search=nothing', []],
    ['status=', ['visa', 'paypal', 'declined', 'external', 'bare']],
    ['status=AUTHORIZED&currency=USD&search=order', ['paypal']],
  ] as const)('%s', async (query, names) => {
    const { service, named } = await openWithKinds()
    const ids = await idsOf(service, `?${query}`)
    expect(ids.toSorted()).toEqual(names.map((name) => named[name]).toSorted())
  })

  test('is checked, and every problem is reported', async () => {
    const query =
      '?status=GONE&currency=EURO&source=elsewhere&from=yesterday&to=2026-02-31&limit=501&offset=-1&start=x'
    const answer = await control(await openService(), 'GET', `/sandbox/records${query}`)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    const problems = ['source', 'status', 'currency', 'from', 'to', 'offset', 'limit', 'start']
    expect(answer.body).toMatchObject({
      error: { validationErrors: [{ errors: problems.map((name) => ({ path: `$.${name}` })) }] },
    })
  })

  test.each([
    ['search', 'x'.repeat(201)],
    ['method', Array.from({ length: 101 }, () => 'X').join(',')],
    ['from', '99999999999d'],
  ])('%s that is too long is refused', async (name, value) => {
    const answer = await control(await openService(), 'GET', `/sandbox/records?${name}=${value}`)
    expect(answer.body).toMatchObject({
      error: { validationErrors: [{ errors: [{ path: `$.${name}` }] }] },
    })
  })
})

describe('one record', () => {
  test('is a payment as the service shows it, and leaves no trace in the log', async () => {
    const service = await openService()
    const { id } = await createPayment(service, 'tok_3ds')
    const payment = await service.ok('GET', `/payments/${String(id)}`)
    const before = await service.sandbox.requests.list(10)
    const answer = await control(service, 'GET', `/sandbox/record?id=${String(id)}`)
    expect(answer).toMatchObject({ status: 200, body: { source: 'payments' } })
    const shown = at(answer.body, 'payment')
    // Each client token has its own signature time.
    expect(shown).toMatchObject({ ...payment, requiredAction: expect.anything() })
    expect(await service.sandbox.requests.list(10)).toEqual(before)
  })

  test('is an external record, with what the service adds', async () => {
    const service = await openService()
    await push(service, 'ext/1 ?', '2026-01-31T09:30:00Z')
    const { body } = await control(service, 'GET', `/sandbox/record?id=${encodeURIComponent('ext/1 ?')}`)
    expect(body).toMatchObject({
      source: 'external',
      record: { paymentId: 'ext/1 ?', amount: 700, processor: { merchantId: 'external-1' } },
    })
  })

  test('that is unknown, or has no ID, is refused', async () => {
    const service = await openService()
    const ask = (query: string) => control(service, 'GET', `/sandbox/record${query}`)
    expect(await ask('?id=nothing')).toMatchObject(refusal(404, 'EntityNotFound'))
    expect(await ask('')).toMatchObject(refusal(422, 'RequestValidationError'))
  })
})
