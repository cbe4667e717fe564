import { expect, test } from 'vitest'
import { createPayment, openService, textAt } from '../service.ts'
import type { Service } from '../service.ts'
import { control } from './call-control.ts'

const save = async (service: Service, customerId: string, token = 'tok_visa'): Promise<string> =>
  textAt(
    await createPayment(service, token, { customerId, paymentMethod: { vaultOnSuccess: true } }),
    'paymentMethod',
    'paymentMethodToken',
  )

const list = async (service: Service, query = '') =>
  (await control(service, 'GET', `/sandbox/instruments${query}`)).body

test('lists the saved methods of all customers, by customer, newest first', async () => {
  const service = await openService()
  const [first, second] = [await save(service, 'b'), await save(service, 'a')]
  const third = await save(service, 'b', 'tok_mastercard')
  const deleted = await save(service, 'b')
  await service.ok('DELETE', `/payment-instruments/${deleted}`)
  await service.ok('POST', `/payment-instruments/${first}/default`)
  const { total, data } = await list(service)
  expect([total, Array.isArray(data) ? data.map(({ token }) => token) : []]).toEqual([
    3,
    [second, third, first],
  ])
  expect(data).toMatchObject([
    { customerId: 'a' },
    { customerId: 'b', description: 'MASTERCARD ending in 4444', default: false },
    { customerId: 'b', description: 'VISA ending in 1111', default: true, isVerified: true },
  ])
  const ofB = await service.ok('GET', '/payment-instruments?customer_id=b')
  expect(Array.isArray(data) ? data.slice(1) : []).toEqual(ofB['data'])
})

test('shows a part of the list, and searches customers', async () => {
  const service = await openService()
  for (let number = 0; number < 7; number += 1) await save(service, `Customer-${number % 2}`)
  expect(await list(service, '?limit=2&offset=6')).toMatchObject({
    total: 7,
    data: [{ customerId: 'Customer-1' }],
  })
  expect(await list(service, '?search=customer-0')).toMatchObject({ total: 4 })
  expect(await list(service, '?search=x')).toEqual({ total: 0, data: [] })
})

test('needs the key with every scope', async () => {
  const service = await openService()
  for (const path of ['instruments', 'sessions', 'insights'])
    expect(
      await control(service, 'GET', `/sandbox/${path}`, undefined, { key: 'sandbox_readonly' }),
    ).toMatchObject({ status: 403 })
})
