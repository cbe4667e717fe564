import { expect, onTestFinished, test, vi } from 'vitest'
import type { Payment } from '../../../../src/api/models/payment.ts'
import { createClient, outcomeOf, paymentIn } from '../../../../src/pages/checkout/service/client.ts'
import type { Answer } from '../../../../src/pages/checkout/service/client.ts'

function answerWith(answer: () => Promise<Response>) {
  const fetch = vi.fn(answer)
  vi.stubGlobal('fetch', fetch)
  onTestFinished(() => void vi.unstubAllGlobals())
  return fetch
}

test.each([
  [200, '{"id":"p1"}', null, { kind: 'done', body: { id: 'p1' } }],
  [200, '{"id":', null, { kind: 'lost', why: 'The service sent an unreadable response.' }],
  [200, '<html>', null, { kind: 'lost' }],
  [202, '{"error":{"errorId":"NoActionsToHandle"}}', null, { kind: 'refused', errorId: 'NoActionsToHandle' }],
  [
    500,
    '{"error":{"errorId":"X"}}',
    null,
    { kind: 'lost', why: 'The service responded with an error (500).' },
  ],
  [503, '', '7', { kind: 'lost', retryAfterMs: 7000 }],
  [429, '', null, { kind: 'lost', retryAfterMs: 0 }],
  [429, '', 'Wed, 21 Oct 2026 07:28:00 GMT', { kind: 'lost', retryAfterMs: 0 }],
  [408, '', null, { kind: 'lost' }],
  [400, '', null, { kind: 'refused', errorId: 'UnreadableResponse' }],
  [
    409,
    '{"error":{"errorId":"PaymentRequestLimitExceeded","description":"No.","paymentId":"p1","recoverySuggestion":"Stop."}}',
    null,
    { kind: 'refused', status: 409, paymentId: 'p1', description: 'No.', recoverySuggestion: 'Stop.' },
  ],
])('%i %j is judged', async (status, text, retryAfter, expected) => {
  answerWith(
    async () =>
      new Response(text, {
        status,
        headers: new Headers(retryAfter === null ? [] : [['retry-after', retryAfter]]),
      }),
  )
  expect(await createClient('t').send('GET', '/client-session')).toMatchObject(expected)
})

test.each([
  [new TypeError('fetch failed'), 'The connection was lost.'],
  [new DOMException('', 'TimeoutError'), 'The service took too long to respond.'],
])('%s is no answer', async (error, why) => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(
    error instanceof DOMException ? AbortSignal.abort(error) : new AbortController().signal,
  )
  onTestFinished(() => void vi.restoreAllMocks())
  answerWith(() => Promise.reject(error))
  expect(await createClient('t').send('GET', '/client-session')).toEqual({ kind: 'lost', why })
})

test('the client token is in a header only', async () => {
  const fetch = answerWith(async () => new Response('{}'))
  await createClient('a.b.c').send('POST', '/payments', { body: {}, idempotencyKey: 'k1' })
  expect(fetch).toHaveBeenCalledWith(
    '/payments',
    expect.objectContaining({
      body: '{}',
      headers: expect.objectContaining({ authorization: 'Bearer a.b.c', 'x-idempotency-key': 'k1' }),
    }),
  )
})

test.each([
  ['AUTHORIZED', 'successful'],
  ['SETTLING', 'successful'],
  ['PARTIALLY_SETTLED', 'successful'],
  ['SETTLED', 'successful'],
  ['DECLINED', 'declined'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'failed'],
  ['PENDING', undefined],
  ['SOMETHING_ELSE', undefined],
  ['constructor', undefined],
])('a payment that is %s is %s', (status, outcome) => {
  expect(outcomeOf({ status })).toBe(outcome)
})

test.each<[Answer<Payment>, object | undefined]>([
  [{ kind: 'done', body: { id: 'p1' } }, { id: 'p1' }],
  [{ kind: 'done', body: {} }, undefined],
  [{ kind: 'lost', why: '' }, undefined],
])('%j has the payment %j', (answer, payment) => {
  expect(paymentIn(answer)).toEqual(payment)
})
