import { describe, expect, test } from 'vitest'
import { AlreadyDoneError } from '../../../src/errors.ts'
import { TransportFailure } from '../../../src/http/transport-port.ts'
import { callOf, recordingLedger, runCall } from '../../support/client-bench.ts'
import type { BenchOptions, Ending } from '../../support/client-bench.ts'
import { keyUsed, lost, payment, play, scripted, unsent } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { METHOD_TOKEN, PAYMENT_ID, json, refusal } from '../../support/simulated-service.ts'
import type { WriteId } from '../../support/simulated-service.ts'

const paths = ({ sent }: Ending) => sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)

describe('a used key', () => {
  test('on a first send is a conflict: somebody else used it', async () => {
    const run = await play('payment.refund', [keyUsed()])
    expect(run).toMatchObject({ exitCode: 6, settled: { state: 'rejected' } })
    expect(run.error).toMatchObject({ code: 'idempotency_key_used', details: { outcome: 'none' } })
  })

  test.each([
    [keyUsed(), PAYMENT_ID],
    [refusal(409, 'IdempotencyKeyAlreadyExists', { paymentId: 'another' }), 'another'],
    [refusal(400, 'TransactionRequestIdempotencyKeyAlreadyExists'), PAYMENT_ID],
  ])(
    'of a ticket, on a first send, is already done: for the payment that the service names',
    async (end, id) => {
      const run = await runCall(callOf('payment.refund', { ticket: 'T-1' }), { service: scripted(end) })
      expect(run).toMatchObject({ exitCode: 6, settled: { state: 'rejected', exitCode: 6 } })
      expect(run.error).toBeInstanceOf(AlreadyDoneError)
      expect(run.error).toMatchObject({ code: 'already_done', paymentId: id, details: { outcome: 'none' } })
    },
  )

  test('of a ticket, after an attempt of our own that was lost, is the answer', async () => {
    const run = await runCall(callOf('payment.refund', { ticket: 'T-1' }), {
      service: scripted(lost, keyUsed(), payment()),
    })
    expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed' } })
  })

  test.each([
    ['that was not sent', unsent],
    ['that was answered 429', json(429, {})],
  ])('on a resend after an attempt %s is a first send too', async (_, first) => {
    const run = await play('payment.refund', [first, keyUsed()])
    expect(run).toMatchObject({ exitCode: 6, settled: { state: 'rejected' } })
  })

  test.each([
    ['409', keyUsed()],
    ['400', refusal(400, 'TransactionRequestIdempotencyKeyAlreadyExists')],
  ])('on a resend (%s) means that it was processed, and the payment is read', async (_, used) => {
    const run = await play('payment.refund', [lost, used, payment({ amount: 1_000 })])
    expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed' } })
    expect(paths(run).at(-1)).toBe('GET /payments/pay-1')
    expect(run.answer?.json).toEqual({ id: PAYMENT_ID, status: 'SETTLED', amount: 1_000 })
    expect(run.answer?.note).toContain('read back')
  })

  test('is believed after a doubt with attempts between that were not sent or answered 429', async () => {
    const run = await play('payment.refund', [lost, unsent, json(429, {}), keyUsed(), payment()])
    expect(run.exitCode).toBe(0)
  })

  test('on the resend of a creation names the payment to read', async () => {
    const made = json(200, { id: 'made-1', status: 'AUTHORIZED' })
    const run = await play('payment.create', [json(500, {}), keyUsed({ paymentId: 'made-1' }), made])
    expect(run.exitCode).toBe(0)
    expect(paths(run).at(-1)).toBe('GET /payments/made-1')
  })

  test('on the resend of a creation without naming the payment leaves it in doubt', async () => {
    const run = await play('payment.create', [lost, keyUsed()])
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
  })

  test.each(['payment.create', 'payment.authorize', 'payment.capture'] as const)(
    'for a %s that was declined is 13, with the payment',
    async (id) => {
      const declined = json(200, { id: PAYMENT_ID, status: 'DECLINED', processor: { amountCaptured: 0 } })
      const run = await play(id, [lost, keyUsed({ paymentId: PAYMENT_ID }), declined])
      expect(run).toMatchObject({ exitCode: 13, settled: { state: 'confirmed', exitCode: 13 } })
      expect(run.answer?.json).toMatchObject({ status: 'DECLINED' })
    },
  )

  test('for a creation that the processor never answered is still unknown, and names the payment', async () => {
    const failed = json(200, { id: 'made-1', status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } })
    const run = await play('payment.create', [lost, keyUsed({ paymentId: 'made-1' }), failed])
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
    expect(run.error?.message).toContain('payment made-1')
  })

  test.each([
    ['shows another state', payment({ status: 'AUTHORIZED', processor: { amountCaptured: 0 } })],
    ['shows less captured', payment({ processor: { amountCaptured: 699 } })],
    ['is refused', refusal(400, 'PaymentError')],
    ['is refused (404)', refusal(404, 'PaymentNotFoundError')],
  ])('is no proof when the read %s', async (_, read) => {
    const run = await play('payment.capture', [lost, keyUsed(), read])
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
  })

  describe.each<[string, Scripted]>([
    ['fails', json(503, {})],
    ['is lost', lost],
    ['is refused to this key', refusal(403, 'Forbidden')],
    ['is a 404 of something on the way', { status: 404, headers: {}, body: 'nginx' }],
    ['is a page of HTML', { status: 200, headers: {}, body: '<html>' }],
    ['is no payment', json(200, [])],
    ['is a word of a proxy', json(200, { message: 'maintenance' })],
    ['is another payment', payment({ id: 'pay-2', status: 'DECLINED' })],
  ])('when the read %s', (_, read) => {
    const playOnce = (id: WriteId, used: Scripted) =>
      runCall(callOf(id), { service: scripted(lost, used, read, read, read, read) })

    test('still means that it was done: what the service has said is what there is to show', async () => {
      const run = await playOnce(
        'payment.capture',
        keyUsed({ paymentId: PAYMENT_ID, paymentStatus: 'SETTLED' }),
      )
      expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed', exitCode: 0 } })
      expect(run.answer?.json).toEqual({ id: PAYMENT_ID, status: 'SETTLED' })
      expect(run.answer?.warning).toContain('could not be read back')
      expect((await playOnce('payment.refund', keyUsed())).answer?.json).toEqual({ id: PAYMENT_ID })
    })

    test('is 13 where the service says that it was declined', async () => {
      const run = await playOnce(
        'payment.create',
        keyUsed({ paymentId: 'made-1', paymentStatus: 'DECLINED' }),
      )
      expect(run).toMatchObject({ exitCode: 13, settled: { state: 'confirmed', exitCode: 13 } })
      expect(run.answer?.json).toEqual({ id: 'made-1', status: 'DECLINED' })
    })

    test('stays in doubt where it failed: why, only the payment tells, and its processor may never have answered', async () => {
      const run = await playOnce('payment.create', keyUsed({ paymentId: 'made-1', paymentStatus: 'FAILED' }))
      expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
    })

    test('stays in doubt where what the service says contradicts it, or names another payment', async () => {
      // Processed without a status may be declined.
      for (const more of [
        {},
        { paymentStatus: 'AUTHORIZED' },
        { paymentId: 'pay-2', paymentStatus: 'SETTLED' },
      ]) {
        const run = await playOnce('payment.capture', keyUsed(more))
        expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
      }
    })
  })

  test('is no proof when it was used for another payment', async () => {
    const run = await play('payment.refund', [lost, keyUsed({ paymentId: 'pay-2' })])
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
  })

  test('given by hand and used for another creation is no proof', async () => {
    const run = await play('payment.create', [
      lost,
      keyUsed({ paymentId: 'old-1' }),
      payment({ id: 'old-1', amount: 5 }),
    ])
    expect(run.exitCode).toBe(10)
  })

  test('is no proof for an operation that takes no key', async () => {
    const run = await play('session.update', [lost, keyUsed()])
    expect(run.exitCode).toBe(10)
  })

  test('another 409 on a resend proves nothing', async () => {
    for (const errorId of ['PaymentAlreadyRefunded', 'PaymentRequestLimitExceeded', 'EntityAlreadyExists'])
      expect((await play('payment.refund', [lost, refusal(409, errorId)])).exitCode).toBe(10)
  })
})

