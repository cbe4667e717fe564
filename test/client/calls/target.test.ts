import { describe, expect, test } from 'vitest'
import type { Call } from '../../../src/client/calls/call.ts'
import { targetOf } from '../../../src/client/calls/build-intent.ts'
import { WRITES, callOf } from '../../support/client-bench.ts'
import { METHOD_TOKEN, PAYMENT_ID } from '../../support/simulated-service.ts'
import type { WriteId } from '../../support/simulated-service.ts'
import { sha256 } from '../../../src/files/sha256.ts'

const hashed = (text: string) => `sha256:${sha256(text)}`
const withBody = (id: WriteId, body: unknown): Call =>
  callOf(id, { body: { value: body, text: JSON.stringify(body) } })

const TARGETS: Readonly<Record<WriteId, ReturnType<typeof targetOf>>> = {
  'session.create': undefined,
  'session.update': { kind: 'session', name: hashed('client-1') },
  'payment.create': { kind: 'order', name: 'A-1' },
  'payment.authorize': { kind: 'payment', name: PAYMENT_ID },
  'payment.capture': { kind: 'payment', name: PAYMENT_ID },
  'payment.refund': { kind: 'payment', name: PAYMENT_ID },
  'payment.adjust': { kind: 'payment', name: PAYMENT_ID },
  'payment.resume': { kind: 'payment', name: PAYMENT_ID },
  'payment.cancel': { kind: 'payment', name: PAYMENT_ID },
  'observability.push': { kind: 'record', name: 'rec-1' },
  'observability.update': { kind: 'record', name: 'rec-1' },
  'loyalty.create': { kind: 'points', name: 'points-1/A-1' },
  'instrument.default': { kind: 'saved-method', name: hashed(METHOD_TOKEN) },
  'instrument.delete': { kind: 'saved-method', name: hashed(METHOD_TOKEN) },
  'instrument.vault': { kind: 'saved-method', name: hashed(METHOD_TOKEN) },
}

describe('the target of a write', () => {
  test.each(Object.entries(TARGETS))('of %s', (id, target) => {
    const write = WRITES.find((row) => row.id === id)
    if (write === undefined) throw new Error(`no such write: ${id}`)
    expect(targetOf(callOf(write.id))).toEqual(target)
  })

  test('is defined for every write of the table', () => {
    expect(Object.keys(TARGETS).toSorted()).toEqual(WRITES.map(({ id }) => id).toSorted())
  })

  test('of a payment without an order is the hash of its token', () => {
    expect(targetOf(withBody('payment.create', { paymentMethodToken: 'tok' }))).toEqual({
      kind: 'payment-token',
      name: hashed('tok'),
    })
  })

  test.each([
    ['no body', undefined],
    ['a body of nothing', {}],
    ['a body that is a list', []],
    ['a body that is a text', 'x'],
    ['fields that are no texts', { orderId: null, paymentMethodToken: { a: 1 } }],
    ['what every object has', JSON.parse('{"__proto__":{"orderId":"x"}}')],
  ])('is undefined with %s', (_, body) => {
    expect(targetOf(withBody('payment.create', body))).toBeUndefined()
  })

  test('may be a number in an unchecked body', () => {
    expect(targetOf(withBody('payment.create', { orderId: 1001 }))).toEqual({ kind: 'order', name: '1001' })
  })

  test.each(['../..', 'é😀', 'a\nb', ' ', 'x'.repeat(10_000), '{"a":1}'])(
    'is the id as it is: %#',
    (name) => {
      expect(targetOf(callOf('payment.refund', { params: { id: name } }))).toEqual({ kind: 'payment', name })
    },
  )

  test('is the path’s, regardless of the body', () => {
    const call = callOf('observability.update', {
      params: { paymentId: 'rec-1' },
      body: { value: { paymentId: 'rec-2' }, text: '{}' },
    })
    expect(targetOf(call)).toEqual({ kind: 'record', name: 'rec-1' })
  })
})

describe('a path that is not in the table', () => {
  const operation = { ...callOf('payment.refund').operation, id: 'api' }

  test.each([
    ['/payments', '/payments'],
    ['/payments/p1/notes', `/payments/${hashed('p1')}/notes`],
    ['/webhooks?secret=abc', '/webhooks'],
    ['/payments/4111111111111111', `/payments/${hashed('4111111111111111')}`],
    ['/eyJhbGciOiJIUzI1NiJ9.e30.sig/', `/${hashed('eyJhbGciOiJIUzI1NiJ9.e30.sig')}/`],
    ['/UPPER', `/${hashed('UPPER')}`],
    [`/${'a'.repeat(42)}`, `/${hashed('a'.repeat(42))}`],
  ])('is stored without possible secrets: %s', (path, name) => {
    expect(targetOf({ operation: { ...operation, path }, params: {} })).toEqual({ kind: 'path', name })
  })
})
