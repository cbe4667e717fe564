import { describe, expect, test } from 'vitest'
import { getPayment } from '../../../src/api/operations/payment.ts'
import { findAnswerFault } from '../../../src/client/calls/check-answer.ts'
import type { HttpResponse } from '../../../src/client/http/transport-port.ts'
import { callOf } from '../../support/client-bench.ts'
import { PAYMENT_ID } from '../../support/simulated-service.ts'
import { JSON_TYPE, faultOf } from './check-answer-bench.ts'

test.each<HttpResponse['headers']>([
  { 'content-length': '14', 'transfer-encoding': 'chunked' },
  { 'content-length': '14, 14' },
  { 'content-length': '1e1' },
  { 'transfer-encoding': 'gzip' },
  { 'transfer-encoding': 'chunked, chunked' },
  { 'transfer-encoding': 'gzip, chunked' },
])('an answer that has contradictory length headers does not count: %j', (headers) => {
  for (const status of [200, 400, 409])
    expect(faultOf('payment.refund', '{"id":"pay-1"}', { status, headers })).toBeDefined()
  expect(faultOf('payment.refund', '{"id":"pay-1"}', { status: 503, headers })).toBeUndefined()
})

describe('a response without a length', () => {
  test.each<[string, HttpResponse['headers']]>([
    ['{"id":"pay-1"', {}],
    ['[1', { 'content-type': 'text/plain' }],
    ['<html>', JSON_TYPE],
    ['', JSON_TYPE],
  ])('is cut when it begins as JSON or declares JSON: %j', (body, headers) => {
    for (const status of [200, 302, 400, 409, 422])
      for (const operation of [getPayment, callOf('payment.refund').operation])
        expect(
          findAnswerFault({ operation, id: PAYMENT_ID }, { status, headers, body, isUnframed: true }),
        ).toBe('is cut short in the middle of its JSON')
  })

  test('is accepted with a status of 429 or 5xx, which says everything', () => {
    for (const status of [429, 500, 503])
      expect(
        faultOf('payment.refund', '{"error":', { status, headers: JSON_TYPE, isUnframed: true }),
      ).toBeUndefined()
  })

  test('is complete when it neither is nor declares JSON', () => {
    for (const status of [400, 404])
      expect(faultOf('payment.refund', '<html>', { status, headers: {}, isUnframed: true })).toBeUndefined()
  })
})
