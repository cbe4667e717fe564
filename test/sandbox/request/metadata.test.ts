import { describe, expect, test } from 'vitest'
import { openService, refusal, textAt } from '../service.ts'
import type { Service } from '../service.ts'

type Send = (
  service: Service,
  metadata: string,
) => Promise<{ readonly status: number; readonly body: object }>

const PAYMENT = '"paymentMethodToken":"tok_visa","orderId":"o","currencyCode":"EUR","amount":5'
const RECORD =
  '"paymentId":"ext-1","currencyCode":"EUR","processor":{"name":"ADYEN"},"amount":7,"createdAt":"2026-01-31T09:30:00Z","order":{"id":"o"},"paymentMethod":{"paymentMethodType":"PAYMENT_CARD"}'

/** Bodies as text, because a literal can't hold `__proto__` and long integers. */
const send = (service: Service, method: string, url: string, text: string) =>
  service.call(method, url, undefined, { text })

const SENDERS: Readonly<Record<string, Send>> = {
  'session.create': (service, metadata) =>
    send(service, 'POST', '/client-session', `{"metadata":${metadata}}`),
  'session.update': async (service, metadata) => {
    const clientToken = textAt(await service.ok('POST', '/client-session'), 'clientToken')
    return send(
      service,
      'PATCH',
      '/client-session',
      `{"clientToken":"${clientToken}","metadata":${metadata}}`,
    )
  },
  'payment.create': (service, metadata) =>
    send(service, 'POST', '/payments', `{${PAYMENT},"metadata":${metadata}}`),
  'observability.push': (service, metadata) =>
    send(service, 'POST', '/observability/payments', `{${RECORD},"metadata":${metadata}}`),
  'observability.update': async (service, metadata) => {
    await send(service, 'POST', '/observability/payments', `{${RECORD}}`)
    return send(service, 'PATCH', '/observability/payments/ext-1', `{"metadata":${metadata}}`)
  },
}

/** The update of a session takes any values; everything else only strings and integers. */
const sendersOf = (kind: 'plain' | 'any') =>
  Object.entries(SENDERS).filter(([id]) => (id === 'session.update') === (kind === 'any'))

describe.each(sendersOf('any'))('metadata of %s', (_, sendMetadata) => {
  test.each([
    '{"a":true,"b":1.5,"c":["x",null],"d":{"e":{"f":null}},"g":12345678901234567890123}',
    '{"a":"x","__proto__":[1]}',
  ])('accepts any JSON values: %s', async (metadata) => {
    const { status, body } = await sendMetadata(await openService(), metadata)
    expect({ status, body }).toMatchObject({ status: 200 })
    expect(JSON.stringify(body)).toContain(`"metadata":${JSON.stringify(JSON.parse(metadata))}`)
  })

  test.each(['[]', '"text"', '5'])('refuses %s, which is no map', async (metadata) => {
    const { status, body } = await sendMetadata(await openService(), metadata)
    expect({ status, body }).toMatchObject(refusal(422, 'RequestValidationError'))
  })
})

describe.each(sendersOf('plain'))('metadata of %s', (_, sendMetadata) => {
  test.each(['{}', '{"shop":"north"}', '{"a":"","b":0,"c":-7,"d":9007199254740991}'])(
    'accepts strings and integers: %s',
    async (metadata) => {
      const { status, body } = await sendMetadata(await openService(), metadata)
      expect({ status, body }).toMatchObject({ status: 200, body: { metadata: JSON.parse(metadata) } })
    },
  )

  test.each([
    ['true', 'a'],
    ['1.5', 'a'],
    ['[]', 'a'],
    ['["x"]', 'a'],
    ['{}', 'a'],
    ['{"b":"x"}', 'a'],
    ['true', '__proto__'],
    ['{"b":"x"}', '__proto__'],
  ])('refuses %s as the value of %s', async (value, key) => {
    const { status, body } = await sendMetadata(await openService(), `{"${key}":${value}}`)
    expect({ status, body }).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(body).toMatchObject({
      error: {
        validationErrors: [
          { errors: [{ path: `$.metadata.${key}`, description: 'must be a string or an integer' }] },
        ],
      },
    })
  })

  test.each(['[]', '"text"', '5'])('refuses %s, which is no map', async (metadata) => {
    const { status, body } = await sendMetadata(await openService(), metadata)
    expect({ status, body }).toMatchObject(refusal(422, 'RequestValidationError'))
  })

  test('keeps a key __proto__ like any other', async () => {
    const metadata = '{"__proto__":"kept","constructor":1}'
    const { body } = await sendMetadata(await openService(), metadata)
    expect(JSON.stringify(body)).toContain(`"metadata":${metadata}`)
  })
})

describe.each(Object.entries(SENDERS))('metadata of %s', (_, sendMetadata) => {
  test('refuses an empty key with its own error id', async () => {
    const { status, body } = await sendMetadata(await openService(), '{"a":"x","":"y"}')
    expect({ status, body }).toMatchObject(refusal(400, 'MetadataContainsEmptyKey'))
  })
})
