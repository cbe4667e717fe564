import { describe, expect, test } from 'vitest'
import { createPayment, openService, refusal, textAt } from '../service.ts'
import type { Json } from '../service.ts'
import { control } from './call-control.ts'
import { fillWithPayments } from './payments-to-count.ts'
import { idsOf, pushRecord } from './record-lists.ts'

describe('a filter', () => {
  async function openWithKinds() {
    const service = await openService()
    const create = async (token: string, more: Json = {}) =>
      textAt(await createPayment(service, token, more), 'id')
    const named = {
      visa: await create('tok_visa', {
        orderId: 'Order-A',
        customerId: 'Ada_1',
        customer: { emailAddress: 'Lovelace@example.com' },
        order: { countryCode: 'DE' },
      }),
      paypal: await create('tok_paypal', { orderId: 'order-b', currencyCode: 'USD' }),
      declined: await create('tok_declined', { orderId: 'order-100%' }),
      external: 'ext-1',
      bare: 'ext-2',
    }
    await pushRecord(service, 'ext-1', '2026-01-31T09:30:00Z', {
      status: 'SETTLED',
      order: { id: 'order-x' },
    })
    await pushRecord(service, 'ext-2', '2026-02-28T09:30:00Z', {
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
    ['authorized=yes', ['visa', 'paypal', 'external']],
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
    ['country=US', []],
    ['country=none', ['paypal', 'declined', 'external']],
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
    ['search=ext-1', ['external']],
    // An ID has no parts.
    ['search=ext-', []],
    ['search=ord', ['visa', 'paypal', 'declined', 'external', 'bare']],
    ['search=order-b', ['paypal']],
    ['search=visa', ['visa', 'declined']],
    ['search=settled%20order-x', ['external']],
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
    ['search=LOVE', ['visa']],
    ['search=1111', ['visa']],
    ['search=111', []],
    ['search=10.00', ['visa', 'paypal', 'declined']],
    ['search=10,00', ['visa', 'paypal', 'declined']],
    ['search=%2410.00', ['visa', 'paypal', 'declined']],
    ['search=10.00%20usd', ['paypal']],
    ['search=USD%2010', ['paypal']],
    ['search=10.00%20XXX', []],
    ['search=1,000.00', []],
    ['search=10.0000', []],
    ['search=700', ['bare']],
    ['search=7.00', ['external']],
    ['status=', ['visa', 'paypal', 'declined', 'external', 'bare']],
    ['status=AUTHORIZED&currency=USD&search=order', ['paypal']],
  ] as const)('%s', async (query, names) => {
    const { service, named } = await openWithKinds()
    const ids = await idsOf(service, `?${query}`)
    expect(new Set(ids)).toEqual(new Set(names.map((name) => named[name])))
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
    expect(answer.body).toMatchObject({ error: { validationErrors: [{ errors: [{ path: `$.${name}` }] }] } })
  })
})

test('authorized=yes matches what figures count as ever authorized', async () => {
  const service = await openService()
  const made = await fillWithPayments(service)
  const { body } = await control(service, 'GET', '/sandbox/records?authorized=yes')
  expect(body['total']).toBe(made.filter(({ authorized }) => authorized).length)
  expect(await control(service, 'GET', '/sandbox/records?authorized=no')).toMatchObject(
    refusal(422, 'RequestValidationError'),
  )
})
