import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getPayment, listPayments } from '../../../src/api/operations/payment.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import { WRITES, callOf, recordingLedger, runCall } from '../../support/client-bench.ts'
import type { BenchOptions } from '../../support/client-bench.ts'
import { lost, payment, play, scripted, unsent } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { METHOD_TOKEN, PAYMENT_ID, json, refusal } from '../../support/simulated-service.ts'

const get = (script: readonly Scripted[], more: Partial<BenchOptions> = {}) =>
  runCall({ operation: getPayment, params: { id: PAYMENT_ID } }, { service: scripted(...script), ...more })

function faultOfOurs(): never {
  throw new TypeError('undefined is not a function')
}

const fullLedger: BenchOptions['ledger'] = () => ({
  endedOn: async () => [],
  begin: async () => {
    throw new Error('no space left on device')
  },
})
const brokenLedger: NonNullable<BenchOptions['ledger']> = (steps) => ({
  endedOn: async () => [],
  begin: async (intent, how) => ({
    ...(await recordingLedger(steps).begin(intent, how)),
    settle: async () => {
      throw new Error('no space left on device')
    },
  }),
})

describe('the ledger', () => {
  test.each(WRITES.map(({ id }) => id))(
    '%s is recorded before it is sent, and its outcome before it is reported',
    async (id) => {
      const run = await runCall(callOf(id), {
        service: ({ method }) =>
          method === 'GET' ? payment() : json(422, { error: { errorId: 'RequestValidationError' } }),
      })
      const kinds = run.steps.map(({ kind }) => kind)
      const isReadFirst = id === 'payment.adjust' || id === 'payment.resume'
      expect(kinds).toEqual([...(isReadFirst ? ['send'] : []), 'begin', 'send', 'settle'])
      expect(run.settled).toMatchObject({ state: 'rejected', exitCode: 3 })
    },
  )

  test('gets the intent before anything is sent', async () => {
    const call = callOf('payment.refund', { amount: 300, currencyCode: 'EUR', idempotencyKey: 'by-hand' })
    const run = await runCall(call, { service: scripted(payment()) })
    expect(run.steps[0]).toEqual({
      kind: 'begin',
      intent: expect.objectContaining({
        operation: 'payment.refund',
        profile: 'shop',
        mode: 'test',
        target: { kind: 'payment', name: PAYMENT_ID },
        request: { params: { id: PAYMENT_ID }, body: '{"amount":300}' },
        amount: 300,
        currencyCode: 'EUR',
        idempotencyKey: 'by-hand',
      }),
    })
    expect(run.sent[0]?.headers['x-idempotency-key']).toBe('by-hand')
    expect(run.answer).toMatchObject({ operationId: 'op-1', idempotencyKey: 'by-hand' })
  })

  test.each(['instrument.default', 'instrument.delete', 'instrument.vault'] as const)(
    'is given the hash of a token, and never the token: %s',
    async (id) => {
      const run = await play(id, [json(200, { token: METHOD_TOKEN })])
      const hash = createHash('sha256').update(METHOD_TOKEN).digest('hex')
      expect(run.steps[0]).toMatchObject({
        kind: 'begin',
        intent: { target: { kind: 'saved-method', name: `sha256:${hash}` } },
      })
    },
  )

  test('gets the unchanged id of a record', async () => {
    const run = await play('observability.update', [json(200, { paymentId: 'rec-1' })])
    expect(run.steps[0]).toMatchObject({
      kind: 'begin',
      intent: { target: { kind: 'record', name: 'rec-1' } },
    })
  })

  test('is not asked for reads', async () => {
    for (const operation of [getPayment, listPayments]) {
      const run = await runCall(
        { operation, params: { id: PAYMENT_ID } },
        { service: scripted(lost, payment()) },
      )
      expect(run.steps.filter(({ kind }) => kind === 'begin' || kind === 'settle')).toEqual([])
    }
  })

  test('that refuses prevents sending', async () => {
    await expect(play('payment.refund', [], { ledger: fullLedger })).rejects.toThrow(
      'no space left on device',
    )
  })

  test('that cannot record the outcome turns no success into a failure', async () => {
    const run = await play('payment.refund', [payment()], { ledger: brokenLedger })
    expect(run.exitCode).toBe(0)
    expect(run.answer?.warning).toContain('could not be recorded: no space left on device')
  })

  test.each([
    ['outcome_unknown', [lost, refusal(422, 'X')]],
    ['outcome_unrecorded', [refusal(422, 'X')]],
  ])('that cannot record the outcome says so: exit 10 %s', async (code, script) => {
    const run = await play('payment.refund', script, { ledger: brokenLedger })
    expect(run.error).toMatchObject({ code, exitCode: 10 })
  })
})

