import { describe, expect, test } from 'vitest'
import {
  at,
  createPayment,
  openService,
  refusal,
  settledPayment,
  textAt,
  toJson,
  loggedIn,
} from '../service.ts'
import type { Json, Service } from '../service.ts'

const OLD = { headers: { 'x-api-version': '2021-09-27' } }

async function vaultedPayment(service: Service) {
  const saved = await service.ok('POST', '/payment-instruments/tok_visa/vault', { customerId: 'ada' })
  const token = textAt(saved, 'token')
  const payment = await createPayment(service, token, { customerId: 'ada' })
  return { token, id: textAt(payment, 'id') }
}

describe('version 1', () => {
  test.each(['/auth/client-token', '/auth/client-token/'])('%s is retired', async (path) => {
    const service = await openService()
    const answer = await service.call('POST', path, { customerCountryCode: 'DE' })
    expect(answer).toMatchObject(refusal(410, 'VersionRetired'))
    expect(at(answer.body, 'error', 'recoverySuggestion')).toContain('POST /client-session')
  })

  test('is refused without a key first, and with another method', async () => {
    const service = await openService()
    expect(await service.call('POST', '/auth/client-token', {}, { key: '' })).toMatchObject(
      refusal(401, 'Unauthorized'),
    )
    const other = await service.call('GET', '/auth/client-token')
    expect(other).toMatchObject(refusal(405, 'MethodNotAllowed'))
    expect(other.headers['allow']?.split(', ')[0]).toBe('POST')
  })
})

const versionOf = (version: string) => ({ headers: { 'x-api-version': version } })

const IGNORED = 'x-sandbox-ignored'

