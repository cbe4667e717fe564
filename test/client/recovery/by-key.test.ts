import { describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import { lost, unsent } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { json, refusal } from '../../support/simulated-service.ts'
import { HOUR_MS, MINUTE_MS, aged, agedBeforeSlowRead, storedRefund, runResolve } from './resolve-bench.ts'
import { DATE, IN_DOUBT, absent, refundEntry, settled, shown } from './by-key-cases.ts'
import type { Told } from './by-key-cases.ts'

const LONG_AGO = '2026-03-09T11:59:00.500000'

describe('a refund in doubt', () => {
  test.each<[string, Scripted, Told]>([
    ['cannot be read', json(500, {}), IN_DOUBT],
    ['is lost on its way', lost, IN_DOUBT],
    ['is a page of HTML', { status: 200, headers: {}, body: '<html>' }, IN_DOUBT],
    ['is no payment', json(200, []), IN_DOUBT],
    ['is another payment', json(200, { ...settled(1_000, 300), id: 'pay-2' }), IN_DOUBT],
    ['is a word of a proxy', json(200, { message: 'maintenance' }), IN_DOUBT],
    ['is not shown to this key', refusal(401, 'Unauthorized'), IN_DOUBT],
    ['is not there, says something on the way', { status: 404, headers: {}, body: 'nginx' }, IN_DOUBT],
    ['is not there', refusal(400, 'PaymentError'), { kind: 'rejected', exitCode: 5 }],
    ['is not there (404)', refusal(404, 'PaymentNotFoundError'), { kind: 'rejected', exitCode: 5 }],
  ])('is not sent when the payment %s', async (_, answer, told) => {
    const run = await runResolve(storedRefund(), { read: () => answer })
    expect(run.resolution).toMatchObject(told)
    expect(run.writes).toEqual([])
    expect(run.questions).toBe(0)
  })

  test('is not called not done by a payment that was read too early, however late it came', async () => {
    const { times, read } = agedBeforeSlowRead(MINUTE_MS - 1, () => absent)
    const run = await runResolve(storedRefund({ ...times, apiKeyId: 'of another key' }), { read })
    expect(run.resolution).toMatchObject(IN_DOUBT)
    expect(run.writes).toEqual([])
  })

  test('is not sent without a yes', async () => {
    const run = await runResolve(storedRefund(), { read: () => absent, confirmSend: false })
    expect(run.resolution).toMatchObject(IN_DOUBT)
    expect(run.resolution.words).toContain('Not confirmed')
    expect(run).toMatchObject({ writes: [], questions: 1 })
  })

  test('is not sent where a colleague made an equal refund while the question stood', async () => {
    const run = await runResolve(storedRefund(), {
      read: (_, index) => (index === 0 ? absent : shown),
      confirmSend: 'asked',
    })
    expect(run.resolution).toMatchObject({ kind: 'confirmed' })
    expect(run.resolution.words).toContain("yours or a colleague's")
    expect(run).toMatchObject({ writes: [], questions: 1 })
  })

  test('is sent after the question if the payment is as it was', async () => {
    const run = await runResolve(storedRefund(), {
      read: (_, index) => (index < 2 ? absent : shown),
      write: () => json(200, { id: 'pay-1' }),
      confirmSend: 'asked',
    })
    expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
    expect(run.writes).toHaveLength(1)
  })

  test('is sent with the same key and bytes on every attempt', async () => {
    const answers: readonly Scripted[] = [lost, json(503, {}), json(429, {}), json(200, { id: 'pay-1' })]
    const run = await runResolve(storedRefund(), {
      read: (_, index) => (index === 0 ? absent : shown),
      write: (_, index) => answers[index] ?? lost,
      maxRetries: 3,
    })
    expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
    expect(run.writes).toHaveLength(4)
    expect(new Set(run.writes.map((request) => JSON.stringify(request))).size).toBe(1)
    expect(run.questions).toBe(1)
  })

  test.each([
    ['DECLINED', 13],
    ['FAILED', 13],
  ])('of a payment whose refund transaction is %s is reported as such', async (processorStatus, exitCode) => {
    const answer = json(200, { ...settled(1_000, 0), transactions: [refundEntry(DATE, { processorStatus })] })
    const run = await runResolve(storedRefund(), {
      read: (_, index) => (index === 0 ? absent : answer),
      write: () => answer,
    })
    expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode })
  })

  test('that the processor never answered stays in doubt, however often it is looked at', async () => {
    const never = json(200, {
      ...settled(1_000, 300),
      transactions: [
        refundEntry(DATE, { processorStatus: 'FAILED', processorStatusReason: { type: 'GATEWAY_TIMEOUT' } }),
      ],
    })
    const again = await runResolve(storedRefund(), {
      read: () => never,
      write: () => refusal(409, 'IdempotencyKeyAlreadyExists'),
    })
    expect(again.resolution).toMatchObject({ kind: 'in-doubt' })
    const old = await runResolve(storedRefund(aged(24 * HOUR_MS)), {
      read: () =>
        json(200, {
          ...settled(1_000, 300),
          transactions: [
            refundEntry(LONG_AGO, {
              processorStatus: 'FAILED',
              processorStatusReason: { type: 'GATEWAY_TIMEOUT' },
            }),
          ],
        }),
    })
    expect(old.resolution).toMatchObject({ kind: 'in-doubt' })
    expect(old.writes).toEqual([])
  })

  test('whose key was used, while the payment cannot be read, is done', async () => {
    const run = await runResolve(storedRefund(), {
      read: (_, index) => (index === 0 ? absent : json(500, {})),
      write: () => refusal(409, 'IdempotencyKeyAlreadyExists'),
    })
    expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
    expect(run.resolution.words).toContain('the service knows its idempotency key')
  })

  test('whose key was used, while there is no such payment any more, is not called ambiguous', async () => {
    const run = await runResolve(storedRefund(), {
      read: (_, index) => (index === 0 ? absent : refusal(400, 'PaymentError')),
      write: () => refusal(409, 'IdempotencyKeyAlreadyExists'),
    })
    expect(run.resolution).toMatchObject(IN_DOUBT)
  })

  test('says that it was not sent where it was not', async () => {
    const run = await runResolve(storedRefund(), { read: () => absent, write: () => unsent })
    expect(run.resolution.words).toContain('could not be sent again')
    expect(run.resolution.words).toContain('Resolve it again once the service responds.')
  })

  test('is not sent after a first signal', async () => {
    const stop = new AbortController()
    const run = await runResolve(storedRefund(), {
      read: () => {
        stop.abort('SIGINT')
        return absent
      },
      stop,
    })
    expect(run.resolution).toMatchObject(IN_DOUBT)
    expect(run.writes).toEqual([])
  })

  test('whose body could not be kept is left to a person', async () => {
    const run = await runResolve(storedRefund({ request: undefined }), { read: () => absent })
    expect(run.resolution).toMatchObject(IN_DOUBT)
    expect(run).toMatchObject({ reads: [], writes: [] })
  })
})

test.each([
  ['an operation that is not known here', 'payment.split', IN_DOUBT],
  ['a path of one’s own', 'api', IN_DOUBT],
  ['points', 'loyalty.create', IN_DOUBT],
  ['a session', 'session.create', IN_DOUBT],
  ['a change that is harmless to repeat', 'session.update', IN_DOUBT],
  ['a saved method', 'instrument.delete', IN_DOUBT],
])('%s is left to a person, and nothing is requested', async (_, operation, told) => {
  const run = await runResolve(storedRefund({ operation, request: undefined }), {
    read: () => new TransportFailure('other', true, 'nothing was to be read'),
  })
  expect(run.resolution).toMatchObject(told)
  expect(run).toMatchObject({ reads: [], writes: [], questions: 0 })
})