describe('a doubt', () => {
  test.each([
    ['422', refusal(422, 'UnprocessableRefundAmount')],
    ['401', refusal(401, 'Unauthorized')],
    ['404', refusal(404, 'PaymentNotFoundError')],
    ['302', json(302, {})],
  ])('is not ended by %s', async (_, answer) => {
    const run = await play('payment.refund', [lost, answer])
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt', exitCode: 10 } })
    expect(run.error).toMatchObject({
      code: 'outcome_unknown',
      details: { outcome: 'unknown', retryable: false },
    })
  })

  test('says so with the answer when the refund that failed may be this one', async () => {
    const entry = { transactionType: 'REFUND', amount: 300 }
    const transactions = ['SETTLED', 'FAILED'].map((processorStatus) => ({ ...entry, processorStatus }))
    const run = await play('payment.refund', [payment({ transactions })])
    expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed' } })
    expect(run.answer?.warning).toContain('1 of 2 refunds that match this one has failed')
  })

  test('is ended by a 2xx with the payment in it, or a part of one', async () => {
    for (const body of ['{"id":"pay-1"}', '{"status":"SETTLED"}', '{"id":"pay-1","more":{"to":"come"}}'])
      expect((await play('payment.refund', [lost, { status: 200, headers: {}, body }])).exitCode).toBe(0)
  })

  test.each([
    '',
    '<html>',
    '{"half":',
    '{}',
    '{"message":"maintenance"}',
    '{"id":"pay-2","status":"SETTLED"}',
  ])('is not ended by a 2xx with anything else in it: %s', async (body) => {
    const run = await play('payment.refund', [lost, { status: 200, headers: {}, body }], { maxRetries: 1 })
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
    expect(run.error?.details).toMatchObject({ httpStatus: 200, outcome: 'unknown' })
  })

  test('is not resent when the key may have been forgotten meanwhile, as on a machine that slept', async () => {
    const run = await play('payment.refund', [lost], { oversleepMs: 23 * 3_600_000 + 1 })
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
    expect(run.writes).toHaveLength(1)
  })

  test('is resent while the key is sure to be known', async () => {
    const run = await play('payment.refund', [lost, payment()], { oversleepMs: 22 * 3_600_000 })
    expect(run.exitCode).toBe(0)
  })
})

