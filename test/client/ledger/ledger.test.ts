import { describe, expect, test } from 'vitest'
import type { Write } from '../../../src/client/ledger/port.ts'
import {
  AGAIN,
  DONE,
  ONCE,
  REFUND,
  REFUSED,
  SESSION_UPDATE,
  TICKET,
  UNKNOWN,
  createLedgerBench,
  refundOf,
} from './ledger-bench.ts'

describe('a write', () => {
  test('is recorded in full before it is sent, and with its outcome once it has ended', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    const intent = await ledger.begin(REFUND, ONCE)
    const open = (await ledger.list({})).records
    expect(open).toEqual([
      expect.objectContaining({
        id: intent.id,
        state: 'sending',
        operation: 'payment.refund',
        target: 'p1',
        amount: 500,
        idempotencyKey: 'key-1',
        request: REFUND.request,
        user: 'ana',
        version: '1.2.3',
      }),
    ])
    await intent.settle({ ...DONE, resource: 'p1' })
    expect(await bench.open()).toEqual([])
    expect(await bench.records()).toEqual([
      expect.objectContaining({ id: intent.id, state: 'confirmed', exitCode: 0, resource: 'p1' }),
    ])
  })

  test('leaves nothing of the request when it has ended', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    await (
      await ledger.begin({ ...REFUND, before: { sha256: 'ab', status: 'SETTLED' } }, ONCE)
    ).settle(REFUSED)
    const [record] = await bench.records()
    for (const word of ['request', 'before']) expect(record).not.toHaveProperty(word)
  })

  test('excludes simultaneous writes on the same target', async () => {
    const bench = createLedgerBench()
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => bench.process().ledger.begin(REFUND, AGAIN)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of tries)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ code: 'in_progress', exitCode: 6, details: { outcome: 'none' } })
    expect(await bench.open()).toHaveLength(1)
  })

  test.each<[string, Write, Write?]>([
    ['another target', refundOf('p2')],
    ['another kind of target of the same name', { ...REFUND, target: { kind: 'order', name: 'p1' } }],
    ['another service', { ...REFUND, baseUrl: 'https://other.example.com' }],
    ['no target', { ...REFUND, target: undefined }],
  ])('does not block a write on %s', async (_, other, first = REFUND) => {
    const bench = createLedgerBench()
    await bench.process().ledger.begin(first, ONCE)
    await bench.process().ledger.begin(other, ONCE)
    expect(await bench.open()).toHaveLength(2)
  })

  test('without a target does not block another one without a target', async () => {
    const bench = createLedgerBench()
    const nothing = { ...REFUND, target: undefined }
    for (let count = 0; count < 3; count += 1) await bench.process().ledger.begin(nothing, ONCE)
    expect(await bench.open()).toHaveLength(3)
  })

  test('blocks another operation on the same target', async () => {
    const bench = createLedgerBench()
    await bench.process().ledger.begin(REFUND, ONCE)
    const capture = { ...REFUND, operation: 'payment.capture' }
    await expect(bench.process().ledger.begin(capture, AGAIN)).rejects.toMatchObject({ code: 'in_progress' })
  })

  test('frees its target when it is refused', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    await (await ledger.begin(REFUND, ONCE)).settle(REFUSED)
    await (await ledger.begin(REFUND, ONCE)).settle(DONE)
    expect(await bench.records()).toHaveLength(2)
  })
})

describe('an open intent', () => {
  test('in doubt blocks every other write, even while its process is running', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    const intent = await ledger.begin(REFUND, ONCE)
    await intent.settle(UNKNOWN)
    for (const options of [ONCE, AGAIN, TICKET])
      await expect(ledger.begin(REFUND, options)).rejects.toMatchObject({
        code: 'open_intent',
        exitCode: 6,
        details: { operationId: intent.id, outcome: 'none' },
      })
    expect(await bench.open()).toHaveLength(1)
  })

  test('of a dead process is in doubt', async () => {
    const bench = createLedgerBench()
    const dead = bench.process()
    await dead.ledger.begin(REFUND, ONCE)
    bench.kill(dead)
    const { ledger } = bench.process()
    await expect(ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'open_intent' })
    expect((await ledger.list({})).records).toMatchObject([{ state: 'in-doubt' }])
  })
})

describe('an equal write', () => {
  test('that is safe to repeat continues its own open intent', async () => {
    const bench = createLedgerBench()
    const first = await bench.process().ledger.begin(SESSION_UPDATE, ONCE)
    await first.settle(UNKNOWN)
    const again = await bench.process().ledger.begin(SESSION_UPDATE, ONCE)
    expect(again).toMatchObject({ id: first.id, isInDoubt: true })
    await again.settle(DONE)
    expect(await bench.open()).toEqual([])
    expect(await bench.records()).toHaveLength(1)
  })

  test('that is safe to repeat is refused at once while the first one is being sent', async () => {
    const bench = createLedgerBench()
    await bench.process().ledger.begin(SESSION_UPDATE, ONCE)
    await expect(bench.process().ledger.begin(SESSION_UPDATE, ONCE)).rejects.toMatchObject({
      code: 'in_progress',
    })
  })

  test.each([
    ['another body', { fingerprint: 'another' }],
    ['another operation', { operation: 'instrument.default' }],
  ])('with %s counts as a different write', async (_, more) => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(SESSION_UPDATE, ONCE)).settle(UNKNOWN)
    await expect(bench.process().ledger.begin({ ...SESSION_UPDATE, ...more }, AGAIN)).rejects.toMatchObject({
      code: 'open_intent',
    })
  })

  test('continues the open intent in one process only', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(SESSION_UPDATE, ONCE)).settle(UNKNOWN)
    const tries = await Promise.allSettled(
      Array.from({ length: 6 }, () => bench.process().ledger.begin(SESSION_UPDATE, ONCE)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

test('the writes that hold an ID are found among others, and open ones are listed with them', async () => {
  const { ledger } = createLedgerBench().process()
  for (const target of ['p"9', 'p8']) await (await ledger.begin(refundOf(target), AGAIN)).settle(DONE)
  await ledger.begin(refundOf('p7'), AGAIN)
  const { records } = await ledger.list({ holding: 'p"9' })
  expect(new Set(records.map(({ target }) => target))).toEqual(new Set(['p"9', 'p7']))
})