describe('the requests of one intent', () => {
  test('are the same bytes on every attempt', async () => {
    const run = await play('payment.refund', [lost, json(503, {}), json(429, {}), payment()])
    const texts = run.sent.map((request) => JSON.stringify(request))
    expect(texts).toHaveLength(4)
    expect(new Set(texts).size).toBe(1)
    expect(run.sent[0]?.body).toBe('{"amount":300}')
  })

  test('are each reported, with duration and request id', async () => {
    const run = await play('payment.refund', [lost, payment()])
    expect(run.logs.map(({ attempt, ended }) => [attempt, ended.kind])).toEqual([
      [1, 'failure'],
      [2, 'answer'],
    ])
    expect(run.logs[1]?.ended).toMatchObject({ requestId: 'request-1' })
  })

  test('a bug of ours while sending counts as sent', async () => {
    expect(await runCall(callOf('loyalty.create'), { service: faultOfOurs })).toMatchObject({
      exitCode: 10,
      settled: { state: 'in-doubt' },
    })
  })

  test.each([
    ['loyalty.create', 1],
    ['payment.refund', 4],
  ] as const)('%s is sent %i times at most', async (id, times) => {
    const run = await runCall(callOf(id), { service: () => json(503, {}) })
    expect(run.sent).toHaveLength(times)
  })
})

describe('a read', () => {
  test.each([
    ['5xx', 11, json(503, {})],
    ['a timeout', 11, new TransportFailure('timeout', true, 'late')],
    ['a cut answer', 11, lost],
    ['429', 7, json(429, {})],
    ['a refused connection', 9, unsent],
  ])('is repeated after %s, and in the end exit %i: it is never in doubt', async (_, exitCode, end) => {
    const run = await get([end, end, end, end])
    expect(run).toMatchObject({ exitCode, error: { details: { outcome: 'none', retryable: true } } })
    expect((await get([end, end, end, payment()])).exitCode).toBe(0)
  })

  test('is refused at once', async () => {
    expect((await get([refusal(400, 'PaymentError')])).exitCode).toBe(5)
    expect((await get([json(302, {})])).exitCode).toBe(3)
    expect((await get([refusal(403, 'Forbidden')])).exitCode).toBe(4)
  })

  test('sends no key and no body', async () => {
    const run = await get([payment()])
    expect(run.sent[0]).toMatchObject({ method: 'GET', body: undefined })
    expect(run.sent[0]?.headers).not.toHaveProperty('x-idempotency-key')
  })
})

test("reports the service's explanation of a refusal", async () => {
  const run = await play('payment.refund', [
    refusal(422, 'UnprocessableRefundAmount', { recoverySuggestion: 'less' }),
  ])
  expect(run.error).toMatchObject({
    code: 'refund_exceeds_remaining',
    exitCode: 3,
    details: {
      httpStatus: 422,
      errorId: 'UnprocessableRefundAmount',
      description: 'because of UnprocessableRefundAmount',
      diagnosticsId: 'diag-1',
      hint: 'less',
      operation: 'payment.refund',
      operationId: 'op-1',
      idempotencyKey: 'key-1',
      outcome: 'none',
      retryable: false,
    },
  })
})
