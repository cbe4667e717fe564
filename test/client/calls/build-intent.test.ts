import { describe, expect, test } from 'vitest'
import type { Call } from '../../../src/client/calls/call.ts'
import { accountOf, buildIntent, snapshotOf, ticketKey } from '../../../src/client/calls/build-intent.ts'
import { sha256 } from '../../../src/files/sha256.ts'
import { parseJson } from '../../../src/json/json.ts'
import { WRITES, callOf } from '../../support/client-bench.ts'
import type { WriteId } from '../../support/simulated-service.ts'

const API_KEY = 'live_0123456789abcdef'
const OPTIONS = {
  baseUrl: 'https://api.example.com',
  apiKey: API_KEY,
  profile: 'shop',
  mode: 'live',
  apiVersion: '2.1',
} as const

const intent = (call: Call) => buildIntent(OPTIONS, call, 'key-1', undefined)
const withText = (id: WriteId, text: string, more: Partial<Call> = {}): Call =>
  callOf(id, { body: { value: parseJson(text), text }, ...more })
const fingerprint = (id: WriteId, text: string, more: Partial<Call> = {}): string =>
  intent(withText(id, text, more)).fingerprint

describe('the stored request', () => {
  test('is the exact text when the body contains no secrets and no personal data', () => {
    const kept = WRITES.filter(({ id }) => intent(callOf(id)).request !== undefined).map(({ id }) => id)
    expect(kept, 'the operations with keepsBody').toEqual(
      'payment.authorize payment.capture payment.refund payment.adjust payment.cancel'.split(' '),
    )
    expect(intent(withText('payment.refund', '{ "amount" : 300 }')).request).toEqual({
      params: { id: 'pay-1' },
      body: '{ "amount" : 300 }',
    })
  })

  test('is undefined when the body may contain what must not be stored', () => {
    expect(intent(callOf('payment.refund', { holdsSecrets: true })).request).toBeUndefined()
  })

  test('never contains a token or a key, in any field', () => {
    for (const { id } of WRITES) {
      const text = JSON.stringify(intent(callOf(id)))
      for (const secret of [API_KEY, 'tok_visa', 'client-1', 'saved-1', 'resume-1'])
        expect(text, id).not.toContain(secret)
    }
  })
})

const merchant = (id: string) => JSON.stringify({ processor: { processorMerchantId: id } })

describe('fingerprint', () => {
  test.each<[WriteId, string, string]>([
    ['payment.refund', '{"amount":300}', '{"amount":300,"reason":"late"}'],
    ['payment.capture', '{"amount":300}', '{"final":true,"amount":300}'],
    ['payment.create', '{"amount":1,"orderId":"A"}', '{"amount":1,"orderId":"A","customerId":"C"}'],
  ])('of %s depends on the amount only', (id, one, other) => {
    expect(fingerprint(id, one)).toBe(fingerprint(id, other))
  })

  test.each<[WriteId, string, string]>([
    ['payment.refund', '{"amount":300}', '{"amount":301}'],
    ['payment.refund', '{"amount":300}', '{}'],
    ['payment.refund', '{"amount":9007199254740992}', '{"amount":9007199254740993}'],
    ['payment.create', '{"amount":1,"currencyCode":"EUR"}', '{"amount":1,"currencyCode":"JPY"}'],
    ['session.update', '{"clientToken":"c","orderId":"A"}', '{"clientToken":"c","orderId":"B"}'],
    ['payment.resume', '{"resumeToken":"a"}', '{"resumeToken":"b"}'],
    ['payment.authorize', merchant('a'), merchant('b')],
  ])('of %s differs when the effect differs: %s and %s', (id, one, other) => {
    expect(fingerprint(id, one)).not.toBe(fingerprint(id, other))
  })

  test('differs between operations, and reveals nothing without the key', () => {
    expect(fingerprint('payment.refund', '{"amount":300}')).not.toBe(
      fingerprint('payment.capture', '{"amount":300}'),
    )
    const other = buildIntent({ ...OPTIONS, apiKey: 'another' }, callOf('session.update'), 'k', undefined)
    expect(other.fingerprint).not.toBe(intent(callOf('session.update')).fingerprint)
  })

  test('of a pay api path depends on its method, query and body', () => {
    const { operation } = callOf('session.update')
    const of = (method: string, path: string, text: string) =>
      fingerprint('session.update', text, { operation: { ...operation, id: 'api', method, path } })
    const all = [
      of('POST', '/notes', '{}'),
      of('PUT', '/notes', '{}'),
      of('POST', '/notes?page=2', '{}'),
      of('POST', '/notes', '{"a":1}'),
    ]
    expect(new Set(all).size).toBe(4)
  })
})

