import { expect, test } from 'vitest'
import { createPayment, HOUR_MS, openService, textAt, advance, tokenized } from '../service.ts'
import type { Json, Service } from '../service.ts'
import { control } from './call-control.ts'

const list = async (service: Service, query = '') =>
  (await control(service, 'GET', `/sandbox/sessions${query}`)).body

const rowsOf = ({ data }: Json): readonly Json[] => (Array.isArray(data) ? data : [])

const create = (service: Service, orderId: string, more: Json = {}) =>
  service.ok('POST', '/client-session', { orderId, currencyCode: 'EUR', amount: 500, ...more })

test('lists sessions with their state, amount and expiry, newest first', async () => {
  const service = await openService()
  await create(service, 'older', { customerId: 'c-1' })
  await advance(service, HOUR_MS)
  const { clientToken } = await service.ok('POST', '/client-session', {
    currencyCode: 'EUR',
    order: { lineItems: [{ amount: 200, quantity: 2 }] },
  })
  const shown = await list(service)
  expect(shown).toEqual({
    total: 2,
    data: [
      {
        id: expect.stringMatching(/^.{12}$/),
        state: 'open',
        currencyCode: 'EUR',
        amount: 400,
        createdAt: '2026-03-04T06:06:07.089000',
        expiresAt: '2026-03-05T06:06:07.089000',
      },
      {
        id: expect.anything(),
        state: 'open',
        orderId: 'older',
        customerId: 'c-1',
        currencyCode: 'EUR',
        amount: 500,
        createdAt: '2026-03-04T05:06:07.089000',
        expiresAt: '2026-03-05T05:06:07.089000',
      },
    ],
  })
  expect(JSON.stringify(shown)).not.toContain(String(clientToken))
})

test('shows the payment that a session made, and when it has expired', async () => {
  const service = await openService()
  const pay = async (card: string, orderId: string) => {
    const session = await create(service, orderId)
    const paymentMethodToken = await tokenized(service, { card, clientToken: textAt(session, 'clientToken') })
    return service.ok('POST', '/payments', { paymentMethodToken })
  }
  const paid = await pay('4111111111111111', 'paid')
  const declined = await pay('4000000000000002', 'declined')
  await createPayment(service, 'tok_visa')
  const stateOf = async (orderId: string) => rowsOf(await list(service, `?search=${orderId}`))[0]
  expect(await stateOf('paid')).toMatchObject({
    state: 'paid',
    payment: { id: paid['id'], status: 'AUTHORIZED' },
  })
  expect(await stateOf('declined')).toMatchObject({
    state: 'open',
    payment: { id: declined['id'], status: 'DECLINED' },
  })
  await advance(service, 25 * HOUR_MS)
  expect(await stateOf('paid')).toMatchObject({ state: 'paid' })
  expect(await stateOf('declined')).toMatchObject({ state: 'expired' })
})

test('shows a part of the list, and searches orders and customers', async () => {
  const service = await openService()
  // More than are read at once.
  await Promise.all(
    Array.from({ length: 1050 }, (_, number) =>
      create(service, `o-${number}`, { customerId: `Customer-${number % 3}` }),
    ),
  )
  expect(rowsOf(await list(service, '?limit=200&offset=1000'))).toHaveLength(50)
  expect(await list(service, '?limit=1')).toMatchObject({ total: 1050 })
  expect(await list(service, '?search=CUSTOMER-1')).toMatchObject({ total: 350 })
  expect(await list(service, '?search=o-1049')).toMatchObject({ total: 1 })
  expect(await list(service, '?search=nothing')).toEqual({ total: 0, data: [] })
})

test.each(['limit=0', 'limit=201', 'offset=-1', 'offset=x', 'what=1'])('refuses %s', async (query) => {
  const service = await openService()
  for (const path of ['/sandbox/sessions', '/sandbox/instruments'])
    expect(await control(service, 'GET', `${path}?${query}`)).toMatchObject({ status: 422 })
})
