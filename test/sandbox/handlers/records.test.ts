import { describe, expect, test } from 'vitest'
import { at, createPayment, openService, refusal, textAt } from '../service.ts'
import type { Json, Service } from '../service.ts'

const EXTERNAL = {
  paymentId: 'ext-1',
  currencyCode: 'EUR',
  processor: { name: 'ACME' },
  amount: 700,
  createdAt: '2026-01-31T09:30:00Z',
  order: { id: 'order-9' },
  paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
  status: 'SETTLED',
}
const push = (service: Service, more: Json = {}) =>
  service.ok('POST', '/observability/payments', { ...EXTERNAL, ...more })
const read = (service: Service, id: string) => service.ok('GET', `/observability/payments/${id}`)
const update = (service: Service, id: string, body: Json) =>
  service.call('PATCH', `/observability/payments/${id}`, body)

async function idsOf(service: Service, query = ''): Promise<readonly unknown[]> {
  const { data } = await service.ok('GET', `/observability/payments${query}`)
  return Array.isArray(data) ? data.map((entry) => at(entry, 'paymentId')) : []
}

describe('a payment', () => {
  test('is recorded as it is, with its source and amounts', async () => {
    const service = await openService()
    const payment = await createPayment(service, 'tok_visa', { order: { countryCode: 'DE' } })
    const id = textAt(payment, 'id')
    await service.ok('POST', `/payments/${id}/capture`, { amount: 600, final: false })
    await service.ok('POST', `/payments/${id}/refund`, { amount: 100 })
    expect(await read(service, id)).toMatchObject({
      paymentId: id,
      source: 'payments',
      currencyCode: 'EUR',
      amount: 1000,
      amountAuthorized: 1000,
      amountCaptured: 600,
      amountRefunded: 100,
      createdAt: `${textAt(payment, 'date')}Z`,
      status: 'PARTIALLY_SETTLED',
      processor: { name: 'SANDBOX_ALPHA', merchantId: 'alpha-1' },
      order: { id: 'order-1', countryCode: 'DE' },
      paymentMethod: { paymentMethodType: 'PAYMENT_CARD', data: { binData: { network: 'VISA' } } },
    })
  })

  test('has its reason in the record after a decline, and nothing authorized', async () => {
    const service = await openService()
    const { id } = await createPayment(service, 'tok_declined')
    expect(await read(service, String(id))).toMatchObject({
      status: 'DECLINED',
      statusReason: { code: 'INSUFFICIENT_FUNDS' },
      amountAuthorized: 0,
    })
  })

  test.each([
    ['tok_visa', 1000],
    ['tok_3ds', 0],
  ])(
    'shows in the record whether it had been authorized when it was cancelled: %s',
    async (token, amountAuthorized) => {
      const service = await openService()
      const { id } = await createPayment(service, token)
      await service.ok('POST', `/payments/${String(id)}/cancel`)
      expect(await read(service, String(id))).toMatchObject({ status: 'CANCELLED', amountAuthorized })
    },
  )

  test("can't be recorded again", async () => {
    const service = await openService()
    const { id } = await createPayment(service, 'tok_visa')
    const answer = await service.call('POST', '/observability/payments', { ...EXTERNAL, paymentId: id })
    expect(answer).toMatchObject(refusal(409, 'EntityAlreadyExists'))
  })
})

describe("an update of a payment's record", () => {
  test('adds what the payment lacks, and otherwise follows the payment', async () => {
    const service = await openService()
    const id = textAt(await createPayment(service, 'tok_visa', { metadata: { shop: 'north' } }), 'id')
    const added = {
      descriptor: 'SHOE SHOP',
      metadata: { till: 4 },
      paymentMethod: { threeDSecureAuthentication: { eci: '05' } },
    }
    expect((await update(service, id, added)).body).toMatchObject({
      descriptor: 'SHOE SHOP',
      metadata: { shop: 'north', till: 4 },
      paymentMethod: { threeDSecureAuthentication: { eci: '05' } },
    })
    await update(service, id, { metadata: { till: 5 } })
    await service.ok('POST', `/payments/${id}/capture`)
    expect(await read(service, id)).toMatchObject({
      status: 'SETTLED',
      amountCaptured: 1000,
      descriptor: 'SHOE SHOP',
      metadata: { shop: 'north', till: 5 },
    })
    expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ metadata: { shop: 'north' } })
  })

  test.each<[string, Json]>([
    ['$.amount', { amount: 1 }],
    ['$.currencyCode', { currencyCode: 'EUR' }],
    ['$.status', { status: 'SETTLED' }],
    ['$.statusReason', { statusReason: { code: 'ERROR' } }],
    ['$.processor', { processor: { name: 'ACME' } }],
    ['$.order', { order: { id: 'other' } }],
    ['$.paymentMethod.paymentMethodType', { paymentMethod: { paymentMethodType: 'PAYPAL' } }],
    [
      '$.paymentMethod.data.binData.network',
      { paymentMethod: { data: { binData: { network: 'MASTERCARD' } } } },
    ],
    ['$.createdAt', { createdAt: '2026-01-01T00:00:00Z' }],
  ])("can't change %s, which the payment decides", async (path, body) => {
    const service = await openService()
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    const before = await read(service, id)
    const answer = await update(service, id, { descriptor: 'SHOE SHOP', ...body })
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(answer.body).toMatchObject({ error: { validationErrors: [{ errors: [{ path }] }] } })
    expect(await read(service, id)).toEqual(before)
  })
})