describe('a later version', () => {
  const LATER = versionOf('2.4')
  const PAYMENT = { paymentMethodToken: 'tok_visa', orderId: 'o', currencyCode: 'EUR', amount: 5 }

  test.each(['2.2', '2.4', '2.9', '2021-10-19', '2030-01-01'])('is served as 2.1: %s', async (version) => {
    const service = await openService()
    const { id } = await vaultedPayment(service)
    const now = await service.ok('GET', `/payments/${id}`)
    const answer = await service.call('GET', `/payments/${id}`, undefined, versionOf(version))
    expect(answer.body).toEqual(now)
    expect(at(answer.body, 'paymentMethod')).toMatchObject({ isVaulted: true })
    expect(answer.headers).not.toHaveProperty(IGNORED)
  })

  test.each(['2021-09-08', '2021-09-20'])('%s is served as 2021-09-27', async (version) => {
    const service = await openService()
    const { id, token } = await vaultedPayment(service)
    const { body } = await service.call('GET', `/payments/${id}`, undefined, versionOf(version))
    expect(body).toEqual(await service.ok('GET', `/payments/${id}`, undefined, OLD))
    expect(at(body, 'paymentMethod')).toMatchObject({ vaultedPaymentMethodToken: token })
  })

  test('drops unknown fields at any depth and names each once in a header', async () => {
    const service = await openService()
    const answer = await service.call(
      'POST',
      '/client-session',
      {
        currencyCode: 'EUR',
        new: { a: 1 },
        metadata: { kept: 1, new: 2 },
        order: {
          new: [1],
          lineItems: [
            { amount: 5, new: 1, productData: { sku: 's', new: null } },
            { amount: 6, new: 2 },
          ],
        },
      },
      LATER,
    )
    expect(answer).toMatchObject({ status: 200, body: { amount: 11, metadata: { kept: 1, new: 2 } } })
    expect(at(answer.body, 'order')).toEqual({
      lineItems: [{ amount: 5, productData: { sku: 's' } }, { amount: 6 }],
    })
    expect(answer.body).not.toHaveProperty('new')
    expect(answer.headers[IGNORED]).toBe(
      '$.new, $.order.new, $.order.lineItems[*].new, $.order.lineItems[*].productData.new',
    )
  })

  test('drops unknown query parameters, and bodies that an operation does not have', async () => {
    const service = await openService()
    await createPayment(service, 'tok_visa')
    const listed = await service.call('GET', '/payments?expand=order&limit=1&sort=date', undefined, LATER)
    expect(listed.headers[IGNORED]).toBe('?expand, ?sort')
    expect(listed).toMatchObject({ status: 200, body: { data: [{ status: 'AUTHORIZED' }] } })
    const vaulted = await service.call(
      'POST',
      '/payment-instruments/tok_visa/vault?new=1',
      { customerId: 'ada', new: 1 },
      LATER,
    )
    expect([vaulted.status, vaulted.headers[IGNORED]]).toEqual([200, '$.new, ?new'])
    const removed = await service.call(
      'DELETE',
      `/payment-instruments/${textAt(vaulted.body, 'token')}`,
      { reason: 'x' },
      LATER,
    )
    expect([removed.status, removed.headers[IGNORED]]).toEqual([200, '$.reason'])
  })

  test('still refuses wrong types, unknown values and missing fields', async () => {
    const service = await openService()
    const answer = await service.call(
      'POST',
      '/payments',
      { ...PAYMENT, amount: 'x', currencyCode: 'EUX', orderId: 1, new: 1 },
      LATER,
    )
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
    expect(answer.headers[IGNORED]).toBe('$.new')
    expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toMatchObject([
      { path: '$.orderId' },
      { path: '$.amount' },
      { path: '$.currencyCode' },
    ])
    for (const text of ['[]', '5'])
      expect(await service.call('POST', '/payments', undefined, { ...LATER, text })).toMatchObject(
        refusal(422, 'RequestValidationError'),
      )
  })

  test.each(['2.1', '2021-09-27', '2021-09-08'])(
    'differs from %s, which refuses unknown fields',
    async (version) => {
      const service = await openService()
      for (const [url, body] of [
        ['/payments', { ...PAYMENT, new: 1 }],
        ['/payments?new=1', PAYMENT],
      ] as const) {
        const answer = await service.call('POST', url, body, versionOf(version))
        expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
        expect(answer.headers).not.toHaveProperty(IGNORED)
      }
    },
  )

  test.each([undefined, '2021-09-08', '2021-09-27', '2.1', '2.4', '2.9', '2030-01-01'])(
    'never ignores a field that chooses which money moves: %s',
    async (version) => {
      const service = await openService()
      const id = await settledPayment(service)
      const headers = {
        'x-api-key': 'sandbox_all',
        ...(version === undefined ? {} : { 'x-api-version': version }),
      }
      const refund = async (query: string, body: Json) => {
        const answer = await service.handle({
          method: 'POST',
          url: `/payments/${id}/refund${query}`,
          headers,
          body: JSON.stringify(body),
        })
        return { ...answer, body: toJson(JSON.parse(answer.body)) }
      }
      for (const answer of [
        await refund('', { transactionEventId: 'e', amount: 100 }),
        await refund('?transactionEventId=e', { amount: 100 }),
      ]) {
        expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
        expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toEqual([
          {
            path: '$.transactionEventId',
            description: 'is not supported, and not ignored: it chooses which money moves',
          },
        ])
        expect(answer.headers).not.toHaveProperty(IGNORED)
      }
      expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ processor: { amountRefunded: 0 } })
    },
  )

  test('drops a key __proto__ like any other, and keeps it in metadata', async () => {
    const service = await openService()
    const text =
      '{"__proto__":{"amount":9},"order":{"__proto__":{"fees":[]},"lineItems":[{"name":"a","__proto__":null}]},"metadata":{"__proto__":"m"}}'
    const answer = await service.call('POST', '/client-session', undefined, { ...LATER, text })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.headers[IGNORED]).toBe('$.__proto__, $.order.__proto__, $.order.lineItems[*].__proto__')
    expect(JSON.stringify(answer.body)).toContain('"order":{"lineItems":[{"name":"a"}]}')
    expect(JSON.stringify(answer.body)).toContain('"metadata":{"__proto__":"m"}')
    expect(answer.body).not.toHaveProperty('amount')
  })

  test('names dropped fields in ASCII without line breaks, in at most one kilobyte', async () => {
    const service = await openService()
    const named = await service.call(
      'POST',
      '/client-session',
      { 'a\r\nX: y': 1, schlüssel: 1, '€😀': 1 },
      LATER,
    )
    expect(named.headers[IGNORED]).toBe(
      String.raw`$["a\r\nX: y"], $["schl\u00fcssel"], $["\u20ac\ud83d\ude00"]`,
    )
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`field-${index}`, 1]))
    const cut = (await service.call('POST', '/client-session', many, LATER)).headers[IGNORED] ?? ''
    expect(cut.length).toBeLessThanOrEqual(1024)
    expect(cut).toMatch(/^\$\["field-0"\], .*"\], \+\d+ more$/)
    const long = await service.call('POST', '/client-session', { ['€'.repeat(5_000)]: 1, b: 1 }, LATER)
    expect(long.headers[IGNORED]).toMatch(/^\$\["(?:\\u20ac)+\\u2026"\], \$\.b$/)
  })

  test('logs dropped fields', async () => {
    const service = await openService()
    await service.call('POST', '/client-session', { new: 1 }, LATER)
    await service.call('GET', '/payments?new=1', undefined, LATER)
    await service.call('GET', '/payments')
    const logged = await loggedIn(service, 3)
    expect(logged.map(({ ignored }) => ignored)).toEqual([undefined, ['?new'], ['$.new']])
  })

  test('logs no dropped field for one that it refuses', async () => {
    const service = await openService()
    const id = await settledPayment(service)
    const body = { transactionEventId: 'e', metadata: {} }
    await service.call('POST', `/payments/${id}/refund`, body, LATER)
    expect(await loggedIn(service, 1)).toMatchObject([{ status: 422, ignored: ['$.metadata'] }])
  })

  test('uses idempotency keys like 2.1', async () => {
    const service = await openService()
    const headers = { 'x-api-version': '2.4', 'x-idempotency-key': 'k' }
    expect(await service.call('POST', '/payments', { ...PAYMENT, new: 1 }, { headers })).toMatchObject({
      status: 200,
    })
    expect(await service.call('POST', '/payments', { ...PAYMENT, new: 1 }, { headers })).toMatchObject(
      refusal(409, 'IdempotencyKeyAlreadyExists'),
    )
  })
})

