import { describe, expect, test } from 'vitest'
import type { DoubtfulWrite } from '../../../src/client/ledger/port.ts'
import { lost } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { json, refusal } from '../../support/simulated-service.ts'
import {
  HOUR_MS,
  MINUTE_MS,
  NOW,
  aged,
  agedBeforeSlowRead,
  storedRefund,
  runResolve,
} from './resolve-bench.ts'

const stored = (more: Partial<DoubtfulWrite> = {}): DoubtfulWrite =>
  storedRefund({
    operation: 'payment.create',
    target: { kind: 'order', name: 'A-1' },
    amount: 1_000,
    request: undefined,
    ...aged(MINUTE_MS),
    ...more,
  })

const made = (more: object = {}) => ({
  id: 'made-1',
  date: '2026-03-10T11:59:01.000000',
  status: 'AUTHORIZED',
  orderId: 'A-1',
  amount: 1_000,
  currencyCode: 'EUR',
  ...more,
})
/** Another call from here that has made the payment. */
const OTHER = {
  operation: 'payment.create',
  amount: 1_000,
  exitCode: 0,
  resource: 'made-1',
  effectAt: undefined,
  endedServiceMs: undefined,
}
const listed = (...data: readonly object[]): Scripted => json(200, { data })
const always = (answer: Scripted) => ({ read: () => answer })

