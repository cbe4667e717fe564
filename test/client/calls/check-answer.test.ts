import { describe, expect, test } from 'vitest'
import { hasKnownField } from '../../../src/api/unknown-fields.ts'
import { getPayment } from '../../../src/api/operations/payment.ts'
import { expectedAnswerOf, findAnswerFault } from '../../../src/client/calls/check-answer.ts'
import { WRITES, callOf } from '../../support/client-bench.ts'
import { METHOD_TOKEN, PAYMENT_ID } from '../../support/simulated-service.ts'
import type { WriteId } from '../../support/simulated-service.ts'
import { answerOf, faultOf } from './check-answer-bench.ts'

/** The shortest usable response to each operation. */
const ANSWERS: Readonly<Record<WriteId, object>> = {
  'session.create': { clientToken: 'client-1' },
  'session.update': { orderId: 'A-1' },
  'payment.create': { id: 'made-1', status: 'DECLINED' },
  'payment.authorize': { id: PAYMENT_ID },
  'payment.capture': { id: PAYMENT_ID },
  'payment.refund': { id: PAYMENT_ID },
  'payment.adjust': { id: PAYMENT_ID },
  'payment.resume': { id: PAYMENT_ID },
  'payment.cancel': { id: PAYMENT_ID },
  'observability.push': { paymentId: 'rec-1' },
  'observability.update': { paymentId: 'rec-1' },
  'loyalty.create': { id: 'points-1' },
  'instrument.default': { token: METHOD_TOKEN },
  'instrument.delete': { token: METHOD_TOKEN },
  'instrument.vault': { token: 'another' },
}

describe.each(WRITES.map(({ id }) => id))('a 2xx to %s', (id) => {
  const whole = JSON.stringify(ANSWERS[id])

  test.each([200, 201, 203, 299])('counts with its own answer in it: %i', (status) => {
    expect(faultOf(id, whole, { status })).toBeUndefined()
    expect(faultOf(id, ` ${whole}\r\n`, { status })).toBeUndefined()
    expect(faultOf(id, `\uFEFF${whole}`, { status })).toBeUndefined()
  })

  test.each<[string, string, string]>([
    ['a page', '<!doctype html><title>Maintenance</title>', 'is a web page instead of JSON'],
    ['nothing', '', 'is empty'],
    ['white space', ' \r\n', 'is empty'],
    ['words', 'OK', 'is not complete JSON'],
    ['a half', whole.slice(0, -1), 'is not complete JSON'],
    ['two', whole + whole, 'is not complete JSON'],
    ['something behind it', `${whole}0`, 'is not complete JSON'],
    ['a list', `[${whole}]`, 'is not a JSON object'],
    ['a text', JSON.stringify(whole), 'is not a JSON object'],
    ['a number', '1.50', 'is not a JSON object'],
    ['null', 'null', 'is not a JSON object'],
    ['an error', '{"error":{"errorId":"X","description":"y"}}', 'is an error despite its status'],
    ['an error of another kind', '{"error":"down"}', 'is an error despite its status'],
    ['an errorId', '{"errorId":"X"}', 'is an error despite its status'],
  ])('does not count with %s in it', (_, body, fault) => {
    for (const type of ['application/json', 'text/html', 'text/plain'])
      expect(faultOf(id, body, { headers: { 'content-type': type, 'transfer-encoding': 'chunked' } })).toBe(
        fault,
      )
    expect(faultOf(id, body, { headers: {}, isUnframed: true })).toBeDefined()
  })

  test.each([
    '{}',
    '{"message":"maintenance"}',
    '{"id":null,"paymentId":null,"status":null}',
    '{"status":503}',
    '{"status":"error","message":"x"}',
  ])('counts with %s in it only where it neither moves anything nor has an id to repeat', (body) => {
    const { echoes, risk } = callOf(id).operation
    expect(faultOf(id, body)).toBe(
      echoes === undefined && risk !== 'money' ? undefined : 'contains none of the expected fields',
    )
  })

  /** What names the resource: its own id, or the target's. */
  const [idField = '', idValue] = Object.entries(ANSWERS[id])[0] ?? []
  const isNamed = id !== 'session.update'

  test.runIf(isNamed).each([
    ['the same', { [idField]: idValue }],
    ['in escapes', undefined],
    ['another', { [idField]: 'other' }],
  ])('does not count with its id twice: %s', (_, second) => {
    const escaped = `"\\u${idField.charCodeAt(0).toString(16).padStart(4, '0')}${idField.slice(1)}":"x"`
    const more = second === undefined ? escaped : JSON.stringify(second).slice(1, -1)
    for (const body of [`${whole.slice(0, -1)},${more}}`, `\uFEFF{${more}, ${whole.slice(1)}`])
      expect(faultOf(id, body)).toBe(`names its ${idField} twice`)
  })

  test('counts with its id in other objects too', () => {
    const more = [ANSWERS[id], { more: ANSWERS[id] }]
    const nested = JSON.stringify({ ...ANSWERS[id], more, note: '\u001b' })
    expect(faultOf(id, nested)).toBeUndefined()
  })

  test.runIf(isNamed).each([{ error: { errorId: 'X' } }, { error: 'down' }, { errorId: 'X' }])(
    'does not count with its id and an error: %j',
    (error) => {
      const fault = 'is an error despite its status'
      expect(faultOf(id, JSON.stringify({ ...error, [idField]: idValue }))).toBe(fault)
      expect(faultOf(id, JSON.stringify({ [idField]: idValue, ...error, message: 'm' }))).toBe(fault)
    },
  )

  test('counts with an error next to a field of the resource', () => {
    const error = { errorId: 'X' }
    expect(
      faultOf(id, JSON.stringify({ ...ANSWERS[id], customerId: 'C-1', amount: 5, error })),
    ).toBeUndefined()
  })

  test('does not count without a body, regardless of its status', () => {
    for (const status of [201, 202, 204, 205]) expect(faultOf(id, '', { status, headers: {} })).toBeDefined()
  })
})

