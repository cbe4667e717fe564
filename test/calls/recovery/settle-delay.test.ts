import { describe, expect, test } from 'vitest'
import type { StoredIntent } from '../../../src/ledger/port.ts'
import { sha256 } from '../../../src/calls/build-intent.ts'
import { lost } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { json, refusal } from '../../support/simulated-service.ts'
import { API_KEY, HOUR_MS, MINUTE_MS, NOW, storedRefund, runResolve } from './resolve-bench.ts'

const GIVEN_UP = new Date(NOW.getTime() - 10_000)
const live = (more: Partial<StoredIntent> = {}): StoredIntent =>
  storedRefund({ mode: 'live', createdAt: GIVEN_UP, underWayAt: GIVEN_UP, ...more })
const after = (ms: number): Date => new Date(GIVEN_UP.getTime() + ms)
const NOT_YET = 'It is not visible yet and may still arrive: try again after 12:04:50 UTC.'

const pending = { id: 'pay-1', status: 'PENDING' }
const authorized = { id: 'pay-1', status: 'AUTHORIZED', amount: 1_000 }
const settled = {
  id: 'pay-1',
  status: 'SETTLED',
  processor: { amountCaptured: 1_000, amountRefunded: 0 },
  transactions: [],
}
const snapshot = (payment: { status: string }) => ({
  sha256: sha256(JSON.stringify(payment)),
  status: payment.status,
})

/** Each way to find out that nothing is there, and what follows once nothing can arrive anymore. */
const ABSENCES: Readonly<
  Record<
    string,
    { readonly intent: Partial<StoredIntent>; readonly read: Scripted; readonly exitCode: number }
  >
> = {
  'a payment that is not among those of its order': {
    intent: { operation: 'payment.create', target: { kind: 'order', name: 'A-1' }, request: undefined },
    read: json(200, { data: [] }),
    exitCode: 11,
  },
  'a resumption of a payment that still waits': {
    intent: { operation: 'payment.resume', request: undefined, before: snapshot(pending) },
    read: json(200, pending),
    exitCode: 11,
  },
  'a refund that is refused when it is sent again': {
    intent: {},
    read: json(200, settled),
    exitCode: 3,
  },
  'a refund that is only read, because its key may mean nothing to another API key': {
    intent: { apiKeyId: 'another' },
    read: json(200, settled),
    exitCode: 11,
  },
  'a refund of a payment that is not there': {
    intent: {},
    read: refusal(400, 'PaymentError'),
    exitCode: 5,
  },
  'an adjustment that is refused when it is sent again': {
    intent: {
      operation: 'payment.adjust',
      request: { params: { id: 'pay-1' }, body: '{"amount":1500}' },
      before: snapshot(authorized),
    },
    read: json(200, authorized),
    exitCode: 3,
  },
}

describe.each(Object.entries(ABSENCES))('%s', (_, { intent, read, exitCode }) => {
  const service = { read: () => read, write: () => refusal(422, 'UnprocessableRefundAmount') }

  test('stays in doubt for five minutes if the money is real, without waiting', async () => {
    for (const ms of [10_000, 4 * MINUTE_MS, 5 * MINUTE_MS - 1]) {
      const run = await runResolve(live(intent), { ...service, at: after(ms) })
      expect(run).toMatchObject({ waits: [], resolution: { kind: 'in-doubt', isAmbiguous: false } })
      expect(run.resolution.words).toBe(NOT_YET)
      // Asking does not put it off.
      expect(run.resolution).toMatchObject({ underWayAt: GIVEN_UP })
    }
  })

  test('counts as not done after that', async () => {
    const run = await runResolve(live(intent), { ...service, at: after(5 * MINUTE_MS) })
    expect(run).toMatchObject({ waits: [], resolution: { kind: 'rejected', exitCode } })
  })

  test('counts as not done after ten seconds on a test profile', async () => {
    const run = await runResolve(live({ ...intent, mode: 'test' }), { ...service, at: after(10_000) })
    expect(run).toMatchObject({ waits: [], resolution: { kind: 'rejected', exitCode } })
  })

  test('is of real money where the profile was changed since', async () => {
    const run = await runResolve(live({ ...intent, mode: 'test' }), { ...service, mode: 'live' })
    expect(run.resolution).toMatchObject({ kind: 'in-doubt', words: NOT_YET })
  })
})

