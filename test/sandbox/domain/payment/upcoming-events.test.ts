import { expect, test } from 'vitest'
import { control } from '../../controls/call-control.ts'
import {
  createPayment,
  HOUR_MS,
  openService,
  refusal,
  settledPayment,
  textAt,
  advance,
  answered,
} from '../../service.ts'
import type { Service } from '../../service.ts'

const upcoming = async (service: Service) =>
  (await control(service, 'GET', '/sandbox/clock/upcoming')).body['data']

test('nothing is upcoming at first', async () => {
  const service = await openService()
  await createPayment(service, 'tok_visa')
  await createPayment(service, 'tok_3ds')
  expect(await upcoming(service)).toEqual([])
})

test('the clock tells what it will do, soonest first, and does it', async () => {
  const service = await openService()
  const waiting = textAt(await createPayment(service, 'tok_voucher'), 'id')
  await advance(service, 60_000)
  const settling = await settledPayment(service, 'tok_async')
  const refunded = await settledPayment(service, 'tok_refund_fails')
  await service.ok('POST', `/payments/${refunded}/refund`, { amount: 300 })
  const common = { orderId: 'order-1', currencyCode: 'EUR' }
  const later = { ...common, dueAt: '2026-03-04T06:07:07.089Z' }
  expect(await upcoming(service)).toEqual([
    {
      ...common,
      paymentId: waiting,
      what: 'payment',
      from: 'PENDING',
      to: 'AUTHORIZED',
      amount: 1000,
      dueAt: '2026-03-04T06:06:07.089Z',
    },
    { ...later, paymentId: settling, what: 'payment', from: 'SETTLING', to: 'SETTLED', amount: 1000 },
    { ...later, paymentId: refunded, what: 'refund', from: 'PENDING', to: 'FAILED', amount: 300 },
  ])
  await advance(service, HOUR_MS)
  expect(await upcoming(service)).toEqual([])
  expect(await service.ok('GET', `/payments/${waiting}`)).toMatchObject({ status: 'AUTHORIZED' })
})

test('an answer given for the third party is listed', async () => {
  const service = await openService()
  const paymentId = textAt(await createPayment(service, 'tok_ideal'), 'id')
  await answered(service, { paymentId, outcome: 'fail' })
  expect(await upcoming(service)).toMatchObject([{ from: 'PENDING', to: 'DECLINED' }])
})

test('a refund of a payment that is settling is listed too', async () => {
  const service = await openService()
  const id = await settledPayment(service, 'tok_async')
  await service.ok('POST', `/payments/${id}/refund`, { amount: 300 })
  expect(await upcoming(service)).toMatchObject([{ what: 'payment' }, { what: 'refund', to: 'SETTLED' }])
})

test('the list takes no query', async () => {
  const answer = await control(await openService(), 'GET', '/sandbox/clock/upcoming?limit=1')
  expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
})
