import { expect, test } from 'vitest'
import { openService, refusal } from '../service.ts'
import type { Json, Service } from '../service.ts'

const ORDER = { connectionId: 'points-1', customerId: 'ada', orderId: 'order-1' }
const move = (service: Service, body: Json) =>
  service.call('POST', '/loyalty-transactions', { ...ORDER, ...body })

test('returns every field of the transaction', async () => {
  const { body } = await move(await openService(), { value: 300 })
  expect(body).toMatchObject({
    date: '2026-03-04T05:06:07.089000',
    ...ORDER,
    connectionName: 'SANDBOX_POINTS',
    type: 'REDEMPTION',
    value: 300,
  })
  expect(body['id']).toMatch(/\S/)
  expect(body['connectionTransactionId']).toMatch(/\S/)
})

test('a customer starts with 10,000 points', async () => {
  const service = await openService()
  expect(await move(service, { value: 10_000 })).toMatchObject({ status: 200 })
  expect(await move(service, { value: 1 })).toMatchObject(refusal(400, 'InsufficientPoints'))
  expect(await move(service, { value: 1, customerId: 'bea' })).toMatchObject({ status: 200 })
})

test('a refused redemption takes no points, and a refund returns them', async () => {
  const service = await openService()
  expect(await move(service, { value: 10_001 })).toMatchObject(refusal(400, 'InsufficientPoints'))
  await move(service, { value: 9_000 })
  expect(await move(service, { value: 500, type: 'REFUND' })).toMatchObject({
    body: { type: 'REFUND', value: 500 },
  })
  expect(await move(service, { value: 1_501 })).toMatchObject(refusal(400, 'InsufficientPoints'))
  expect(await move(service, { value: 1_500 })).toMatchObject({ status: 200 })
})

test('refuses an unknown connection', async () => {
  const answer = await move(await openService(), { value: 1, connectionId: 'points-2' })
  expect(answer).toMatchObject(refusal(400, 'ConnectionNotFound'))
})

test('defaults to a redemption, and an order can have several', async () => {
  const service = await openService()
  const [first, second] = [await move(service, { value: 1 }), await move(service, { value: 1 })]
  expect([first.body['type'], second.body['type']]).toEqual(['REDEMPTION', 'REDEMPTION'])
  expect(first.body['id']).not.toBe(second.body['id'])
})

test.each<[string, Json]>([
  ['no value', {}],
  ['no connectionId', { value: 1, connectionId: undefined }],
  ['no customerId', { value: 1, customerId: undefined }],
  ['no orderId', { value: 1, orderId: undefined }],
  ['an empty connectionId', { value: 1, connectionId: '' }],
  ['an empty customerId', { value: 1, customerId: '' }],
  ['an empty orderId', { value: 1, orderId: '' }],
  ['a value of 0', { value: 0 }],
  ['a fraction', { value: 1.5 }],
  ['an unknown type', { value: 1, type: 'GIFT' }],
  ['a balance above 2^53-1', { value: Number.MAX_SAFE_INTEGER, type: 'REFUND' }],
])('refuses %s', async (_, body) => {
  expect(await move(await openService(), body)).toMatchObject(refusal(422, 'RequestValidationError'))
})