describe('a payment in doubt is searched by its order', () => {
  test('and is the one that is there', async () => {
    const run = await runResolve(stored(), always(listed(made())))
    expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0, resource: 'made-1' })
    expect(run.reads.map(({ url }) => url)).toEqual([
      'https://api.example.com/payments?order_id=A-1&limit=100',
    ])
    expect(run).toMatchObject({ writes: [], questions: 0, waits: [] })
  })

  test.each([
    ['AUTHORIZED', 0],
    ['SETTLED', 0],
    ['PENDING', 0],
    ['DECLINED', 13],
    ['CANCELLED', 0],
    ['A_STATUS_OF_TOMORROW', 0],
  ])('and is reported with its state: %s is exit %i', async (status, exitCode) => {
    const run = await runResolve(stored(), always(listed(made({ status }))))
    expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode, resource: 'made-1' })
  })

  test.each<[string, Scripted, object]>([
    ['declined', json(200, made({ status: 'FAILED' })), { kind: 'confirmed', exitCode: 13 }],
    [
      'never answered by its processor',
      json(200, made({ status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } })),
      { kind: 'in-doubt', isAmbiguous: false },
    ],
    ['not to be read', json(500, {}), { kind: 'in-doubt', isAmbiguous: false }],
  ])('and one that failed is read for why, since a list does not tell: %s', async (_, answer, told) => {
    const run = await runResolve(stored(), {
      read: ({ url }) => (url.includes('?') ? listed(made({ status: 'FAILED' })) : answer),
    })
    expect(run.resolution).toMatchObject(told)
    expect(run.resolution.words).toContain('made-1')
  })

  test.each<[string, readonly object[]]>([
    ['there is none', []],
    ['it has another amount', [made({ amount: 999 })]],
    ['it has another currency', [made({ currencyCode: 'JPY' })]],
    ['it is of another order', [made({ orderId: 'A-10' })]],
  ])('and was not done where %s, after a while', async (_, payments) => {
    const run = await runResolve(stored(aged(MINUTE_MS)), always(listed(...payments)))
    expect(run.resolution).toMatchObject({ kind: 'rejected', exitCode: 11, endedBy: 'absence' })
    expect(run.reads).toHaveLength(1)
  })

  test("and one of the day before isn't it only if the service's clock was read when it was sent", async () => {
    const service = always(listed(made({ date: '2026-03-09T11:58:59.000000' })))
    const { timing } = stored(aged(MINUTE_MS))
    const first = { ...timing().first, serviceMs: NOW.getTime() - MINUTE_MS }
    const noted = stored({ timing: () => ({ ...timing(), first }) })
    expect((await runResolve(noted, service)).resolution).toMatchObject({ kind: 'rejected' })
    const counted = await runResolve(stored(aged(MINUTE_MS)), service)
    expect(counted.resolution).toMatchObject({ kind: 'in-doubt', isAmbiguous: true })
  })

  test.each([
    ['test', 60_000],
    ['live', 330_000],
  ] as const)('and stays in doubt as long as it may arrive: %s', async (mode, ms) => {
    const early = await runResolve(stored({ ...aged(ms - 1), mode }), always(listed()))
    expect(early).toMatchObject({ waits: [], resolution: { kind: 'in-doubt', isAmbiguous: false } })
    expect(early.resolution.words).toContain('ask again after 2026-03-10 12:00:01 UTC')
    const late = await runResolve(stored({ ...aged(ms), mode }), always(listed()))
    expect(late).toMatchObject({ waits: [], resolution: { kind: 'rejected', exitCode: 11 } })
  })

  test('and stays in doubt if the orders were asked for too early, however late they came', async () => {
    const { times, read } = agedBeforeSlowRead(MINUTE_MS - 1, () => listed())
    const run = await runResolve(stored(times), { read })
    expect(run.resolution).toMatchObject({ kind: 'in-doubt', isAmbiguous: false })
  })

  test.each([
    ['ten minutes', '2026-03-10T11:49:00.000000'],
    ['nearly a day', '2026-03-09T12:00:01.000000'],
  ])('and one of %s before may be it, by a clock that is ahead: a person has to tell', async (_, date) => {
    const run = await runResolve(stored(), always(listed(made({ date }))))
    expect(run.resolution).toMatchObject({ kind: 'in-doubt', isAmbiguous: true })
    expect(run.resolution.words).toContain('made-1')
    // Another one that is there at the right time is the one.
    const both = listed(made({ date }), made({ id: 'made-2' }))
    expect((await runResolve(stored(), always(both))).resolution).toMatchObject({ resource: 'made-2' })
    // What another call from here has made is accounted for.
    const none = await runResolve(
      stored({ others: [OTHER], ...aged(HOUR_MS) }),
      always(listed(made({ date }))),
    )
    expect(none.resolution).toMatchObject({ kind: 'rejected' })
  })

  test('and two that it could be are for a person to tell apart', async () => {
    const run = await runResolve(stored(), always(listed(made(), made({ id: 'made-2' }))))
    expect(run.resolution).toMatchObject({ kind: 'in-doubt', isAmbiguous: true })
    expect(run.resolution.words).toContain('made-1, made-2')
  })

  test('and is none that another call from here has made', async () => {
    const none = await runResolve(stored({ others: [OTHER] }), always(listed(made())))
    expect(none.resolution).toMatchObject({ kind: 'rejected', exitCode: 11 })
    const one = await runResolve(stored({ others: [OTHER] }), always(listed(made(), made({ id: 'made-2' }))))
    expect(one.resolution).toMatchObject({ kind: 'confirmed', resource: 'made-2' })
  })

  test.each<[string, object]>([
    ['its amount', { amount: undefined }],
    ['its currency', { currencyCode: undefined }],
  ])('and is found without %s, on either side', async (_, more) => {
    expect((await runResolve(stored(more), always(listed(made())))).resolution.kind).toBe('confirmed')
    expect((await runResolve(stored(), always(listed(made(more))))).resolution.kind).toBe('confirmed')
  })

  test('and with null for its amount on the other side', async () => {
    const listing = always(listed(made({ amount: null })))
    expect((await runResolve(stored(), listing)).resolution.kind).toBe('confirmed')
  })

  test('and without a date or an order on the other side', async () => {
    const bare = made({ date: undefined, orderId: undefined })
    expect((await runResolve(stored(), always(listed(bare)))).resolution.kind).toBe('confirmed')
  })

  test('and cannot be named if its id is not shown', async () => {
    const run = await runResolve(stored(), always(listed(made({ id: undefined }))))
    expect(run.resolution).toMatchObject({ kind: 'in-doubt' })
  })

  test.each<[string, Scripted]>([
    ['is lost', lost],
    ['is 500', json(500, {})],
    ['is no list', json(200, {})],
    ['is a page of HTML', { status: 200, headers: {}, body: '<html>' }],
    ['is not for this key', refusal(403, 'Forbidden')],
    ['is not all there is', json(200, { data: [made()], nextCursor: 'more' })],
  ])('and nothing is made of it where the list %s', async (_, answer) => {
    const run = await runResolve(stored(aged(HOUR_MS)), always(answer))
    expect(run.resolution).toMatchObject({ kind: 'in-doubt', isAmbiguous: false })
    expect(run.writes).toEqual([])
  })

  test('and is not undone because another API key does not see it', async () => {
    const run = await runResolve(stored({ ...aged(HOUR_MS), apiKeyId: 'another' }), always(listed()))
    expect(run.resolution).toMatchObject({ kind: 'in-doubt' })
    expect(run.resolution.words).toContain('API key')
  })
})

test.each<[string, DoubtfulWrite['target']]>([
  ['an order with a comma, which would ask for two', { kind: 'order', name: 'A,B' }],
  ['a token alone', { kind: 'payment-token', name: 'sha256:aa' }],
  ['nothing', undefined],
])('a payment that is known by %s is left to a person', async (_, target) => {
  const run = await runResolve(stored({ target }), always(listed(made())))
  expect(run.resolution).toMatchObject({ kind: 'in-doubt' })
  expect(run).toMatchObject({ reads: [], writes: [], questions: 0 })
})

test('unusual characters in an order id are sent encoded', async () => {
  const run = await runResolve(stored({ target: { kind: 'order', name: 'é & /?#=%' } }), always(listed()))
  expect(new URL(run.reads[0]?.url ?? '').searchParams.get('order_id')).toBe('é & /?#=%')
  expect(run.resolution.kind).toBe('rejected')
})
