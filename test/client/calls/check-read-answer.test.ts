import { describe, expect, test } from 'vitest'
import { getPaymentRecord } from '../../../src/api/operations/observability.ts'
import { getPayment, listPayments } from '../../../src/api/operations/payment.ts'
import { expectedAnswerOf, findAnswerFault } from '../../../src/client/calls/check-answer.ts'
import type { HttpResponse } from '../../../src/client/http/transport-port.ts'
import { answerOf } from './check-answer-bench.ts'

describe.each([
  ['a payment', getPayment, 'id'],
  ['a record', getPaymentRecord, 'paymentId'],
] as const)('a read of %s', (_, operation, idField) => {
  const call = { operation, params: { [idField]: 'pay-1' } }
  const read = (body: string, more: Partial<HttpResponse> = {}) =>
    findAnswerFault(expectedAnswerOf(call), answerOf(body, more))
  const named = (id: unknown, more: object = {}) => JSON.stringify({ [idField]: id, ...more })

  test('counts with an object that has its ID', () => {
    expect(read(named('pay-1'))).toBeUndefined()
    expect(read(named('pay-1', { status: 'SETTLED', error: null }))).toBeUndefined()
    expect(read(named('pay-1', { status: 'SETTLED', error: { errorId: 'X' } }))).toBeUndefined()
  })

  test.each<[string, string, string]>([
    ['another ID', named('pay-2', { status: 'SETTLED' }), 'is about pay-2 instead of pay-1'],
    ['an ID in another case', named('PAY-1'), 'is about PAY-1 instead of pay-1'],
    ['its ID twice', `{"${idField}":"pay-2","${idField}":"pay-1"}`, `names its ${idField} twice`],
    ['no ID', '{"status":"SETTLED"}', `does not name its ${idField}`],
    ['null for its ID', named(null, { status: 'SETTLED' }), `does not name its ${idField}`],
    ['a list for its ID', named(['pay-1']), `has no readable ${idField}`],
    ['its ID further in', `{"data":${named('pay-1')}}`, `does not name its ${idField}`],
    ['nothing in it', '{}', `does not name its ${idField}`],
    ['an error', '{"error":{"errorId":"X"}}', 'is an error despite its status'],
    ['its ID and an error', named('pay-1', { error: 'down' }), 'is an error despite its status'],
    ['null', 'null', 'is not a JSON object'],
    ['a list', `[${named('pay-1')}]`, 'is not a JSON object'],
    ['a text', '"pay-1"', 'is not a JSON object'],
    ['a page', '<html>', 'is a web page instead of JSON'],
    ['no body', '', 'is empty'],
    ['words', 'words', 'is not complete JSON'],
  ])('does not count with %s', (_name, body, fault) => {
    expect(read(body)).toBe(fault)
    expect(read(body, { status: 202 })).toBe(fault)
  })
})

test.each(['{"data":[{"id":"pay-2"}]}', '{"data":[],"data":[]}', '<html>', '', 'null'])(
  'a read of a list is left to its caller: %j',
  (body) => {
    const asked = expectedAnswerOf({ operation: listPayments, params: {} })
    expect(findAnswerFault(asked, answerOf(body))).toBeUndefined()
  },
)
