import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/api/operation.ts'
import { OPERATIONS } from '../../../src/api/table.ts'
import {
  at,
  createPayment,
  newFolder,
  NOW,
  openService,
  refusal,
  settledPayment,
  textAt,
  loggedIn,
} from '../service.ts'
import type { Json, Service } from '../service.ts'

const keyed = (key: string) => ({ headers: { 'x-idempotency-key': key } })
const CREATE = { paymentMethodToken: 'tok_visa', orderId: 'order-1', currencyCode: 'EUR', amount: 1000 }
const create = (service: Service, body: Json, key = 'k') =>
  service.call('POST', '/payments', body, keyed(key))

test('refuses a used key and reports the payment and its current status', async () => {
  const service = await openService()
  const paymentId = textAt((await create(service, CREATE)).body, 'id')
  await service.ok('POST', `/payments/${paymentId}/capture`)
  const again = await create(service, CREATE)
  expect(again).toMatchObject({
    status: 409,
    body: { error: { errorId: 'IdempotencyKeyAlreadyExists', paymentId, paymentStatus: 'SETTLED' } },
  })
  expect(await service.ok('GET', '/payments')).toMatchObject({ data: [{ id: paymentId }] })
})

test.each(['tok_declined', 'tok_failed'])('a payment of %s uses its key', async (paymentMethodToken) => {
  const service = await openService()
  await create(service, { ...CREATE, paymentMethodToken })
  expect(await create(service, CREATE)).toMatchObject(refusal(409, 'IdempotencyKeyAlreadyExists'))
})

test('a refused call does not use its key', async () => {
  const service = await openService()
  expect(await create(service, { ...CREATE, paymentMethodToken: 'nothing' })).toMatchObject({ status: 400 })
  expect(await create(service, { ...CREATE, amount: undefined })).toMatchObject({ status: 422 })
  expect(await create(service, CREATE)).toMatchObject({ status: 200 })
})

test.each(['authorize', 'capture', 'refund', 'cancel'])('%s runs once per key', async (verb) => {
  const service = await openService()
  const id =
    verb === 'refund' || verb === 'capture'
      ? await (verb === 'refund'
          ? settledPayment(service)
          : createPayment(service, 'tok_visa').then((p) => textAt(p, 'id')))
      : textAt(await createPayment(service, verb === 'cancel' ? 'tok_visa' : 'tok_failed'), 'id')
  const body = {
    authorize: { processor: { processorMerchantId: 'alpha-1' } },
    refund: { amount: 400 },
    capture: { amount: 400, final: false },
    cancel: {},
  }[verb]
  const send = (key: string) => service.call('POST', `/payments/${id}/${verb}`, body, keyed(key))
  expect(await send('a')).toMatchObject({ status: 200 })
  const after = await service.ok('GET', `/payments/${id}`)
  expect(await send('a')).toMatchObject({
    status: 409,
    body: { error: { paymentId: id, paymentStatus: after['status'] } },
  })
  expect(await service.ok('GET', `/payments/${id}`)).toEqual(after)
})

test('a key works for one call, regardless of the operation', async () => {
  const service = await openService()
  const id = textAt((await create(service, CREATE)).body, 'id')
  const answer = await service.call('POST', `/payments/${id}/capture`, {}, keyed('k'))
  expect(answer).toMatchObject({
    ...refusal(409, 'IdempotencyKeyAlreadyExists'),
    body: { error: { paymentId: id } },
  })
})

test('calls without a key, or with other keys, are separate', async () => {
  const service = await openService()
  const id = await settledPayment(service)
  const refund = (options?: ReturnType<typeof keyed>) =>
    service.call('POST', `/payments/${id}/refund`, { amount: 100 }, options)
  for (const options of [undefined, undefined, keyed('a'), keyed('b')])
    expect(await refund(options)).toMatchObject({ status: 200 })
  expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ processor: { amountRefunded: 400 } })
})

test('processes one of two concurrent calls with one key', async () => {
  const service = await openService()
  const answers = await Promise.all([create(service, CREATE), create(service, CREATE)])
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  const { data } = await service.ok('GET', '/payments')
  expect(data).toHaveLength(1)
})

test('operations without keys ignore the header', async () => {
  const service = await openService()
  for (let count = 0; count < 2; count += 1)
    expect(await service.call('POST', '/client-session', {}, keyed('k'))).toMatchObject({ status: 200 })
})

