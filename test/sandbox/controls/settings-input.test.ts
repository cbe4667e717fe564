import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../src/api/checkout-settings.ts'
import { openCheckout } from '../checkout-calls.ts'
import { at, openService, refusal } from '../service.ts'
import type { Service } from '../service.ts'
import { control } from './call-control.ts'

const put = (service: Service, body: unknown) => control(service, 'PUT', '/sandbox/settings', body)
const shown = async (service: Service) => (await control(service, 'GET', '/sandbox/settings')).body

describe('settings', () => {
  test('offer cards and PayPal everywhere, Klarna and iDEAL for EUR', async () => {
    expect(await shown(await openService())).toEqual(DEFAULT_SETTINGS)
  })

  test('are stored with the folder', async () => {
    const service = await openService()
    const settings = {
      methods: [{ type: 'PAYPAL', currencies: ['EUR', 'USD'], countries: ['DE'] }],
      threeDSecure: 'never',
      authorizationType: 'ESTIMATED',
      showSurcharges: false,
    }
    expect(await put(service, settings)).toMatchObject({ status: 200, body: settings })
    const other = await openService(service.folder, 2)
    expect(await shown(other)).toEqual(settings)
    await other.sandbox.reset()
    expect(await shown(service)).toEqual(DEFAULT_SETTINGS)
  })

  test('keep the fields that a change leaves out', async () => {
    const service = await openService()
    await put(service, { threeDSecure: 'always' })
    expect((await put(service, { showSurcharges: false })).body).toEqual({
      ...DEFAULT_SETTINGS,
      threeDSecure: 'always',
      showSurcharges: false,
    })
    expect((await put(service, {})).body).toMatchObject({ threeDSecure: 'always' })
  })

  test('offer a method everywhere without lists', async () => {
    const { body } = await put(await openService(), { methods: [{ type: 'KLARNA' }] })
    expect(body['methods']).toEqual([{ type: 'KLARNA', currencies: [], countries: [] }])
  })

  test.each([
    [{ threeDSecure: 'sometimes' }, ['$.threeDSecure']],
    [{ authorizationType: 'PARTIAL', showSurcharges: 'yes' }, ['$.showSurcharges', '$.authorizationType']],
    [{ methods: [{ type: 'CASH' }] }, ['$.methods[0].type']],
    [{ methods: [{ type: 'PAYPAL' }, { type: 'PAYPAL' }] }, ['$.methods[1].type']],
    [{ methods: [{}] }, ['$.methods[0].type']],
    [{ methods: [{ type: 'PAYPAL', currencies: ['EUR', 'EURO'] }] }, ['$.methods[0].currencies[1]']],
    [{ methods: [{ type: 'PAYPAL', countries: ['XX'] }] }, ['$.methods[0].countries[0]']],
    [{ methods: [{ type: 'PAYPAL', regions: [] }] }, ['$.methods[0].regions']],
    [{ methods: 'PAYPAL' }, ['$.methods']],
    [{ threeDSecure: null }, ['$.threeDSecure']],
    [{ unknown: 1 }, ['$.unknown']],
  ])('refuse %j and name the field', async (body, paths) => {
    const service = await openService()
    const answer = await put(service, body)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    const errors = at(answer.body, 'error', 'validationErrors', 0, 'errors')
    const named = Array.isArray(errors) ? errors.map((problem) => at(problem, 'path')) : []
    expect(new Set(named)).toEqual(new Set(paths))
    expect(await shown(service)).toEqual(DEFAULT_SETTINGS)
  })

  test.each(['', ' ', 'null'])('need a body, not %j', async (text) => {
    const service = await openService()
    const answer = await control(service, 'PUT', '/sandbox/settings', undefined, { text })
    expect(answer).toMatchObject({
      ...refusal(422, 'RequestValidationError'),
      body: { error: { validationErrors: [{ errors: [{ path: '$', description: 'is required' }] }] } },
    })
  })

  test('belong to the key of the controls', async () => {
    const service = await openService()
    for (const method of ['GET', 'PUT']) {
      for (const [key, status] of [
        ['', 401],
        ['sandbox_readonly', 403],
      ] as const)
        expect(await control(service, method, '/sandbox/settings', undefined, { key })).toMatchObject({
          status,
        })
      const checkout = await openCheckout(service)
      expect(await checkout.call(method, '/sandbox/settings')).toMatchObject(refusal(403, 'Forbidden'))
    }
  })
})
