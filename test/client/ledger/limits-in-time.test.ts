import { describe, expect, test } from 'vitest'
import type { BeginOptions, LimitsInTime, Write } from '../../../src/client/ledger/port.ts'
import { DONE, ONCE, REFUND, REFUSED, createLedgerBench, refundOf } from './ledger-bench.ts'

const HOUR_MS = 60 * 60_000
const DAY: LimitsInTime = { maxTotal: { EUR: { amount: 1000, spanMs: 24 * HOUR_MS } } }
const HOURLY: LimitsInTime = { maxCount: { count: 2, spanMs: HOUR_MS } }
const under = (limits: LimitsInTime): BeginOptions => ({ ...ONCE, limits })
const REFUSAL = { code: 'over_limit_in_time', exitCode: 12, details: { outcome: 'none' } }

describe('the sum of refunds in a span', () => {
  test.each([
    ['is done', DONE, true],
    ['was declined', { state: 'confirmed', exitCode: 13 }, true],
    ['was refused', REFUSED, false],
    ['is in doubt', { state: 'in-doubt', exitCode: 10 }, true],
    ['is under way', undefined, true],
  ] as const)('counts a refund that %s: %#', async (_, settlement, isCounted) => {
    const bench = createLedgerBench()
    const first = await bench.process().ledger.begin({ ...refundOf('p1'), amount: 600 }, under(DAY))
    if (settlement !== undefined) await first.settle(settlement)
    const second = bench.process().ledger.begin({ ...refundOf('p2'), amount: 401 }, under(DAY))
    if (isCounted) await expect(second).rejects.toMatchObject(REFUSAL)
    else await second
    await bench.process().ledger.begin({ ...refundOf('p3'), amount: isCounted ? 400 : 1 }, under(DAY))
  })

  test('counts what was abandoned, and what other limits let through', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    const first = await ledger.begin({ ...refundOf('p1'), amount: 900 }, ONCE)
    await first.settle({ state: 'in-doubt', exitCode: 10 })
    bench.waitMs(HOUR_MS)
    await (await bench.process().ledger.reopen(first.id)).abandon('looked')
    await expect(ledger.begin({ ...refundOf('p2'), amount: 200 }, under(DAY))).rejects.toMatchObject(REFUSAL)
  })

  test('counts other writes, currencies, and points never', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    const others: readonly Partial<Write>[] = [
      { operation: 'payment.capture', amount: 5000 },
      { operation: 'loyalty.refund', amount: 5000, currencyCode: undefined },
      { currencyCode: 'USD', amount: 5000 },
    ]
    for (const [index, more] of others.entries())
      await (await ledger.begin({ ...refundOf(`p${index}`), ...more }, ONCE)).settle(DONE)
    await ledger.begin({ ...refundOf('p9'), amount: 1000 }, under(DAY))
  })

  test('a refund of an unknown amount takes everything, and is refused under a limit', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    const unknown: Write = { ...refundOf('p1'), amount: undefined }
    await expect(ledger.begin(unknown, under(DAY))).rejects.toMatchObject(REFUSAL)
    await (await ledger.begin(unknown, ONCE)).settle(DONE)
    await expect(ledger.begin({ ...refundOf('p2'), amount: 1 }, under(DAY))).rejects.toThrow('unknown amount')
  })

  test('has room again once enough has left the span, and says when', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    const begin = (payment: string, amount: number) =>
      ledger.begin({ ...refundOf(payment), amount }, under(DAY))
    await (await begin('p1', 600)).settle(DONE)
    bench.waitMs(HOUR_MS)
    await (await begin('p2', 400)).settle(DONE)
    const refused = await begin('p3', 500).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      message:
        '5.00 EUR more would pass the limit of 10.00 EUR in 24h: refunds of that time come to 10.00 EUR',
    })
    const [first] = await bench.records()
    const at = new Date(Date.parse(first?.createdAt ?? '') + 24 * HOUR_MS).toISOString().slice(0, 19)
    expect(refused).toMatchObject({ details: { hint: expect.stringContaining(`again at ${at}Z`) } })
    bench.waitMs(23 * HOUR_MS)
    await expect(begin('p3', 500)).rejects.toMatchObject(REFUSAL)
    bench.waitMs(1)
    await begin('p3', 500)
    await expect(begin('p4', 1001)).rejects.toMatchObject({
      details: { hint: expect.stringContaining('never room') },
    })
  })

  test('counts an open refund however old it is', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    const open = await ledger.begin({ ...refundOf('p1'), amount: 900 }, ONCE)
    await open.settle({ state: 'in-doubt', exitCode: 10 })
    bench.waitMs(72 * HOUR_MS)
    await expect(ledger.begin({ ...refundOf('p2'), amount: 200 }, under(DAY))).rejects.toMatchObject({
      details: { hint: expect.stringContaining('once an open write has ended') },
    })
  })

  test('reads on past what lies between, a part at a time', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    await (await ledger.begin({ ...refundOf('p0'), amount: 900 }, ONCE)).settle(DONE)
    for (let index = 1; index <= 450; index += 1)
      await (await ledger.begin({ ...refundOf(`p${index}`), currencyCode: 'USD' }, ONCE)).settle(DONE)
    await expect(ledger.begin({ ...refundOf('p999'), amount: 200 }, under(DAY))).rejects.toMatchObject(
      REFUSAL,
    )
  })

  test.each([
    ['another profile', { profile: 'other' }, false],
    ['no profile', { profile: undefined }, false],
    ['the profile at another service', { baseUrl: 'https://other.example.com' }, false],
    ['the profile with an earlier key', {}, true],
  ] as const)('of another API key on this machine, of %s', async (_, more, isCounted) => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    if (ledger.team !== undefined) return
    const others = { ...refundOf('p1'), apiKeyId: 'account-2', amount: 900, ...more }
    await (await ledger.begin(others, ONCE)).settle(DONE)
    const open = await ledger.begin({ ...others, target: refundOf('p3').target, amount: 50 }, ONCE)
    await open.settle({ state: 'in-doubt', exitCode: 10 })
    const begun = ledger.begin({ ...refundOf('p2'), amount: 1000 }, under(DAY))
    if (isCounted) await expect(begun).rejects.toThrow('come to 9.50 EUR')
    else await begun
  })

  test('counts a write that was dated by a wrong clock, if one before it is recent', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    if (ledger.team !== undefined) return
    const begin = (payment: string, amount: number) =>
      ledger.begin({ ...refundOf(payment), amount }, under(DAY))
    await (await begin('p1', 600)).settle(DONE)
    bench.waitMs(-48 * HOUR_MS)
    await (await begin('p2', 300)).settle(DONE)
    bench.waitMs(49 * HOUR_MS)
    await expect(begin('p3', 101)).rejects.toMatchObject(REFUSAL)
    await begin('p3', 100)
  })

  test('counts a write that was dated by a wrong clock for the shorter of two limits too', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    if (ledger.team !== undefined) return
    const begin = (payment: string) =>
      ledger.begin({ ...refundOf(payment), amount: 1 }, under({ ...DAY, ...HOURLY }))
    await (await begin('p1')).settle(DONE)
    bench.waitMs(-3 * HOUR_MS)
    await (await begin('p2')).settle(DONE)
    bench.waitMs(3 * HOUR_MS + 60_000)
    await expect(begin('p3')).rejects.toMatchObject(REFUSAL)
  })

  test('a refund of nothing takes everything: a service may take 0 for all that is left', async () => {
    const { ledger } = createLedgerBench().process()
    await expect(ledger.begin({ ...refundOf('p1'), amount: 0 }, under(DAY))).rejects.toMatchObject(REFUSAL)
  })

  test('refuses a call to an unknown path, which may be a refund', async () => {
    const { ledger } = createLedgerBench().process()
    const call: Write = { ...REFUND, operation: 'api', target: { kind: 'path', name: '/payments/x/refund/' } }
    await expect(ledger.begin(call, under(DAY))).rejects.toMatchObject(REFUSAL)
    await ledger.begin(call, ONCE)
  })
})

