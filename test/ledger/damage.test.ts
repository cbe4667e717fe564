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

/** A refund that was done, and whose line is changed. */
async function doneAndChanged(change: (text: string) => string, options = ONCE): Promise<LedgerBench> {
  const bench = createLedgerBench()
  await (await bench.process().ledger.begin(REFUND, options)).settle(DONE)
  rewrite(bench, change)
  return bench
}

/** A refund that was done, and whose end was cut short while it was written. */
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
  test.each(DAMAGES)('keeps the same from being done once more: %s', async (_, change) => {
    const bench = await doneAndChanged(change)
    const again = { ...REFUND, idempotencyKey: 'key-2' }
    await expect(bench.process().ledger.begin(again, ONCE)).rejects.toMatchObject({
      code: 'ledger_damaged',
      exitCode: 6,
      message: expect.stringContaining(historyPath(bench)),
      details: { outcome: 'none', hint: expect.stringContaining('--again') },
    })
    expect(bench.openNames()).toEqual([])
    // On a person's word it is done, and what is written behind the line tells when it was at the latest.
    await (await bench.process().ledger.begin({ ...again, fingerprint: 'another' }, AGAIN)).settle(DONE)
    bench.waitMs(10 * MINUTE_MS + 1)
    await bench.process().ledger.begin(again, ONCE)
  })

  test('counts for ten minutes, though nothing was written since', async () => {
    const bench = await doneAndChanged((text) => text.slice(0, 300))
    bench.waitMs(10 * MINUTE_MS)
    await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'ledger_damaged' })
    bench.waitMs(1)
    await bench.process().ledger.begin(REFUND, ONCE)
  })

  test.each([
    ['of another target', (text: string) => text.replaceAll('"p1"', '"payment-2"').replace('EUR', 'EUS')],
    ['of one that was refused', (text: string) => text.replace('"confirmed"', '"rejected"')],
  ])('is in nobody’s way when it is plainly %s', async (_, change) => {
    const bench = await doneAndChanged(change)
    await bench.process().ledger.begin(REFUND, ONCE)
  })

  test.each(['""', 'null', '"QQQQQQ"', '"\\u0000"', '"exitCode":0'])(
    'is in the way when its target reads %s, and the rest of it is of this payment',
    async (written) => {
      const bench = await doneAndChanged((text) =>
        text.replace('"target":"p1"', `"target":${written}`).replace('"resource":null', '"resource":"p1"'),
      )
      await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({
        code: 'ledger_damaged',
      })
    },
  )

  test('that a crash has cut short is no loss: its record is open, and is in the way itself', async () => {
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

  test('that a full disk has cut short is in the way though its record was abandoned since', async () => {
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
    'keeps a ticket from being used again, however old: %s',
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

  test('of a ticket’s own key is in the way on every target, whatever else is damaged', async () => {
    const bench = await doneAndChanged((text) => text.replace('"p1"', '"payment-2"'), TICKET)
    await expect(bench.process().ledger.begin(REFUND, { ...TICKET, mayRepeat: true })).rejects.toMatchObject({
      code: 'ledger_damaged',
    })
  })

  test('may be what has changed a payment since it was read', async () => {
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

  test('of another write on the target keeps one in doubt from being resolved, and a person may end it', async () => {
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

  test('that was only cut short does not: its record is open, or it was not done', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(REFUSED)
    rewrite(bench, (text) => text.slice(0, 300))
    const intent = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'x' }, AGAIN)
    await intent.settle(UNKNOWN)
    expect((await bench.process().ledger.reopen(intent.id)).damage).toBeUndefined()
  })

  test('that is its own end, cut short, does not make its key another write’s', async () => {
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

  test('of one from more than a day before does not', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    rewrite(bench, (text) => text.replace('500', '501'))
    bench.waitMs(25 * 60 * MINUTE_MS)
    const intent = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'x' }, AGAIN)
    await intent.settle(UNKNOWN)
    expect((await bench.process().ledger.reopen(intent.id)).damage).toBeUndefined()
  })

  test('that may be its own end keeps a write from being sent again', async () => {
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
