import { describe, expect, test } from 'vitest'
import { isAtWork, machineName } from '../../../src/client/ledger/owner.ts'
import type { Owner, Processes } from '../../../src/client/ledger/owner.ts'
import { ONCE, REFUND, UNKNOWN, createLedgerBench } from './ledger-bench.ts'
import { HOUR_MS } from './reopen-bench.ts'

describe('the check whether a process is at work', () => {
  const here: Owner = { pid: 7, startedAt: 'boot-1', machine: 'desk' }
  const world = (isAlive: boolean, startOf: string | undefined): Processes => ({
    own: () => ({ pid: 1, startedAt: 'boot-0', machine: 'desk' }),
    isAlive: () => isAlive,
    startOf: () => startOf,
  })

  test.each<[string, Owner, Processes, boolean]>([
    ['alive', here, world(true, 'boot-1'), true],
    ['dead', here, world(false, undefined), false],
    ['dead, and the start is reported anyway', here, world(false, 'boot-1'), false],
    ['another has its number', here, world(true, 'boot-2'), false],
    ['only its number is left', here, world(true, 'ended'), false],
    ['alive, and the machine does not tell its start', here, world(true, undefined), true],
    ['alive, and its start was not recorded', { ...here, startedAt: undefined }, world(true, 'boot-9'), true],
    ['dead, its start not recorded', { ...here, startedAt: undefined }, world(false, undefined), false],
  ])('%s', (_, owner, processes, expected) => {
    expect(isAtWork(owner, { untilMs: 0, nowMs: 0 }, processes)).toBe(expected)
  })

  test.each([
    ['its lease lasts', 600_000 - 1, true],
    ['its lease has passed', 600_000, false],
    ['its lease began later than now', -HOUR_MS, true],
  ])('on another machine goes by the lease alone: %s', (_, nowMs, expected) => {
    const owner: Owner = { ...here, machine: 'far' }
    const times = { untilMs: 600_000, nowMs }
    // A local process has the same number, which means nothing.
    expect(isAtWork(owner, times, world(true, 'boot-1'))).toBe(expected)
    expect(isAtWork(owner, times, world(false, undefined))).toBe(expected)
  })

  test('on another machine goes by a lease of ten minutes, which each attempt renews', async () => {
    const bench = createLedgerBench()
    const intent = await bench.process({ machine: 'far' }).ledger.begin(REFUND, ONCE)
    bench.waitMs(HOUR_MS / 6 - 1)
    expect(await intent.fence()).toBe(true)
    bench.waitMs(HOUR_MS / 6 - 1)
    await expect(bench.process().ledger.reopen(intent.id)).rejects.toMatchObject({ code: 'in_progress' })
    bench.waitMs(1)
    await bench.process().ledger.reopen(intent.id)
    expect(await intent.fence()).toBe(false)
  })

  test('is not made for a record in doubt: its process has released it', async () => {
    const bench = createLedgerBench()
    const intent = await bench.process().ledger.begin(REFUND, ONCE)
    await intent.settle(UNKNOWN)
    expect((await bench.process().ledger.list({})).records).toMatchObject([{ state: 'in-doubt' }])
  })

  test("needs a person's confirmation where start times are unknown", async () => {
    const bench = createLedgerBench()
    const { id } = await bench.process({ pid: 7, startedAt: undefined }).ledger.begin(REFUND, ONCE)
    const { ledger } = bench.process({ startedAt: undefined })
    await expect(ledger.reopen(id)).rejects.toMatchObject({
      code: 'in_progress',
      details: {
        hint: expect.stringContaining('may belong to another program by now'),
        next: [`pay ops show ${id}`, `pay ops abandon ${id}`],
      },
    })
    expect(await ledger.find(id)).toMatchObject({ owner: { pid: 7 }, isPidOnly: true })
    await (await ledger.reopen(id, { isConfirmedGone: true })).abandon('it is an editor')
    expect(await ledger.find(id)).toMatchObject({ record: { state: 'abandoned' }, isPidOnly: false })
  })

  test.each([{}, { machine: 'far' }, { namespace: 'pid:[2]' }])(
    'accepts no confirmation where the answer is known or unknowable: %j',
    async (elsewhere) => {
      const bench = createLedgerBench()
      const { id } = await bench.process().ledger.begin(REFUND, ONCE)
      const { ledger } = bench.process(elsewhere)
      expect(await ledger.find(id)).toMatchObject({ record: { state: 'sending' }, isPidOnly: false })
      await expect(ledger.reopen(id, { isConfirmedGone: true })).rejects.toMatchObject({
        code: 'in_progress',
        details: { next: [`pay ops show ${id}`] },
      })
    },
  )

  test.each<[string, { pid: number; startedAt: string | undefined }, string]>([
    ['another start', { pid: 1_001, startedAt: 'boot-x' }, 'in-doubt'],
    ['no known start', { pid: 1_001, startedAt: undefined }, 'sending'],
    ['the same start', { pid: 1_001, startedAt: 'boot-1' }, 'sending'],
  ])('finds the state for a process number with %s: %s', async (_, again, state) => {
    const bench = createLedgerBench()
    const first = bench.process()
    await first.ledger.begin(REFUND, ONCE)
    bench.kill(first)
    bench.process(again)
    expect((await bench.process().ledger.list({})).records).toMatchObject([{ state }])
  })
})

test.each([
  ['linux', 'desk.example.com'],
  ['win32', 'desk.example.com'],
  ['darwin', 'Anas-MacBook'],
])('the name of a machine: %s', (platform, name) => {
  const hostName = () => 'desk.example.com'
  expect(machineName({ platform, hostName, localName: () => 'Anas-MacBook' })).toBe(name)
  expect(machineName({ platform, hostName, localName: () => undefined })).toBe('desk.example.com')
})