describe('the number of writes in a span', () => {
  test('counts all that move money', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    const begin = (more: Partial<Write>, payment: string) =>
      ledger.begin({ ...refundOf(payment), ...more }, under(HOURLY))
    await (await begin({ operation: 'payment.capture' }, 'p1')).settle(DONE)
    await (await begin({ operation: 'payment.cancel', amount: undefined }, 'p2')).settle(DONE)
    await (await begin({ currencyCode: 'USD' }, 'p3')).settle(DONE)
    await expect(begin({}, 'p4')).rejects.toMatchObject(REFUSAL)
    await (await begin({ operation: 'session.create', target: undefined }, 'p5')).settle(DONE)
    await (await begin({ operation: 'observability.push', amount: 500 }, 'p6')).settle(DONE)
    bench.waitMs(HOUR_MS + 1)
    await begin({}, 'p7')
  })

  test('a write that is taken over counts once', async () => {
    const bench = createLedgerBench()
    const limits = under({ maxCount: { count: 1, spanMs: HOUR_MS } })
    const repeatable: Write = { ...REFUND, operation: 'payment.authorize', isRepeatable: true }
    const first = bench.process()
    await first.ledger.begin(repeatable, limits)
    bench.kill(first)
    const second = await bench.process().ledger.begin(repeatable, limits)
    expect(second.isInDoubt).toBe(true)
  })
})

test('a preflight refuses what would pass a limit', async () => {
  const bench = createLedgerBench()
  const { ledger } = bench.process()
  await (await ledger.begin({ ...refundOf('p1'), amount: 900 }, ONCE)).settle(DONE)
  await expect(ledger.preflight({ ...refundOf('p2'), amount: 200 }, under(DAY))).rejects.toMatchObject(
    REFUSAL,
  )
})

test('says what is left', async () => {
  const bench = createLedgerBench()
  const { ledger } = bench.process()
  await (await ledger.begin({ ...refundOf('p1'), amount: 900 }, ONCE)).settle(DONE)
  const account = ledger.team?.account ?? REFUND.apiKeyId
  expect(
    await ledger.room({ account, profile: 'shop', baseUrl: REFUND.baseUrl }, { ...DAY, ...HOURLY }),
  ).toEqual([
    { limit: '10.00 EUR in 24h', left: '1.00 EUR' },
    { limit: '2 writes in 1h', left: '1 write' },
  ])
})
