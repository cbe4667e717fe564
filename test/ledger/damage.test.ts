import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  AGAIN,
  DONE,
  ONCE,
  REFUND,
  REFUSED,
  TICKET,
  UNKNOWN,
  createLedgerBench,
  refundOf,
} from './ledger-bench.ts'
import type { LedgerBench, SimulatedProcess } from './ledger-bench.ts'
import { MINUTE_MS, historyPath, rewrite, touch } from './damage-bench.ts'

/** A bench with a confirmed refund whose history line is changed. */
async function doneAndChanged(change: (text: string) => string, options = ONCE): Promise<LedgerBench> {
  const bench = createLedgerBench()
  await (await bench.process().ledger.begin(REFUND, options)).settle(DONE)
  rewrite(bench, change)
  return bench
}

/** A refund that was done, but whose outcome was cut short while it was written. */
async function cutShort(
  bench: LedgerBench,
  length: number,
): Promise<{ process: SimulatedProcess; id: string }> {
  const process = bench.process({
    disk: {
      ...bench.disk,
      append: async (path, text) => {
        await bench.disk.append(path, text.slice(0, length))
        throw new Error('cut short')
      },
    },
  })
  const intent = await process.ledger.begin(REFUND, ONCE)
  await expect(intent.settle(DONE)).rejects.toThrow('cut short')
  return { process, id: intent.id }
}

const DAMAGES: readonly [string, (text: string) => string][] = [
  ['another letter in its state', (text) => text.replace('"confirmed"', '"confirmee"')],
  ['another letter in its target', (text) => text.replace('"p1"', '"q1"')],
  ['another letter in its id', (text) => text.replace('"op-1"', '"op-7"')],
  ['cut short', (text) => text.slice(0, 300)],
  ['cut short before its target', (text) => text.slice(0, 30)],
  ['zeros in its place', (text) => '\0'.repeat(text.length)],
  ['zeros in the place of its target', (text) => text.replace('"p1"', '"\0\0"')],
  ['glued to another line', (text) => text.trimEnd().replace(/^/, '{"id":"op-8","target":"elsewhere"}')],
]