describe('the target', () => {
  test.each(['payment.capture', 'payment.refund', 'payment.adjust', 'payment.cancel'] as const)(
    'of a %s has to be the one in the path',
    (id) => {
      expect(faultOf(id, '{"id":"pay-2","status":"SETTLED"}')).toBe('is about pay-2 instead of pay-1')
    },
  )

  test.each(['observability.push', 'observability.update'] as const)(
    'of a %s has to be the one in the path or the body',
    (id) => {
      expect(faultOf(id, '{"paymentId":"rec-2","amount":5}')).toBe('is about rec-2 instead of rec-1')
    },
  )

  test('may be a number in an unchecked body', () => {
    const body = { value: { paymentId: 12 }, text: '{"paymentId":12}' }
    const asked = expectedAnswerOf(callOf('observability.push', { body }))
    expect(findAnswerFault(asked, answerOf('{"paymentId":"12"}'))).toBeUndefined()
    expect(findAnswerFault(asked, answerOf('{"paymentId":13}'))).toBe('is about 13 instead of 12')
  })

  test.each(['{"status":"SETTLED"}', '{"id":null,"amount":700}', '{"processor":{"amountRefunded":300}}'])(
    'may be left out where anything else of a payment is there: %s',
    (body) => expect(faultOf('payment.refund', body)).toBeUndefined(),
  )

  test('is the only field that must be there', () => {
    expect(faultOf('payment.refund', '{"id":"pay-1","amount":"many","more":[]}')).toBeUndefined()
  })
})

describe('a 202 to a resumption', () => {
  const envelope = '{"error":{"errorId":"NoActionsToHandle","description":"still open"}}'
  const unfinished = (body: string) => faultOf('payment.resume', body, { status: 202 })

  test('counts with the error that says why, or with the payment', () => {
    expect(unfinished(envelope)).toBeUndefined()
    expect(unfinished('{"id":"pay-1","status":"PENDING"}')).toBeUndefined()
    // With status 200, it does not prove that the payment was resumed.
    expect(faultOf('payment.resume', envelope)).toBe('is an error despite its status')
  })

  test.each([
    '',
    '{}',
    '{"status":"PENDING"}',
    '{"id":"pay-2","status":"PENDING"}',
    '{"error":{"description":"no id"}}',
    `${envelope}1`,
  ])('does not count with anything else: %s', (body) => expect(unfinished(body)).toBeDefined())
})

describe('a path that is not in the table', () => {
  const raw = (method: string, body: string, status = 200) =>
    findAnswerFault(
      { operation: { risk: method === 'GET' ? 'read' : 'money' }, id: undefined },
      answerOf(body, { status }),
    )

  test('counts with an object, a list, or 204 and nothing', () => {
    for (const [body, status] of [
      ['{}', 200],
      ['{"a":1}', 201],
      ['[]', 200],
      ['', 204],
    ] as const)
      expect(raw('POST', body, status)).toBeUndefined()
  })

  test('does not count with nothing but an error', () => {
    expect(raw('POST', '{"error":{"errorId":"X"}}')).toBe('is an error despite its status')
    expect(raw('POST', '{"error":null}')).toBeUndefined()
    expect(raw('POST', '{"id":"n-1","error":{"errorId":"X"}}')).toBeUndefined()
  })

  test('does not count with a page, nothing or a single value', () => {
    for (const body of ['<html>', '', 'OK', '"done"', '1', 'null', '{}{}', '[1'])
      expect(raw('DELETE', body)).toBeDefined()
  })

  test('accepts any response to a read', () => {
    for (const body of ['<html>', '', 'OK', '[1']) expect(raw('GET', body)).toBeUndefined()
  })
})

describe('a field that the payment knows', () => {
  test.each<Readonly<Record<string, unknown>>>([
    { id: 'x' },
    { status: 'SETTLED' },
    { amount: 5 },
    { processor: { name: 'x' } },
    { processor: {} },
    { transactions: [] },
    { transactions: [{ amount: 5 }] },
    { amount: 5, id: null },
  ])('is one in %j', (answer) => expect(hasKnownField(getPayment.response, answer)).toBe(true))

  test.each<Readonly<Record<string, unknown>>>([
    {},
    { id: 5 },
    { id: null },
    { status: 'error' },
    { status: 503 },
    { amount: 1.5 },
    { amount: '5' },
    { processor: 'x' },
    { processor: { name: 5 } },
    { transactions: {} },
    // Any text counts as a currency, so it proves nothing.
    { currencyCode: 'EUR' },
    // A map accepts anything, so it proves nothing.
    { metadata: { a: 1 } },
    { message: 'x' },
    { error: {} },
    { toString: 'x' },
    { warnings: {} },
  ])('is none in %j', (answer) => expect(hasKnownField(getPayment.response, answer)).toBe(false))
})