describe('an adjustment', () => {
  const before = json(200, { id: PAYMENT_ID, status: 'AUTHORIZED', amount: 1_000 })
  const after = json(200, { id: PAYMENT_ID, status: 'AUTHORIZED', amount: 1_500 })

  test('is read before it is sent, and before anything is recorded', async () => {
    const run = await play('payment.adjust', [before, after])
    expect(run.steps.map(({ kind }) => kind)).toEqual(['send', 'begin', 'send', 'settle'])
    expect(paths(run)).toEqual(['GET /payments/pay-1', 'POST /payments/pay-1/adjust-authorization'])
  })

  test.each([
    [5, refusal(400, 'PaymentError')],
    [4, refusal(401, 'Unauthorized')],
    [11, { status: 200, headers: {}, body: '<html>' }],
    [9, new TransportFailure('tls', false, 'no')],
  ])('is not sent when the payment cannot be read: exit %i', async (exitCode, read) => {
    const run = await play('payment.adjust', [read])
    expect(run).toMatchObject({ exitCode, settled: undefined, writes: [] })
  })

  test('is done when a look shows the amount', async () => {
    const run = await play('payment.adjust', [before, lost, after])
    expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed' } })
    expect(run.answer?.json).toMatchObject({ amount: 1_500 })
  })

  test.each<[string, Scripted]>([
    ['no answer', lost],
    ['a gateway’s answer', json(503, {})],
    ['a page under 200', { status: 200, headers: {}, body: '<html>' }],
    ['the answer of another payment', payment({ id: 'pay-2', amount: 1_500 })],
  ])('is not repeated after %s, though the payment is what it was', async (_, answer) => {
    const run = await play('payment.adjust', [before, answer, before])
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
    expect(run.writes).toHaveLength(1)
    expect(run.waits).toHaveLength(1)
  })

  test('is sent again where nothing was sent, or let through', async () => {
    const run = await play('payment.adjust', [before, unsent, json(429, {}), after])
    expect(run.exitCode).toBe(0)
    expect(run.writes).toHaveLength(3)
  })

  test('is not repeated when anything else has changed', async () => {
    const changed = json(200, {
      id: PAYMENT_ID,
      status: 'AUTHORIZED',
      amount: 1_000,
      metadata: { by: 'another' },
    })
    const run = await play('payment.adjust', [before, lost, changed])
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
    expect(run.writes).toHaveLength(1)
  })

  test('waits as the service asks before it looks', async () => {
    const busy = { ...json(503, {}), headers: { 'retry-after': '9' } }
    expect((await play('payment.adjust', [before, busy, after])).waits).toEqual([9_000])
  })

  test('is proven not done when the service failed and the payment is what it was: exit 11', async () => {
    const failed = refusal(500, 'InternalServerError')
    const run = await play('payment.adjust', [before, failed, before])
    expect(run).toMatchObject({ exitCode: 11, settled: { state: 'rejected', exitCode: 11 } })
    expect(run.error?.details.outcome).toBe('none')
  })

  test.each<[string, Scripted]>([
    ['502', refusal(502, 'BadGateway')],
    ['504', refusal(504, 'GatewayTimeout')],
    ['503, a page', { status: 503, headers: {}, body: '<html>Service Unavailable' }],
    ['503, words', json(503, { message: 'Service Unavailable', code: 'UNAVAILABLE' })],
    ['524, a page', { status: 524, headers: {}, body: '<html>A timeout occurred' }],
    ['500, nothing', { status: 500, headers: {}, body: '' }],
  ])('a gateway’s answer proves nothing: it may be done later (%s)', async (_, answer) => {
    const run = await play('payment.adjust', [before, answer, before])
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
    expect(run.writes).toHaveLength(1)
  })
})

