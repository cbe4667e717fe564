import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../src/files/sha256.ts'
import type { DoubtfulWrite } from '../../../src/client/ledger/port.ts'
import { lost, unsent } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { json, refusal } from '../../support/simulated-service.ts'
import { HOUR_MS, MINUTE_MS, aged, agedBeforeSlowRead, storedRefund, runResolve } from './resolve-bench.ts'

const snapshotOf = (payment: object, status?: string) => ({ sha256: sha256(JSON.stringify(payment)), status })
const justNow = aged(0)

describe('an adjustment in doubt', () => {
  const before = { id: 'pay-1', status: 'AUTHORIZED', amount: 1_000 }
  const after = { ...before, amount: 1_500 }
  const changed = { ...before, status: 'SETTLED' }
  const stored = (more: Partial<DoubtfulWrite> = {}) =>
    storedRefund({
      operation: 'payment.adjust',
      amount: 1_500,
      idempotencyKey: undefined,
      request: { params: { id: 'pay-1' }, body: '{"amount":1500}' },
      before: snapshotOf(before, 'AUTHORIZED'),
      ...more,
    })

  test.each<[string, Scripted, object]>([
    ['shows the new amount', json(200, after), { kind: 'confirmed', exitCode: 0 }],
    ['was changed by someone else', json(200, changed), { kind: 'in-doubt', isAmbiguous: true }],
    ['cannot be read', json(500, {}), { kind: 'in-doubt', isAmbiguous: false }],
    ['is lost', lost, { kind: 'in-doubt', isAmbiguous: false }],
    ['is not there', refusal(400, 'PaymentError'), { kind: 'rejected', exitCode: 5 }],
    ['shows no figures', json(200, { id: 'pay-1' }), { kind: 'in-doubt', isAmbiguous: true }],
  ])('is not sent when the payment %s', async (_, answer, told) => {
    for (const ms of [60_000, 22 * HOUR_MS, 24 * HOUR_MS]) {
      const run = await runResolve(stored(aged(ms)), { read: () => answer })
      expect(run.resolution).toMatchObject(told)
      expect(run).toMatchObject({ writes: [], questions: 0 })
    }
  })

  test('is not sent if the payment was read too early, however late it came', async () => {
    const { times, read } = agedBeforeSlowRead(MINUTE_MS - 1, () => json(200, before))
    const run = await runResolve(stored(times), { read })
    expect(run).toMatchObject({ resolution: { kind: 'in-doubt', isAmbiguous: false }, writes: [] })
  })

  test.each<[string, Scripted, object]>([
    ['200', json(200, after), { kind: 'confirmed', exitCode: 0 }],
    ['400, the state', refusal(400, 'PaymentIsNotAuthorizedYet'), { kind: 'rejected', exitCode: 6 }],
    ['400, the kind', refusal(400, 'IncorrectPaymentAuthorizationType'), { kind: 'rejected', exitCode: 3 }],
    ['422', refusal(422, 'RequestValidationError'), { kind: 'rejected', exitCode: 3 }],
    ['429', json(429, {}), { kind: 'in-doubt', isAmbiguous: false }],
    ['no connection', unsent, { kind: 'in-doubt', isAmbiguous: false }],
    [
      'the processor never answered',
      json(200, { ...after, status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } }),
      { kind: 'in-doubt', isAmbiguous: false },
    ],
  ])('is sent once more while the payment is as before; answered %s', async (_, answer, told) => {
    const run = await runResolve(stored(), {
      read: (_request, index) => json(200, index === 0 ? before : after),
      write: () => answer,
    })
    expect(run.resolution).toMatchObject(told)
    expect(run.writes).toMatchObject([{ body: '{"amount":1500}' }])
    expect(run.questions).toBe(1)
  })

  test('is sent once, regardless of the result', async () => {
    const run = await runResolve(stored(), {
      read: () => json(200, before),
      write: () => lost,
      maxRetries: 3,
    })
    expect(run.resolution).toMatchObject({ kind: 'in-doubt' })
    expect(run.writes).toHaveLength(1)
  })

  test.each([lost, json(503, {})])(
    'is looked at once more when that has no usable answer: %#',
    async (answer) => {
      const done = await runResolve(stored(), {
        read: (_, index) => json(200, index === 0 ? before : after),
        write: () => answer,
      })
      expect(done.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
      const unknown = await runResolve(stored(), {
        read: (_, index) => json(200, index === 0 ? before : changed),
        write: () => answer,
      })
      expect(unknown.resolution).toMatchObject({ kind: 'in-doubt' })
    },
  )

  test.each([
    ['test', 60_000],
    ['live', 330_000],
  ] as const)('is not sent as long as the first may arrive: %s', async (mode, ms) => {
    const early = await runResolve(stored({ ...aged(ms - 1), mode }), { read: () => json(200, before) })
    expect(early).toMatchObject({ writes: [], resolution: { kind: 'in-doubt', isAmbiguous: false } })
    const late = await runResolve(stored({ ...aged(ms), mode }), {
      read: () => json(200, before),
      write: () => json(200, after),
    })
    expect(late.writes).toHaveLength(1)
  })

  test('is not sent without confirmation or after a signal', async () => {
    const no = await runResolve(stored(), { read: () => json(200, before), confirmSend: false })
    expect(no).toMatchObject({ writes: [], resolution: { kind: 'in-doubt' } })
    const stop = new AbortController()
    const run = await runResolve(stored(justNow), {
      read: () => {
        stop.abort('SIGINT')
        return json(200, before)
      },
      stop,
    })
    expect(run).toMatchObject({ writes: [], questions: 0, resolution: { kind: 'in-doubt' } })
  })

  test('without an earlier reading is left to a person', async () => {
    const run = await runResolve(stored({ before: undefined }), { read: () => json(200, before) })
    expect(run).toMatchObject({ writes: [], resolution: { kind: 'in-doubt', isAmbiguous: true } })
  })
})