describe('a damaged line of the history', () => {
  test.each(DAMAGES)('blocks an equal write: %s', async (_, change) => {
    const bench = await doneAndChanged(change)
    const again = { ...REFUND, idempotencyKey: 'key-2' }
    await expect(bench.process().ledger.begin(again, ONCE)).rejects.toMatchObject({
      code: 'ledger_damaged',
      exitCode: 6,
      message: expect.stringContaining(historyPath(bench)),
      details: { outcome: 'none', hint: expect.stringContaining('--again') },
    })
    expect(bench.openNames()).toEqual([])
    // With --again it is sent. The line after the damaged one then limits when that was written.
    await (await bench.process().ledger.begin({ ...again, fingerprint: 'another' }, AGAIN)).settle(DONE)
    bench.waitMs(10 * MINUTE_MS + 1)
    await bench.process().ledger.begin(again, ONCE)
  })

  test('blocks for ten minutes, even when nothing was written after it', async () => {
    const bench = await doneAndChanged((text) => text.slice(0, 300))
    bench.waitMs(10 * MINUTE_MS)
    await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'ledger_damaged' })
    bench.waitMs(1)
    await bench.process().ledger.begin(REFUND, ONCE)
  })

  test.each([
    ['of another target', (text: string) => text.replaceAll('"p1"', '"payment-2"').replace('EUR', 'EUS')],
    ['of one that was refused', (text: string) => text.replace('"confirmed"', '"rejected"')],
  ])('does not block when it is clearly %s', async (_, change) => {
    const bench = await doneAndChanged(change)
    await bench.process().ledger.begin(REFUND, ONCE)
  })

  test.each(['""', 'null', '"QQQQQQ"', '"\\u0000"', '"exitCode":0'])(
    'blocks when its target reads %s but the rest is about this payment',
    async (written) => {
      const bench = await doneAndChanged((text) =>
        text.replace('"target":"p1"', `"target":${written}`).replace('"resource":null', '"resource":"p1"'),
      )
      await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({
        code: 'ledger_damaged',
      })
    },
  )

  test('that a crash has cut short loses nothing: its record is still open and blocks', async () => {
    const bench = createLedgerBench()
    const { process: dead, id } = await cutShort(bench, 200)
    bench.kill(dead)
    touch(bench)
    await bench.process().ledger.begin(refundOf('p2'), ONCE)
    const open = await bench.process().ledger.reopen(id)
    expect(open.damage).toBeUndefined()
    await open.settle(DONE)
    await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'duplicate' })
  })

  test('that a full disk has cut short blocks even after its record was abandoned', async () => {
    const bench = createLedgerBench()
    const { process: full, id } = await cutShort(bench, 300)
    bench.kill(full)
    await (await bench.process().ledger.reopen(id)).abandon('not wanted')
    touch(bench)
    const next = { ...REFUND, idempotencyKey: 'key-2' }
    await expect(bench.process().ledger.begin(next, ONCE)).rejects.toMatchObject({ code: 'ledger_damaged' })
    await bench.process().ledger.begin(next, AGAIN)
  })

  test.each(DAMAGES.slice(0, 4))(
    'blocks a second use of its ticket, however old it is: %s',
    async (_, change) => {
      const ticket = { ...REFUND, idempotencyKey: 'ticket-0123456789abcdef' }
      const bench = createLedgerBench()
      await (await bench.process().ledger.begin(ticket, TICKET)).settle(DONE)
      rewrite(bench, change)
      for (const days of [0, 400]) {
        bench.waitMs(days * 24 * 60 * MINUTE_MS)
        await expect(bench.process().ledger.begin(ticket, TICKET)).rejects.toMatchObject({
          code: 'ledger_damaged',
          exitCode: 6,
        })
      }
    },
  )

  test('with the key of a ticket blocks that ticket on every target', async () => {
    const bench = await doneAndChanged((text) => text.replace('"p1"', '"payment-2"'), TICKET)
    await expect(bench.process().ledger.begin(REFUND, { ...TICKET, mayRepeat: true })).rejects.toMatchObject({
      code: 'ledger_damaged',
    })
  })

  test('counts as a write that may have changed the payment since it was read', async () => {
    const bench = createLedgerBench()
    const seenAt = bench.clock.now.toISOString()
    bench.waitMs(5)
    await (await bench.process().ledger.begin(REFUND, AGAIN)).settle(DONE)
    rewrite(bench, (text) => text.replace('"confirmed"', '"confirmeD"'))
    const adjustment = { ...REFUND, operation: 'payment.adjust', fingerprint: 'to 500' }
    await expect(bench.process().ledger.begin(adjustment, { ...AGAIN, seenAt })).rejects.toMatchObject({
      code: 'ledger_damaged',
    })
  })

  test('of another write on the target blocks resolving, but not abandoning', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    rewrite(bench, (text) => text.replace('500', '501'))
    const { id } = await bench
      .process()
      .ledger.begin({ ...REFUND, fingerprint: 'x' }, AGAIN)
      .then(async (one) => {
        await one.settle(UNKNOWN)
        return one
      })
    const open = await bench.process().ledger.reopen(id)
    expect(open.damage).toMatchObject({
      code: 'ledger_damaged',
      exitCode: 6,
      details: { operationId: id, next: [`pay ops show ${id}`, `pay ops abandon ${id}`] },
    })
    await open.abandon('looked')
    expect(bench.openNames()).toEqual([])
  })

  test('that was only cut short does not block resolving: its record is open, or nothing was done', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(REFUSED)
    rewrite(bench, (text) => text.slice(0, 300))
    const intent = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'x' }, AGAIN)
    await intent.settle(UNKNOWN)
    expect((await bench.process().ledger.reopen(intent.id)).damage).toBeUndefined()
  })

  test('that is the outcome of the same write, cut short, does not make its key count as used by another', async () => {
    const bench = createLedgerBench()
    const writer = bench.process()
    const intent = await writer.ledger.begin(REFUND, AGAIN)
    await intent.settle(UNKNOWN)
    writeFileSync(historyPath(bench), '{"id":"op-1","idempotencyKey":"key-1","createdAt":"2026-')
    const own = await bench.process().ledger.reopen('op-1')
    expect(await own.intent.isKeyTaken?.()).toBe(false)
    await own.release()
    writeFileSync(historyPath(bench), '{"id":"op-9","idempotencyKey":"key-1","createdAt":"2026-')
    const others = await bench.process().ledger.reopen('op-1')
    expect(await others.intent.isKeyTaken?.()).toBe(true)
  })

  test('of a write from more than a day before does not block resolving', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    rewrite(bench, (text) => text.replace('500', '501'))
    bench.waitMs(25 * 60 * MINUTE_MS)
    const intent = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'x' }, AGAIN)
    await intent.settle(UNKNOWN)
    expect((await bench.process().ledger.reopen(intent.id)).damage).toBeUndefined()
  })

  test('that may be the outcome of the write itself blocks sending it again', async () => {
    const bench = createLedgerBench()
    const dead = bench.process({
      disk: { ...bench.disk, remove: async () => Promise.reject(new Error('killed')) },
    })
    const intent = await dead.ledger.begin(REFUND, ONCE)
    await expect(intent.settle(REFUSED)).rejects.toThrow('killed')
    bench.kill(dead)
    rewrite(bench, (text) => text.replace('"p1"', '"p\u0001"'))
    expect((await bench.process().ledger.reopen(intent.id)).damage).toMatchObject({ code: 'ledger_damaged' })
  })
})