const UNKEYED: readonly Operation[] = OPERATIONS.filter(({ idempotencyKey }) => !idempotencyKey)

test.each(UNKEYED.map(({ id, method, path }) => ({ id, method, path })))(
  '$id ignores a used key',
  async ({ method, path }) => {
    const service = await openService()
    await create(service, CREATE)
    const url = path.replace(/\{\w+\}/, 'x')
    const [bare, withKey] = [
      await service.call(method, url, {}),
      await service.call(method, url, {}, keyed('k')),
    ]
    expect(withKey.status).toBe(bare.status)
    expect(at(withKey.body, 'error', 'errorId')).toBe(at(bare.body, 'error', 'errorId'))
  },
)

test('refuses an empty key', async () => {
  expect(await create(await openService(), CREATE, '')).toMatchObject(refusal(422, 'RequestValidationError'))
})

describe('in the replay style', () => {
  const openReplaying = (folder = newFolder()) => openService(folder, 1, () => NOW, 'replay')

  test('a used key gets its first response again and changes nothing', async () => {
    const service = await openReplaying()
    const first = await create(service, CREATE)
    const id = textAt(first.body, 'id')
    await service.ok('POST', `/payments/${id}/capture`)
    const again = await create(service, CREATE)
    expect(again.body).toEqual(first.body)
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' })
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    expect(await service.ok('GET', '/payments')).toMatchObject({ data: [{ id, status: 'SETTLED' }] })
    expect((await loggedIn(service, 3)).map(({ applied }) => applied)).toEqual([false, false, true])
  })

  test('repeats the response of a pending payment, including its client token', async () => {
    const service = await openReplaying()
    const first = await create(service, { ...CREATE, paymentMethodToken: 'tok_3ds' })
    expect(at(first.body, 'requiredAction', 'clientToken')).toBeTypeOf('string')
    expect((await create(service, { ...CREATE, paymentMethodToken: 'tok_3ds' })).body).toEqual(first.body)
  })

  test.each([
    ['another body', '/payments', { ...CREATE, amount: 999 }],
    ['another operation', '/payments/{id}/capture', CREATE],
  ])('refuses %s with the key', async (_, path, body) => {
    const service = await openReplaying()
    const id = textAt((await create(service, CREATE)).body, 'id')
    const url = path.replace('{id}', id)
    const sent = url === '/payments' ? body : {}
    expect(await service.call('POST', url, sent, keyed('k'))).toMatchObject({
      ...refusal(409, 'IdempotencyKeyAlreadyExists'),
      body: { error: { paymentId: id } },
    })
  })

  const NESTED = { ...CREATE, metadata: { b: 1, a: 2 }, order: { lineItems: [{ name: 'x', amount: 5 }] } }

  test.each([
    ['white space', JSON.stringify(NESTED, undefined, 4)],
    [
      'the order of fields',
      '{"order":{"lineItems":[{"amount":5,"name":"x"}]},"metadata":{"a":2,"b":1},"amount":1000,"currencyCode":"EUR","orderId":"order-1","paymentMethodToken":"tok_visa"}',
    ],
    [
      'the notation of numbers and text',
      JSON.stringify(NESTED)
        .replace('1000', '1e3')
        .replace('tok_', String.raw`\u0074ok_`),
    ],
  ])('compares parsed bodies: %s makes no difference', async (_, text) => {
    const service = await openReplaying()
    const first = await create(service, NESTED)
    const again = await service.call('POST', '/payments', undefined, { ...keyed('k'), text })
    expect(again).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } })
    expect(again.body).toEqual(first.body)
  })

  test('the order of a list makes a difference', async () => {
    const service = await openReplaying()
    const withLines = (...names: readonly string[]) => ({
      ...CREATE,
      order: { lineItems: names.map((name) => ({ name })) },
    })
    await create(service, withLines('a', 'b'))
    expect(await create(service, withLines('b', 'a'))).toMatchObject(
      refusal(409, 'IdempotencyKeyAlreadyExists'),
    )
  })

  test('also repeats responses of keys that were used in the other style', async () => {
    const rejecting = await openService()
    const first = await create(rejecting, CREATE)
    const replaying = await openReplaying(rejecting.folder)
    expect((await create(replaying, CREATE)).body).toEqual(first.body)
    expect(await create(rejecting, CREATE)).toMatchObject(refusal(409, 'IdempotencyKeyAlreadyExists'))
  })
})