describe('a resumption', () => {
  const paused = json(200, { id: PAYMENT_ID, status: 'PENDING' })

  test('is done when a look shows that the payment went on', async () => {
    const run = await play('payment.resume', [paused, lost, payment({ status: 'AUTHORIZED' })])
    expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed' } })
  })

  test('is 13 when a look shows that it was declined', async () => {
    const run = await play('payment.resume', [paused, json(503, {}), payment({ status: 'DECLINED' })])
    expect(run.exitCode).toBe(13)
  })

  test.each([
    ['still waits', 'PENDING'],
    ['was cancelled by somebody', 'CANCELLED'],
  ])('is in doubt and never repeated when the payment %s', async (_, status) => {
    const run = await play('payment.resume', [paused, lost, payment({ status })])
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
    expect(run.writes).toHaveLength(1)
  })

  test('is in doubt when the payment did not wait in the first place', async () => {
    const run = await play('payment.resume', [payment({ status: 'AUTHORIZED' }), lost, payment()])
    expect(run.exitCode).toBe(10)
  })

  test('that is not finished is 8, and recorded as done', async () => {
    const run = await play('payment.resume', [paused, refusal(202, 'NoActionsToHandle'), paused])
    expect(run).toMatchObject({ exitCode: 8, settled: { state: 'confirmed', exitCode: 8 } })
    expect(run.answer).toMatchObject({
      json: { id: PAYMENT_ID, status: 'PENDING' },
      unfinished: {
        errorId: 'NoActionsToHandle',
        description: 'because of NoActionsToHandle',
        diagnosticsId: 'diag-1',
      },
    })
  })
})

