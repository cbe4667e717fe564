import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Intent } from '../../src/ledger/port.ts'
import { parseRecord } from '../../src/ledger/files/record-text.ts'
import {
  AGAIN,
  DONE,
  ONCE,
  ORDER,
  REFUND,
  REFUSED,
  SESSION_UPDATE,
  TICKET,
  UNKNOWN,
  createLedgerBench,
  refundOf,
} from './ledger-bench.ts'

describe('a write', () => {
  test('is recorded in full before it is sent, and in the history once it has ended', async () => {
    const bench = createLedgerBench()
    const { ledger, owner } = bench.process()
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
        owner,
      }),
    ])
    await intent.settle({ ...DONE, resource: 'p1' })
    expect(bench.openNames()).toEqual([])
    expect(bench.lines().map(parseRecord)).toEqual([
      expect.objectContaining({ id: intent.id, state: 'confirmed', exitCode: 0, resource: 'p1' }),
    ])
  })

  test('leaves nothing of the request in the history', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    await (
      await ledger.begin({ ...REFUND, before: { sha256: 'ab', status: 'SETTLED' } }, ONCE)
    ).settle(REFUSED)
    const [line] = bench.lines()
    for (const word of ['request', 'before', 'owner', 'params']) expect(line).not.toContain(`"${word}"`)
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
    expect(bench.openNames()).toHaveLength(1)
  })

  test.each<[string, Intent, Intent?]>([
    ['another target', refundOf('p2')],
    ['another kind of target of the same name', { ...REFUND, target: { kind: 'order', name: 'p1' } }],
    ['an order of that name of another account', { ...ORDER, account: 'account-2' }, ORDER],
    ['another service', { ...REFUND, baseUrl: 'https://other.example.com' }],
    ['no target', { ...REFUND, target: undefined }],
  ])('does not block a write on %s', async (_, other, first = REFUND) => {
    const bench = createLedgerBench()
    await bench.process().ledger.begin(first, ONCE)
    await bench.process().ledger.begin(other, ONCE)
    expect(bench.openNames()).toHaveLength(2)
  })

  test('without a target does not block another one without a target', async () => {
    const bench = createLedgerBench()
    const nothing = { ...REFUND, target: undefined }
    for (let count = 0; count < 3; count += 1) await bench.process().ledger.begin(nothing, ONCE)
    expect(bench.openNames()).toHaveLength(3)
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
    expect(bench.lines()).toHaveLength(2)
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
    expect(bench.openNames()).toHaveLength(1)
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

  test('whose outcome is recorded counts as ended, although its process died before removing the file', async () => {
    const bench = createLedgerBench()
    const dead = bench.process({
      disk: { ...bench.disk, remove: async () => Promise.reject(new Error('killed')) },
    })
    const intent = await dead.ledger.begin(REFUND, ONCE)
    await expect(intent.settle(DONE)).rejects.toThrow('killed')
    bench.kill(dead)
    const { ledger } = bench.process()
    expect((await ledger.list({})).records).toMatchObject([{ id: intent.id, state: 'confirmed' }])
    await expect(ledger.reopen(intent.id)).rejects.toMatchObject({ code: 'no_such_operation' })
    await ledger.begin(REFUND, AGAIN)
    expect((await ledger.list({})).records.map(({ state }) => state).toSorted()).toEqual([
      'confirmed',
      'sending',
    ])
  })

  test('that cannot be read still blocks its target and is reported', async () => {
    const bench = createLedgerBench()
    const { ledger } = bench.process()
    const { id } = await ledger.begin(REFUND, ONCE)
    const [file = ''] = bench.openNames()
    writeFileSync(join(bench.folder, 'open', file), '{"id":"op')
    await expect(ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'ledger_damaged', exitCode: 6 })
    await expect(ledger.reopen(id)).rejects.toMatchObject({ code: 'ledger_damaged' })
    expect((await ledger.list({})).damaged.files).toEqual([
      { kind: 'damaged', name: id, path: join(bench.folder, 'open', file) },
    ])
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
    expect(bench.openNames()).toEqual([])
    expect(bench.lines()).toHaveLength(1)
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
