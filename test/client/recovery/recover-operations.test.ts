import { describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import { callOf, runCall } from '../../support/client-bench.ts'
import type { Ending } from '../../support/client-bench.ts'
import { lost, payment, play, scripted, unsent } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { METHOD_TOKEN, PAYMENT_ID, json, refusal } from '../../support/simulated-service.ts'

const paths = ({ sent }: Ending) => sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)

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

  test('is done when a reading shows the amount', async () => {
    const run = await play('payment.adjust', [before, lost, after])
    expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed' } })
    expect(run.answer?.json).toMatchObject({ amount: 1_500 })
  })

  test.each<[string, Scripted]>([
    ['no answer', lost],
    ['a gateway’s answer', json(503, {})],
    ['a page under 200', { status: 200, headers: {}, body: '<html>' }],
    ['the answer of another payment', payment({ id: 'pay-2', amount: 1_500 })],
  ])('is not repeated after %s, although the payment is unchanged', async (_, answer) => {
    const run = await play('payment.adjust', [before, answer, before])
    expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
    expect(run.writes).toHaveLength(1)
    expect(run.waits).toHaveLength(1)
  })

  test('is sent again when nothing was sent or let through', async () => {
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

  test('waits as long as the service asks before reading', async () => {
    const busy = { ...json(503, {}), headers: { 'retry-after': '9' } }
    expect((await play('payment.adjust', [before, busy, after])).waits).toEqual([9_000])
  })

  test.each<[string, Scripted]>([
    ['500', refusal(500, 'InternalServerError')],
    ['502', refusal(502, 'BadGateway')],
    ['504', refusal(504, 'GatewayTimeout')],
    ['503, a page', { status: 503, headers: {}, body: '<html>Service Unavailable' }],
    ['503, words', json(503, { message: 'Service Unavailable', code: 'UNAVAILABLE' })],
    ['524, a page', { status: 524, headers: {}, body: '<html>A timeout occurred' }],
    ['500, nothing', { status: 500, headers: {}, body: '' }],
  ])(
    'a fault proves nothing, though the payment is what it was: it may be done later (%s)',
    async (_, answer) => {
      const run = await play('payment.adjust', [before, answer, before])
      expect(run).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
      expect(run.writes).toHaveLength(1)
    },
  )
})

describe('a resumption', () => {
  const paused = json(200, { id: PAYMENT_ID, status: 'PENDING' })

  test('is done when a reading shows that the payment continued', async () => {
    const run = await play('payment.resume', [paused, lost, payment({ status: 'AUTHORIZED' })])
    expect(run).toMatchObject({ exitCode: 0, settled: { state: 'confirmed' } })
  })

  test('is 13 when a reading shows that it was declined', async () => {
    const run = await play('payment.resume', [paused, json(503, {}), payment({ status: 'DECLINED' })])
    expect(run.exitCode).toBe(13)
  })

  test.each([
    ['still waits', 'PENDING'],
    ['was cancelled by someone else', 'CANCELLED'],
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

  test('with a paymentId that cannot be part of a path is in doubt, and not a usage error', async () => {
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