describe('an external record', () => {
  const exists = refusal(409, 'EntityAlreadyExists')

  test('that exists on a first send is a conflict', async () => {
    for (const first of [[], [unsent], [json(429, {})]])
      expect((await play('observability.push', [...first, exists])).exitCode).toBe(6)
  })

  test('that exists on a resend is brought to its fields, but for paymentId and createdAt', async () => {
    const run = await play('observability.push', [lost, exists, json(200, { paymentId: 'rec-1', amount: 5 })])
    expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed' } })
    expect(paths(run).at(-1)).toBe('PATCH /observability/payments/rec-1')
    expect(JSON.parse(run.sent.at(-1)?.body ?? '')).toEqual({ amount: 5, order: { id: 'A-1' } })
  })

  test.each([
    ['is refused', [refusal(403, 'Forbidden')]],
    ['cannot be sent', [unsent, unsent]],
    ['is lost', [lost, json(503, {})]],
    ['is slowed down', [json(429, {}), json(429, {})]],
  ])('stays in doubt when that update %s', async (_, script) => {
    const run = await play('observability.push', [lost, exists, ...script], { maxRetries: 1 })
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
  })

  test('with a paymentId that cannot stand in a path is in doubt, and not a usage error', async () => {
    const value = { paymentId: 'a/b', amount: 5 }
    const call = callOf('observability.push', { body: { value, text: JSON.stringify(value) } })
    const run = await runCall(call, { service: scripted(lost, exists) })
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
  })
})

describe('a deletion', () => {
  const unknownToken = refusal(400, 'InvalidPaymentInstrumentToken')

  test('of an unknown token is not found on a first send', async () => {
    for (const first of [[], [unsent], [json(429, {})]])
      expect((await play('instrument.delete', [...first, unknownToken])).exitCode).toBe(5)
  })

  test('of an unknown token on a resend is done', async () => {
    const run = await play('instrument.delete', [lost, unknownToken])
    expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed' } })
    expect(run.answer).toMatchObject({ status: 200, json: { deleted: true } })
    expect(run.answer?.warning).toContain('not a response from the service')
    expect(run.answer?.text).not.toContain(METHOD_TOKEN)
  })

  test('is the only operation that an unknown token ends', async () => {
    for (const id of ['instrument.default', 'instrument.vault'] as const)
      expect((await play(id, [lost, unknownToken])).exitCode).toBe(10)
  })
})

const DONE = { 'loyalty.create': { id: 'points-1' }, 'session.create': { clientToken: 'client-1' } } as const

describe.each(['loyalty.create', 'session.create'] as const)('%s', (id) => {
  test.each([
    ['500', json(500, {})],
    ['503', { ...json(503, {}), headers: { 'retry-after': '1' } }],
    ['a cut connection', lost],
    ['a timeout', new TransportFailure('timeout', true, 'late')],
    ['an answer that is too large', new TransportFailure('too-large', true, 'large')],
  ])('is not sent again after %s', async (_, end) => {
    const run = await play(id, [end])
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
    expect(run.sent).toHaveLength(1)
  })

  test('is sent again while it never left', async () => {
    const run = await play(id, [unsent, unsent, json(200, DONE[id])])
    expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed' } })
  })
})

test('a key that an earlier write was confirmed with proves nothing of a lost attempt', async () => {
  const taken: BenchOptions['ledger'] = (steps) => ({
    begin: async (...how) => ({
      ...(await recordingLedger(steps).begin(...how)),
      isKeyTaken: async () => true,
    }),
  })
  const call = callOf('payment.refund', { idempotencyKey: 'by-hand' })
  const run = await runCall(call, { service: scripted(lost, keyUsed()), ledger: taken })
  expect(run).toMatchObject({ exitCode: 10 })
  expect(run.settled).toMatchObject({ state: 'in-doubt' })
})
