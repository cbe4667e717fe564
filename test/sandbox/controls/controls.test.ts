import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { showTime } from '../../../src/sandbox/controls/clock.ts'
import { NOW, createPayment, openService, refusal, textAt, faultsIn, loggedIn } from '../service.ts'
import { control } from './call-control.ts'

const CARD = { card: '4111111111111111' }

const REFUNDS = { on: 'POST /payments/*/refund', do: 'drop-after' }

test('lists scenarios without a database', async () => {
  const service = await openService()
  expect(await control(service, 'GET', '/sandbox/scenarios')).toMatchObject({
    body: { paymentMethods: expect.arrayContaining([expect.objectContaining({ token: 'tok_3ds' })]) },
  })
  expect(readdirSync(service.folder)).toEqual([])
})

describe('clock', () => {
  test.each([
    [{ duration: '2h' }, 7_200_000],
    [{ ms: 5 }, 5],
    [{ ms: 0 }, 0],
  ])('%j advances it', async (body, offsetMs) => {
    const service = await openService()
    const time = { now: new Date(NOW.getTime() + offsetMs).toISOString(), offsetMs }
    expect((await control(service, 'POST', '/sandbox/clock/advance', body)).body).toEqual(time)
    expect((await control(service, 'GET', '/sandbox/clock')).body).toEqual(time)
  })

  test.each([
    [{}],
    [{ duration: '2h', ms: 5 }],
    [{ duration: '2' }],
    [{ duration: 2 }],
    [{ duration: '' }],
    [{ ms: -1 }],
    [{ ms: 1.5 }],
    [{ ms: '5' }],
    [{ ms: 2 ** 53 }],
    [{ ms: 2 ** 52 }],
  ])('refuses %j', async (body) => {
    const service = await openService()
    expect(await control(service, 'POST', '/sandbox/clock/advance', body)).toMatchObject(
      refusal(422, 'RequestValidationError'),
    )
    expect(await service.sandbox.read(showTime)).toMatchObject({ offsetMs: 0 })
  })
})

describe('faults', () => {
  test('are added, listed in order with their counters, and cleared', async () => {
    const service = await openService()
    const added = await control(service, 'POST', '/sandbox/faults', {
      ...REFUNDS,
      rate: 0.5,
      seed: 7,
      times: 2,
      skip: 1,
    })
    expect(added.body).toEqual({
      id: 1,
      ...REFUNDS,
      rate: 0.5,
      seed: 7,
      times: 2,
      skip: 1,
      matched: 0,
      fired: 0,
    })
    await control(service, 'POST', '/sandbox/faults', { on: 'get /payments', do: 'status=503' })
    expect(await service.call('GET', '/payments')).toMatchObject({ status: 503 })
    expect((await control(service, 'GET', '/sandbox/faults')).body).toEqual({
      data: [
        added.body,
        {
          id: 2,
          on: 'GET /payments',
          do: 'status=503',
          rate: 1,
          seed: expect.any(Number),
          skip: 0,
          matched: 1,
          fired: 1,
        },
      ],
    })
    expect((await control(service, 'DELETE', '/sandbox/faults')).body).toEqual({ cleared: 2 })
    expect((await control(service, 'GET', '/sandbox/faults')).body).toEqual({ data: [] })
    expect(await service.call('GET', '/payments')).toMatchObject({ status: 200 })
  })

  test('are refused with every reason if invalid', async () => {
    const service = await openService()
    const wrong = { on: 'payments', do: 'explode', rate: 2, tims: 1 }
    expect(await control(service, 'POST', '/sandbox/faults', wrong)).toMatchObject({
      ...refusal(422, 'RequestValidationError'),
      body: {
        error: {
          validationErrors: [
            { errors: [{ path: '$.on' }, { path: '$.do' }, { path: '$.rate' }, { path: '$.tims' }] },
          ],
        },
      },
    })
    expect(await faultsIn(service)).toEqual([])
  })

  test('are refused beyond a hundred, with what to do', async () => {
    const service = await openService()
    for (let added = 0; added < 100; added += 1) await control(service, 'POST', '/sandbox/faults', REFUNDS)
    const refused = await control(service, 'POST', '/sandbox/faults', REFUNDS)
    expect(refused).toMatchObject({
      ...refusal(422, 'RequestValidationError'),
      body: { error: { recoverySuggestion: 'Clear them first: pay sandbox faults clear' } },
    })
    expect(await faultsIn(service)).toHaveLength(100)
  })
})

describe('requests', () => {
  test('are listed newest first, up to a limit and by pattern', async () => {
    const service = await openService()
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    await service.ok('POST', `/payments/${id}/capture`)
    await service.ok('GET', `/payments/${id}`)
    const operations = async (query: string) => {
      const { body } = await control(service, 'GET', `/sandbox/requests${query}`)
      return Array.isArray(body['data']) ? body['data'].map((row) => textAt(row, 'operation')) : []
    }
    expect(await operations('')).toEqual(['payment.get', 'payment.capture', 'payment.create'])
    expect(await operations('?limit=1')).toEqual(['payment.get'])
    expect(await operations('?on=POST+/**')).toEqual(['payment.capture', 'payment.create'])
    expect(await operations('?on=POST%20/**&limit=1')).toEqual(['payment.capture'])
    expect(await operations('?on=/payments/*')).toEqual(['payment.get'])
    expect((await control(service, 'DELETE', '/sandbox/requests')).body).toEqual({ data: [] })
    expect(await operations('')).toEqual([])
  })

  test.each([
    'limit=0',
    'limit=',
    'limit=x',
    'limit=-1',
    'limit=1.5',
    'limit=10001',
    'limit=1&limit=2',
    'on=',
    'on=POST',
    'offset=1',
  ])('refuses %s', async (query) => {
    expect(await control(await openService(), 'GET', `/sandbox/requests?${query}`)).toMatchObject(
      refusal(422, 'RequestValidationError'),
    )
  })
})

test('reset removes all data, faults and the log', async () => {
  const service = await openService()
  await createPayment(service, 'tok_visa')
  await control(service, 'POST', '/sandbox/faults', REFUNDS)
  await control(service, 'POST', '/sandbox/clock/advance', { duration: '1h' })
  expect(await control(service, 'POST', '/sandbox/reset')).toMatchObject({
    status: 200,
    body: { reset: true },
  })
  expect(await faultsIn(service)).toEqual([])
  expect(await loggedIn(service, 10)).toEqual([])
  expect(await service.sandbox.read(showTime)).toMatchObject({ offsetMs: 0 })
  expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
})

test('a damaged sandbox fails instead of refusing, and reset repairs it', async () => {
  const service = await openService()
  writeFileSync(join(service.folder, 'sandbox.db'), 'no database, '.repeat(1000))
  for (const [method, path, body] of [
    ['GET', '/sandbox/faults', undefined],
    ['POST', '/sandbox/tokenize', CARD],
  ] as const)
    await expect(control(service, method, path, body)).rejects.toMatchObject({ code: 'sandbox_damaged' })
  expect(await control(service, 'POST', '/sandbox/reset')).toMatchObject({ status: 200 })
  expect(await control(service, 'GET', '/sandbox/faults')).toMatchObject({ body: { data: [] } })
})