describe('reading', () => {
  test('returns an external record with its source and what the service adds', async () => {
    const service = await openService()
    await push(service)
    expect(await read(service, 'ext-1')).toEqual({
      ...EXTERNAL,
      source: 'external',
      processor: { name: 'ACME', merchantId: 'external-1' },
    })
  })

  test('refuses an unknown record', async () => {
    const answer = await (await openService()).call('GET', '/observability/payments/none')
    expect(answer).toMatchObject(refusal(404, 'EntityNotFound'))
  })
})

describe('the list', () => {
  test('sorts payments and external records together, newest first', async () => {
    const service = await openService()
    await push(service, { paymentId: 'later', createdAt: '2027-01-01T00:00:00Z' })
    await push(service, { paymentId: 'half', createdAt: '2026-01-31T09:30:00.5Z' })
    await push(service, { paymentId: 'whole', createdAt: '2026-01-31T09:30:00Z' })
    const { id } = await createPayment(service, 'tok_visa')
    expect(await idsOf(service)).toEqual(['later', id, 'half', 'whole'])
  })

  test('returns every record once over its pages, in both directions', async () => {
    const service = await openService()
    // One moment for all of them, as a bulk import may have.
    const ids = ['a', 'b', 'c', 'd', 'e']
    const date = textAt(await createPayment(service, 'tok_visa'), 'date')
    for (const paymentId of ids) await push(service, { paymentId, createdAt: `${date}Z` })
    await createPayment(service, 'tok_visa', { orderId: 'order-2' })
    const all = await idsOf(service)
    expect(new Set(all).size).toBe(7)
    const forward: unknown[] = []
    const backward: unknown[] = []
    let page = await service.ok('GET', '/observability/payments?limit=2')
    for (;;) {
      forward.push(...(Array.isArray(page['data']) ? page['data'] : []).map((one) => at(one, 'paymentId')))
      if (page['nextCursor'] === undefined) break
      page = await service.ok('GET', `/observability/payments?limit=2&cursor=${textAt(page, 'nextCursor')}`)
    }
    for (;;) {
      backward.unshift(
        ...(Array.isArray(page['data']) ? page['data'] : []).map((one) => at(one, 'paymentId')),
      )
      if (page['prevCursor'] === undefined) break
      page = await service.ok('GET', `/observability/payments?limit=2&cursor=${textAt(page, 'prevCursor')}`)
    }
    expect(forward).toEqual(all)
    expect(backward).toEqual(all)
  })

  test.each([
    ['status=SETTLED', ['ext-1']],
    ['status=AUTHORIZED', ['payment']],
    ['order_id=order-9', ['ext-1']],
    ['currency_code=USD', ['ext-2']],
    ['processor=ACME', ['ext-1', 'ext-2']],
    ['payment_method_type=PAYPAL', ['ext-2']],
    ['payment_method_type=PAYMENT_CARD', ['payment', 'ext-1']],
    ['last_4_digits=1111', ['payment']],
    ['min_amount=900', ['payment', 'ext-2']],
    ['max_amount=900', ['ext-1', 'ext-2']],
    ['from_date=2026-02-01', ['payment']],
    ['to_date=2026-01-31', ['ext-1', 'ext-2']],
    ['customer_id=c-1', ['payment']],
  ])('filters both by %s', async (query, expected) => {
    const service = await openService()
    const { id } = await createPayment(service, 'tok_visa', { customerId: 'c-1' })
    await push(service)
    const other = { currencyCode: 'USD', amount: 900, status: 'DECLINED', createdAt: '2026-01-30T00:00:00Z' }
    await push(service, {
      ...other,
      paymentId: 'ext-2',
      order: { id: 'order-8' },
      paymentMethod: { paymentMethodType: 'PAYPAL' },
    })
    expect(await idsOf(service, `?${query}`)).toEqual(expected.map((one) => (one === 'payment' ? id : one)))
  })

  test('refuses the cursor of another list', async () => {
    const service = await openService()
    await createPayment(service, 'tok_visa')
    const { nextCursor } = await service.ok('GET', '/payments?limit=1').then(async (page) => {
      await createPayment(service, 'tok_visa', { orderId: 'order-2' })
      return page['nextCursor'] === undefined ? service.ok('GET', '/payments?limit=1') : page
    })
    const answer = await service.call('GET', `/observability/payments?cursor=${String(nextCursor)}`)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })
})

test.each(['/payments', '/observability/payments'])(
  'a page of %s has fewer entries if they are large',
  async (path) => {
    const service = await openService()
    const metadata = { note: 'x'.repeat(400_000) }
    for (const orderId of ['o1', 'o2', 'o3', 'o4'])
      await createPayment(service, 'tok_visa', { orderId, metadata })
    const readPage = async (query: string) => {
      const page = await service.ok('GET', `${path}${query}`)
      const { data } = page
      const orders = Array.isArray(data)
        ? data.map((entry) => at(entry, 'orderId') ?? at(entry, 'order', 'id'))
        : []
      return { orders, next: page['nextCursor'], previous: page['prevCursor'] }
    }
    const first = await readPage('')
    expect(first.orders).toEqual(['o4', 'o3'])
    const second = await readPage(`?cursor=${String(first.next)}`)
    expect(second).toMatchObject({ orders: ['o2', 'o1'], next: undefined })
    expect((await readPage(`?cursor=${String(second.previous)}`)).orders).toEqual(['o4', 'o3'])
  },
)
