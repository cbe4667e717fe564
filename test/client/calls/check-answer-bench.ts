import { expectedAnswerOf, findAnswerFault } from '../../../src/client/calls/check-answer.ts'
import type { HttpResponse } from '../../../src/client/http/transport-port.ts'
import { callOf } from '../../support/client-bench.ts'
import type { WriteId } from '../../support/simulated-service.ts'

export const JSON_TYPE = { 'content-type': 'application/json' }
export const answerOf = (body: string, more: Partial<HttpResponse> = {}): HttpResponse => ({
  status: 200,
  headers: { ...JSON_TYPE, 'content-length': String(Buffer.byteLength(body)) },
  body,
  ...more,
})
export const faultOf = (id: WriteId, body: string, more: Partial<HttpResponse> = {}) =>
  findAnswerFault(expectedAnswerOf(callOf(id)), answerOf(body, more))