describe.each([undefined, '2021-09-08', '2021-09-27', '2.1', '2.2', '2.4', '2.9', '2030-01-01'])(
  'a capture, refund, adjustment or cancellation of version %s',
  (version) => {
    const CALLS = ['capture', 'refund', 'adjust-authorization', 'cancel'] as const
    const WITHOUT_MISTAKE = { capture: {}, refund: {}, 'adjust-authorization': { amount: 900 }, cancel: {} }

    async function ready(call: (typeof CALLS)[number]) {
      const service = await openService()
      const estimated = { paymentMethod: { authorizationType: 'ESTIMATED' } }
      const id =
        call === 'refund'
          ? await settledPayment(service)
          : textAt(await createPayment(service, 'tok_visa', estimated), 'id')
      const before = await service.ok('GET', `/payments/${id}`)
      const send = async (body: Json, query = '') => {
        const answer = await service.handle({
          method: 'POST',
          url: `/payments/${id}/${call}${query}`,
          headers: {
            'x-api-key': 'sandbox_all',
            ...(version === undefined ? {} : { 'x-api-version': version }),
          },
          body: JSON.stringify(body),
        })
        return { ...answer, body: toJson(JSON.parse(answer.body)) }
      }
      return { send, before, now: () => service.ok('GET', `/payments/${id}`) }
    }

    test.each(CALLS)('refuses and names an unknown field: %s', async (call) => {
      const { send, before, now } = await ready(call)
      for (const [body, path] of [
        [{ ammount: 100 }, '$.ammount'],
        [{ Amount: 100, metadata: { a: 1 } }, '$.Amount'],
        [{ amount: 100, __proto: 1 }, '$.__proto'],
        ...(call === 'capture' ? ([[{ order: { fee: 1 } }, '$.order.fee']] as const) : []),
      ] as const) {
        const answer = await send({ ...WITHOUT_MISTAKE[call], ...body })
        expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
        expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toContainEqual({
          path,
          description: 'is not a known field',
        })
      }
      expect(await now()).toEqual(before)
    })

    test.each(CALLS)('refuses an amount in the query: %s', async (call) => {
      const { send, before, now } = await ready(call)
      expect(await send(WITHOUT_MISTAKE[call], '?amount=100')).toMatchObject(
        refusal(422, 'RequestValidationError'),
      )
      expect(await now()).toEqual(before)
    })

    test.each(CALLS)('ignores metadata and expand, and names them: %s', async (call) => {
      const { send } = await ready(call)
      const further = { metadata: { '': [1] }, expand: ['transactions.events'] }
      const answer = await send({ ...WITHOUT_MISTAKE[call], ...further })
      expect(answer.status).toBe(200)
      expect(answer.headers[IGNORED]).toBe('$.metadata, $.expand')
      expect(answer.body).not.toHaveProperty('metadata')
    })
  },
)
