import { describe, expect, test } from 'vitest'
import { showTime } from '../../../src/sandbox/controls/clock.ts'
import {
  createPayment,
  HOUR_MS,
  newFolder,
  openService,
  refusal,
  settledPayment,
  textAt,
  advance,
  answered,
  tokenized,
} from '../service.ts'

describe('reopening', () => {
  test('keeps everything', async () => {
    const before = await openService()
    const clientToken = textAt(
      await before.ok('POST', '/client-session', { orderId: 'session-order' }),
      'clientToken',
    )
    const paymentMethodToken = await tokenized(before, { card: '4111111111111111', clientToken })
    const id = await settledPayment(before)
    await before.ok('POST', `/payments/${id}/refund`, { amount: 5 })
    const keyed = { headers: { 'x-idempotency-key': 'k' } }
    const payment = await before.ok('POST', `/payments/${id}/refund`, { amount: 5 }, keyed)
    const saved = await before.ok('POST', '/payment-instruments/tok_visa/vault', { customerId: 'ada' })
    const points = { connectionId: 'points-1', customerId: 'ada', orderId: 'o', value: 9_999 }
    await before.ok('POST', '/loyalty-transactions', points)
    const challenged = textAt(await createPayment(before, 'tok_3ds'), 'requiredAction', 'clientToken')
    await advance(before, HOUR_MS / 2)
    const time = await before.sandbox.read(showTime)
    await before.sandbox.close()

    const after = await openService(before.folder, 2)
    expect(await after.sandbox.read(showTime)).toEqual(time)
    expect(await after.ok('GET', `/client-session?clientToken=${clientToken}`)).toEqual({
      orderId: 'session-order',
    })
    expect(await after.ok('GET', `/payments/${id}`)).toEqual(payment)
    expect(await after.call('POST', `/payments/${id}/refund`, {}, keyed)).toMatchObject(
      refusal(409, 'IdempotencyKeyAlreadyExists'),
    )
    expect(await after.ok('GET', '/payment-instruments?customer_id=ada')).toEqual({ data: [saved] })
    expect(await after.call('POST', '/loyalty-transactions', { ...points, value: 2 })).toMatchObject(
      refusal(400, 'InsufficientPoints'),
    )
    expect(await createPayment(after, paymentMethodToken, { orderId: undefined })).toMatchObject({
      orderId: 'session-order',
    })
    await expect(answered(after, { clientToken: challenged, outcome: 'pass' })).resolves.toMatch(
      /^[\w-]{36}$/,
    )
  })

  test('creates unique ids even with the same random source', async () => {
    const folder = newFolder()
    const ids = new Set<unknown>()
    for (let count = 0; count < 3; count += 1) {
      const service = await openService(folder, 7)
      ids.add((await createPayment(service, 'tok_visa'))['id'])
      await service.sandbox.close()
    }
    expect(ids.size).toBe(3)
  })

  test('a closed sandbox reopens on use', async () => {
    const service = await openService()
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    await service.sandbox.close()
    await service.sandbox.close()
    expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ id })
  })
})

describe('two sandboxes on one folder', () => {
  test('see each other at once', async () => {
    const folder = newFolder()
    const [one, other] = [await openService(folder, 1), await openService(folder, 2)]
    const id = textAt(await createPayment(one, 'tok_visa'), 'id')
    await other.ok('POST', `/payments/${id}/capture`)
    expect(await one.ok('GET', `/payments/${id}`)).toMatchObject({ status: 'SETTLED' })
    await advance(other, HOUR_MS)
    expect(await one.sandbox.read(showTime)).toMatchObject({ offsetMs: HOUR_MS })
  })

  test('create the folder at the same time', async () => {
    const folder = `${newFolder()}/new/deep`
    const services = [await openService(folder, 1), await openService(folder, 2)]
    await Promise.all(services.map((service) => createPayment(service, 'tok_visa')))
    for (const service of services) {
      const { data } = await service.ok('GET', '/payments')
      expect(data).toHaveLength(2)
    }
  })

  test('a reset by one empties the other', async () => {
    const folder = newFolder()
    const [one, other] = [await openService(folder, 1), await openService(folder, 2)]
    await createPayment(one, 'tok_visa')
    await advance(one, HOUR_MS)
    await other.sandbox.reset()
    expect(await one.ok('GET', '/payments')).toEqual({ data: [] })
    expect(await one.sandbox.read(showTime)).toMatchObject({ offsetMs: 0 })
    expect(await createPayment(one, 'tok_visa')).toMatchObject({ status: 'AUTHORIZED' })
  })
})

describe('the clock', () => {
  test("is the machine's clock plus its offset", async () => {
    const { sandbox } = await openService()
    expect(await sandbox.read(showTime)).toEqual({ now: '2026-03-04T05:06:07.089Z', offsetMs: 0 })
    await advance({ sandbox }, HOUR_MS)
    expect(await advance({ sandbox }, 1)).toEqual({ now: '2026-03-04T06:06:07.090Z', offsetMs: HOUR_MS + 1 })
  })

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER])(
    'refuses to move by %d',
    async (ms) => {
      const { sandbox } = await openService()
      await expect(advance({ sandbox }, ms)).rejects.toMatchObject({ code: 'bad_clock', exitCode: 2 })
      expect(await sandbox.read(showTime)).toMatchObject({ offsetMs: 0 })
    },
  )
})
