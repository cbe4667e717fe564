import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { OperationId } from '../../../src/api/facts.ts'
import { createPayment, openService, settledPayment, textAt, toJson, answered } from '../service.ts'
import type { Json, Service } from '../service.ts'

/** Tests the service against documented bodies, because client and service share schemas that could be wrong in both. */
const FOLDER = join(import.meta.dirname, '../../fixtures/api')
const names = readdirSync(FOLDER)
const read = (name: string): Json => toJson(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')))
const requestsOf = (id: string) =>
  names.filter((name) => name.startsWith(`${id}.`) && name.endsWith('.request.json'))

const paymentOf = async (service: Service, token: string, more: Json = {}) =>
  textAt(await createPayment(service, token, more), 'id')

type Send = (service: Service, body: Json) => Promise<Json>

const SENDERS = {
  'session.create': (service, body) => service.ok('POST', '/client-session', body),
  'session.update': async (service, body) => {
    const { clientToken } = await service.ok('POST', '/client-session', { currencyCode: 'EUR' })
    return service.ok('PATCH', '/client-session', { ...body, clientToken })
  },
  'payment.create': (service, body) =>
    service.ok('POST', '/payments', {
      orderId: 'order-1',
      currencyCode: 'EUR',
      ...('lineItems' in body ? {} : { amount: 1 }),
      ...body,
      paymentMethodToken: 'tok_visa',
    }),
  'payment.authorize': async (service, body) =>
    service.ok('POST', `/payments/${await paymentOf(service, 'tok_failed')}/authorize`, body),
  'payment.capture': async (service, body) =>
    service.ok('POST', `/payments/${await paymentOf(service, 'tok_visa')}/capture`, body),
  'payment.refund': async (service, body) =>
    service.ok('POST', `/payments/${await settledPayment(service)}/refund`, body),
  'payment.adjust': async (service, body) => {
    const id = await paymentOf(service, 'tok_visa', { paymentMethod: { authorizationType: 'ESTIMATED' } })
    return service.ok('POST', `/payments/${id}/adjust-authorization`, body)
  },
  'payment.resume': async (service) => {
    const payment = await createPayment(service, 'tok_3ds')
    const clientToken = textAt(payment, 'requiredAction', 'clientToken')
    const resumeToken = await answered(service, { clientToken, outcome: 'pass' })
    return service.ok('POST', `/payments/${textAt(payment, 'id')}/resume`, { resumeToken })
  },
  'payment.cancel': async (service, body) =>
    service.ok('POST', `/payments/${await paymentOf(service, 'tok_visa')}/cancel`, body),
  'observability.push': (service, body) => service.ok('POST', '/observability/payments', body),
  'observability.update': async (service, body) => {
    await service.ok('POST', '/observability/payments', read('observability.push.request.json'))
    return service.ok('PATCH', '/observability/payments/external-1', body)
  },
  'loyalty.create': (service, body) => service.ok('POST', '/loyalty-transactions', body),
  'instrument.vault': (service, body) => service.ok('POST', '/payment-instruments/tok_visa/vault', body),
} as const satisfies Partial<Record<OperationId, Send>>

/** Such as `order.lineItems.amount`; metadata can contain anything. */
function pathsOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => pathsOf(entry, path))
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'metadata' || key === 'options' ? [] : pathsOf(child, path === '' ? key : `${path}.${key}`),
  )
}

/** A resource has one shape, whichever operation returns it. */
function documentedPaths(id: string): ReadonlySet<string> {
  const resource = `${id.split('.')[0]}.`
  const answers = names.filter((name) => name.startsWith(resource) && name.endsWith('.response.json'))
  return new Set(answers.flatMap((name) => pathsOf(read(name))))
}

test.each(
  Object.entries(SENDERS).flatMap(([id, send]) => requestsOf(id).map((name) => ({ name, id, send }))),
)('$name is taken, and answered with documented fields only', async ({ name, id, send }) => {
  const answer = await send(await openService(), read(name))
  const documented = documentedPaths(id)
  expect(pathsOf(answer).filter((path) => !documented.has(path))).toEqual([])
})

test('every request that is documented is sent', () => {
  const sent = Object.keys(SENDERS).flatMap(requestsOf)
  expect(sent.toSorted(), 'each operation with a body needs a row in SENDERS').toEqual(
    names.filter((name) => name.endsWith('.request.json')).toSorted(),
  )
})
