import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../../src/api/table.ts'
import { createPayment, openService, refusal, textAt } from '../service.ts'

const samplePath = (path: string) => path.replace(/\{\w+\}/g, 'x')

const isOf = (methods: readonly string[], method: string) => methods.includes(method)

describe('route', () => {
  const paths = [...new Set(OPERATIONS.map(({ path }) => path))]
  const methodsOf = (wanted: string) =>
    OPERATIONS.filter(({ path }) => path === wanted).map(({ method }) => method)

  test.each(paths.map((path) => [path, methodsOf(path)] as const))(
    '405 at %s names the allowed methods: %s',
    async (path, methods) => {
      const service = await openService()
      for (const method of [
        'PUT',
        ...['GET', 'POST', 'PATCH', 'DELETE'].filter((one) => !isOf(methods, one)),
      ]) {
        const answer = await service.call(method, samplePath(path))
        expect(answer).toMatchObject(refusal(405, 'MethodNotAllowed'))
        const allowed = (answer.headers['allow'] ?? '').split(', ')
        // The server also allows these.
        expect(allowed.filter((one) => one !== 'HEAD' && one !== 'OPTIONS')).toEqual(methods)
      }
    },
  )

  test.each(['/payments/', 'http://sandbox.invalid/payments', 'https://api.example.com/payments/?limit=1'])(
    '%s means /payments',
    async (url) => {
      expect(await (await openService()).call('GET', url)).toMatchObject({ status: 200 })
    },
  )

  test.each(['/payments/%E0%A4%A', '/payments//capture', '//payments', '//example.com/payments', '/'])(
    'finds nothing at %s',
    async (url) => {
      expect(await (await openService()).call('GET', url)).toMatchObject(refusal(404, 'NotFound'))
    },
  )

  test('finds nothing at an invalid address', async () => {
    const { sandbox } = await openService()
    const headers = { 'x-api-key': 'sandbox_all' }
    const answer = await sandbox.handle({ method: 'GET', url: 'http://[', headers, body: undefined })
    expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('"NotFound"') })
  })

  test('refuses NUL in an id instead of cutting it off', async () => {
    const service = await openService()
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    const answer = await service.call('GET', `/payments/${id}%00x`)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  })
})

test('does not resolve dots in a path: they can be an id', async () => {
  const service = await openService()
  for (const path of ['/payments/.', '/payments/..', '/payments/%2e%2e', '/payments/../payments'])
    expect((await service.call('GET', path)).status).not.toBe(200)
  const record = {
    paymentId: '..',
    currencyCode: 'EUR',
    processor: { name: 'ACME' },
    amount: 5,
    createdAt: '2026-03-04T05:06:07Z',
    order: { id: 'o' },
    paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
  }
  await service.ok('POST', '/observability/payments', record)
  expect(await service.ok('PATCH', '/observability/payments/%2e%2e', { amount: 6 })).toMatchObject({
    amount: 6,
  })
})