test('the wait has a reason', async () => {
  const intent = storedRefund({
    ...ABSENCES['a resumption of a payment that still waits']?.intent,
    underWayAt: NOW,
  })
  const run = await runResolve(intent, { read: () => json(200, pending) })
  expect(run).toMatchObject({ waits: [10_000], waitWords: ['because the request may still arrive'] })
})

test('where a service gets longer to answer, it gets longer to arrive', async () => {
  const intent = live(ABSENCES['a payment that is not among those of its order']?.intent)
  const read = () => json(200, { data: [] })
  const run = await runResolve(intent, { read, timeoutMs: 10 * MINUTE_MS, at: after(9 * MINUTE_MS) })
  expect(run.resolution.words).toContain('try again after 12:09:50 UTC')
})

test('a write whose state the payment shows is reported at once', async () => {
  const intent = live({
    operation: 'payment.cancel',
    apiKeyId: 'another',
    request: { params: { id: 'pay-1' }, body: undefined },
  })
  const run = await runResolve(intent, { read: () => json(200, { id: 'pay-1', status: 'CANCELLED' }) })
  expect(run).toMatchObject({ waits: [], writes: [], resolution: { kind: 'confirmed', exitCode: 0 } })
})

describe('the time when it was last in flight', () => {
  const given = (write: Scripted, maxRetries = 0) =>
    runResolve(live(), { read: () => json(200, settled), write: () => write, maxRetries })

  test('is now when it was sent again and nothing tells that it is over', async () => {
    for (const write of [lost, json(503, {}), refusal(504, 'GatewayTimeout')])
      expect((await given(write)).resolution).toMatchObject({ kind: 'in-doubt', underWayAt: NOW })
  })

  test('is what it was when the service has refused what was sent again', async () => {
    for (const write of [refusal(403, 'Forbidden'), json(429, {}), refusal(500, 'InternalServerError')])
      expect((await given(write)).resolution).toMatchObject({ kind: 'in-doubt', underWayAt: GIVEN_UP })
  })

  test('is now, too, where one of several attempts had no answer', async () => {
    const run = await runResolve(live({ underWayAt: new Date(NOW.getTime() - HOUR_MS) }), {
      read: () => json(200, settled),
      write: (_, index) => (index === 0 ? lost : refusal(422, 'UnprocessableRefundAmount')),
      maxRetries: 1,
    })
    expect(run.resolution).toMatchObject({ kind: 'in-doubt', isAmbiguous: false, underWayAt: NOW })
    expect(run.resolution.words).toContain('may still arrive')
  })

  test('is never in the future: a wrong clock would make the wait endless', async () => {
    const run = await runResolve(live({ apiKeyId: 'another', underWayAt: after(HOUR_MS) }), {
      read: () => json(200, settled),
    })
    expect(run.resolution).toMatchObject({ kind: 'in-doubt', underWayAt: NOW })
    expect(run.resolution.words).toContain('try again after 12:05:00 UTC')
  })

  test('is unchanged when nothing could be requested', async () => {
    const run = await runResolve(live(), { read: () => json(500, {}) })
    expect(run.resolution).toMatchObject({ kind: 'in-doubt', underWayAt: GIVEN_UP })
    expect(run.resolution.words).not.toContain(API_KEY)
  })
})

test.each([
  ['absent', []],
  ['unclear', [{ amount: 300 }]],
])('before sending, it learns what the payment shows: %s', async (evidence, entries) => {
  const transactions = entries.map((entry) => ({ transactionType: 'REFUND', ...entry }))
  const run = await runResolve(live(), {
    read: () => json(200, { ...settled, transactions }),
    confirmSend: false,
  })
  expect(run).toMatchObject({ questions: 1, evidence, writes: [] })
})
