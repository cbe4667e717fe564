import { describe, expect, test } from 'vitest'
import { AlreadyDoneError } from '../../../src/errors.ts'
import { callOf, recordingLedger, runCall } from '../../support/client-bench.ts'
import type { BenchOptions, Ending } from '../../support/client-bench.ts'
import { keyUsed, lost, payment, play, scripted, unsent } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { PAYMENT_ID, json, refusal } from '../../support/simulated-service.ts'
import type { WriteId } from '../../support/simulated-service.ts'

const paths = ({ sent }: Ending) => sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)

describe('a used key', () => {
  test('on a first send is a conflict: someone else used it', async () => {
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

  test('is not resent if the key may have been forgotten in the meantime, as on a machine that slept', async () => {
    const run = await play('payment.refund', [lost], { oversleepMs: 23 * 3_600_000 + 1 })
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
    expect(run.writes).toHaveLength(1)
  })

  test('is resent while the key is sure to be known', async () => {
    const run = await play('payment.refund', [lost, payment()], { oversleepMs: 22 * 3_600_000 })
    expect(run.exitCode).toBe(0)
  })
})

test('a key that an earlier write was confirmed with proves nothing of a lost attempt', async () => {
  const taken: BenchOptions['ledger'] = (steps) => ({
    endedOn: async () => [],
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
