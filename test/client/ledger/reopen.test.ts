import { describe, expect, test } from 'vitest'
import { AGAIN, DONE, ONCE, REFUND, UNKNOWN, createLedgerBench } from './ledger-bench.ts'
import { orphan } from './reopen-bench.ts'

describe('a resolve takes over an intent', () => {
  test('when its process died, with everything needed to send it again', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const open = await bench.process().ledger.reopen(id)
    expect(open).toMatchObject({
      id,
      operation: 'payment.refund',
      target: REFUND.target,
      amount: 500,
      idempotencyKey: 'key-1',
      request: { params: { id: 'p1' }, body: '{"amount":500}' },
    })
    const { first, last } = open.timing()
    expect(first.wallMs).toBe(Date.parse('2026-03-01T12:00:00.000Z'))
    expect(last).toEqual(first)
    await open.settle({ ...DONE, note: 'found out' })
    expect(await bench.open()).toEqual([])
    expect(await bench.records()).toMatchObject([{ id, state: 'confirmed', note: 'found out' }])
  })

  test('when it is in doubt, even while its process is running', async () => {
    const bench = createLedgerBench()
    const intent = await bench.process().ledger.begin(REFUND, ONCE)
    await intent.settle(UNKNOWN)
    await (await bench.process().ledger.reopen(intent.id)).settle(DONE)
    expect(await bench.open()).toEqual([])
  })

  test('in only one of many processes that try at the same time', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => bench.process().ledger.reopen(id)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of tries)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'in_progress', exitCode: 6 })
  })

  test('never while its process is at work', async () => {
    const bench = createLedgerBench()
    const { id } = await bench.process().ledger.begin(REFUND, ONCE)
    await expect(bench.process().ledger.reopen(id)).rejects.toMatchObject({ code: 'in_progress' })
    expect((await bench.process().ledger.list({})).records).toMatchObject([{ id, state: 'sending' }])
  })

  test('never while another process resolves it', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    await bench.process().ledger.reopen(id)
    await expect(bench.process().ledger.reopen(id)).rejects.toMatchObject({ code: 'in_progress' })
    await expect(bench.process().ledger.begin(REFUND, AGAIN)).rejects.toMatchObject({ code: 'in_progress' })
    expect((await bench.process().ledger.list({})).records).toMatchObject([{ state: 'sending' }])
  })

  test('again when the resolving process died too, any number of times', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    for (let count = 1; count < 5; count += 1) {
      const next = bench.process()
      await next.ledger.reopen(id)
      bench.kill(next)
    }
    await (await bench.process().ledger.reopen(id)).settle(DONE)
    expect(await bench.open()).toEqual([])
  })

  test('and releases it unchanged for the next one', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const before = await bench.open()
    await (await bench.process().ledger.reopen(id)).release()
    expect(await bench.open()).toEqual(before)
    await bench.process().ledger.reopen(id)
  })

  test('and leaves it in doubt for the next one, with what it found out', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const open = await bench.process().ledger.reopen(id)
    await open.settle({ state: 'in-doubt', exitCode: undefined, note: 'look at it' })
    expect(await bench.open()).toHaveLength(1)
    const next = await bench.process().ledger.reopen(id)
    expect(next.record).toMatchObject({ state: 'in-doubt', note: 'look at it', request: REFUND.request })
    await next.abandon('seen')
    expect(await bench.open()).toEqual([])
    expect(await bench.records()).toMatchObject([{ id, state: 'abandoned' }])
  })

  test('by an id prefix that only one has', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    expect((await bench.process().ledger.reopen(id.slice(0, 3))).id).toBe(id)
  })

  test('never by an ambiguous prefix or an unknown id', async () => {
    const bench = createLedgerBench()
    await orphan(bench)
    const other = bench.process()
    await other.ledger.begin({ ...REFUND, target: undefined }, ONCE)
    bench.kill(other)
    await expect(bench.process().ledger.reopen('op-')).rejects.toMatchObject({ exitCode: 2 })
    await expect(bench.process().ledger.reopen('nobody')).rejects.toMatchObject({
      code: 'no_such_operation',
      exitCode: 5,
    })
  })
})

describe('a process that dies while it resolves', () => {
  const LAST = new Date('2026-03-01T12:00:00.000Z')
  const LATER = new Date('2026-03-01T15:00:00.000Z')

  /** The last attempt that the next process knows of, three hours after the first. */
  async function lastAttemptAfter(sendsAgain: boolean): Promise<Date> {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    bench.clock.now = LATER
    const dying = bench.process()
    const open = await dying.ledger.reopen(id)
    if (sendsAgain) await open.fence()
    bench.kill(dying)
    return new Date((await bench.process().ledger.reopen(id)).timing().last.wallMs ?? 0)
  }

  test('leaves the time of the last attempt as it was', async () => {
    expect(await lastAttemptAfter(false)).toEqual(LAST)
  })

  test('leaves the time of its own attempt', async () => {
    expect(await lastAttemptAfter(true)).toEqual(LATER)
  })

  test('still owns the record after it has recorded an attempt', async () => {
    const bench = createLedgerBench()
    const id = await orphan(bench)
    const open = await bench.process().ledger.reopen(id)
    await open.fence()
    expect(await open.standing()).toBe('ours')
    await expect(bench.process().ledger.reopen(id)).rejects.toMatchObject({ code: 'in_progress' })
    await open.settle(DONE)
    expect(await bench.open()).toEqual([])
  })
})