describe('fingerprint with another key of the account', () => {
  const other = (call: Call) => buildIntent({ ...OPTIONS, apiKey: `${API_KEY}0` }, call, 'key-1', undefined)
  const isAlike = (call: Call) => intent(call).fingerprint === other(call).fingerprint

  test('is equal for amounts and writes on a payment only', () => {
    const alike = WRITES.filter(({ id }) => isAlike(callOf(id))).map(({ id }) => id)
    expect(alike).toEqual([
      'payment.create',
      'payment.authorize',
      'payment.capture',
      'payment.refund',
      'payment.adjust',
      'payment.resume',
      'payment.cancel',
    ])
  })

  test('differs when the body could be guessed', () => {
    expect(isAlike(callOf('payment.cancel', { holdsSecrets: true }))).toBe(false)
    // Of this, only the amount counts.
    expect(isAlike(callOf('payment.refund', { holdsSecrets: true }))).toBe(true)
  })
})

test('an account is the same on every machine with this key and base URL, and does not reveal the key', () => {
  const account = accountOf(OPTIONS)
  expect(accountOf({ ...OPTIONS })).toBe(account)
  expect(account).toMatch(/^[\da-f]{32}$/)
  expect(accountOf({ ...OPTIONS, apiKey: `${API_KEY}0` })).not.toBe(account)
  expect(accountOf({ ...OPTIONS, baseUrl: 'https://api.example.org' })).not.toBe(account)
  expect(accountOf({ baseUrl: 'a","b', apiKey: 'c' })).not.toBe(accountOf({ baseUrl: 'a', apiKey: 'b","c' }))
})

describe('the key of a ticket', () => {
  const keyFor = (ticket: string, call = callOf('payment.refund')) => ticketKey(OPTIONS, call, ticket)

  test('is a UUID, and the same each time', () => {
    for (const ticket of ['T-1', 'é', ' ', 'x'.repeat(1_000)]) {
      expect(keyFor(ticket)).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
      expect(keyFor(ticket)).toBe(keyFor(ticket))
    }
  })

  test('is the same for any amount: one ticket moves money once', () => {
    expect(keyFor('T-1', withText('payment.refund', '{"amount":1}'))).toBe(keyFor('T-1'))
  })

  test('differs by ticket, operation, target and address', () => {
    const keys = [
      keyFor('T-1'),
      keyFor('T-2'),
      keyFor('T-1', callOf('payment.capture')),
      keyFor('T-1', callOf('payment.refund', { params: { id: 'pay-2' } })),
      ticketKey({ ...OPTIONS, baseUrl: 'https://other.example.com' }, callOf('payment.refund'), 'T-1'),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
})

test('what is read before is kept as a hash of its text, with its status', () => {
  const text = '{"id":"pay-1","status":"PENDING"}'
  const answer = {
    status: 200,
    text,
    json: parseJson(text),
    requestId: undefined,
    exitCode: 0,
    operationId: undefined,
    idempotencyKey: undefined,
    note: undefined,
    warning: undefined,
  }
  expect(snapshotOf(answer)).toEqual({ sha256: sha256(text), status: 'PENDING' })
  for (const json of [undefined, [], { status: 5 }, null])
    expect(snapshotOf({ ...answer, json }).status).toBeUndefined()
})