describe('a resumption in doubt', () => {
  const before = { id: 'pay-1', status: 'PENDING' }
  const stored = (more: Partial<DoubtfulWrite> = {}) =>
    storedRefund({
      operation: 'payment.resume',
      amount: undefined,
      idempotencyKey: undefined,
      request: undefined,
      before: snapshotOf(before, 'PENDING'),
      ...more,
    })

  test.each<[string, object, object]>([
    ['AUTHORIZED', { status: 'AUTHORIZED' }, { kind: 'confirmed', exitCode: 0 }],
    ['DECLINED', { status: 'DECLINED' }, { kind: 'confirmed', exitCode: 13 }],
    [
      'FAILED, and its processor never answered',
      { status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } },
      { kind: 'in-doubt', isAmbiguous: false },
    ],
    ['CANCELLED by someone else', { status: 'CANCELLED' }, { kind: 'in-doubt', isAmbiguous: true }],
    [
      'PENDING, and otherwise changed',
      { status: 'PENDING', amount: 5 },
      { kind: 'in-doubt', isAmbiguous: true },
    ],
    ['as before', before, { kind: 'rejected', exitCode: 11 }],
  ])('is read, and never sent: %s', async (_, payment, told) => {
    const run = await runResolve(stored(aged(HOUR_MS)), {
      read: () => json(200, { id: 'pay-1', ...payment }),
    })
    expect(run.resolution).toMatchObject(told)
    expect(run).toMatchObject({ writes: [], questions: 0 })
  })

  test.each([
    ['test', 60_000],
    ['live', 330_000],
  ] as const)('is not undone as long as it may arrive: %s', async (mode, ms) => {
    const early = await runResolve(stored({ ...aged(ms - 1), mode }), { read: () => json(200, before) })
    expect(early.resolution).toMatchObject({ kind: 'in-doubt', isAmbiguous: false })
    const late = await runResolve(stored({ ...aged(ms), mode }), { read: () => json(200, before) })
    expect(late.resolution).toMatchObject({ kind: 'rejected', exitCode: 11, endedBy: 'absence' })
  })

  test.each<[string, Scripted, object]>([
    ['cannot be read', json(503, {}), { kind: 'in-doubt', isAmbiguous: false }],
    ['is not there', refusal(400, 'PaymentError'), { kind: 'rejected', exitCode: 5 }],
  ])('of a payment that %s', async (_, answer, told) => {
    expect((await runResolve(stored(), { read: () => answer })).resolution).toMatchObject(told)
  })

  test('without an earlier reading is left to a person', async () => {
    const run = await runResolve(stored({ before: undefined }), { read: () => json(200, before) })
    expect(run.resolution).toMatchObject({ kind: 'in-doubt', isAmbiguous: true })
  })
})
