import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { testStore } from '../../support/ledger-rows.ts'
import { DONE, ONCE, REFUND, REFUSED, UNKNOWN, createLedgerBench } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'
import { FULL, tripping } from './faulty-store.ts'
import { OPEN_STATES } from '../../../src/client/ledger/record.ts'

const storeOf = (bench: LedgerBench): Store => testStore(ledgerPath(bench.folder))

/** The n-th step fails, and what comes after it works again. */
const failingAt = (bench: LedgerBench, at: number): Store =>
  tripping(storeOf(bench), (step) => {
    if (step === at) throw FULL
  })

/** From the n-th step on there is no process any more. */
const dyingAt = (bench: LedgerBench, at: number): Store =>
  tripping(storeOf(bench), (step) => {
    if (step >= at) throw new Error('killed')
  })

const SETTLEMENTS = { confirmed: DONE, rejected: REFUSED, 'in doubt': UNKNOWN } as const

/** How many steps a write takes when nothing is wrong. */
async function callsOf(
  settlement: (typeof SETTLEMENTS)[keyof typeof SETTLEMENTS],
): Promise<{ begin: number; all: number }> {
  const bench = createLedgerBench()
  let calls = 0
  const store = tripping(storeOf(bench), (step) => {
    calls = step
  })
  const intent = await bench.process({ store }).ledger.begin(REFUND, ONCE)
  const begin = calls
  await intent.settle(settlement)
  return { begin, all: calls }
}

/** Everything the next process can find out, and whether the target can be used in the end. */
async function lookAfterwards(bench: LedgerBench) {
  const { ledger } = bench.process()
  const { records, damage } = await ledger.list({})
  expect(damage).toEqual({ records: [], isMiscounted: false })
  for (const { id, state } of records) if (state === 'in-doubt') await (await ledger.reopen(id)).settle(DONE)
  await (await ledger.begin({ ...REFUND, fingerprint: 'another' }, ONCE)).settle(DONE)
  expect((await ledger.list({ states: OPEN_STATES })).damage.isMiscounted).toBe(false)
  expect(await bench.open()).toEqual([])
  return records
}

describe.each(Object.entries(SETTLEMENTS))('a write that ends %s, killed at any step', (_, settlement) => {
  test('is in the ledger truthfully, or was never begun', async () => {
    const { begin, all } = await callsOf(settlement)
    for (let at = 1; at <= all; at += 1) {
      const bench = createLedgerBench()
      const dead = bench.process({ store: dyingAt(bench, at) })
      let hasBegun = false
      let isTold = false
      try {
        const intent = await dead.ledger.begin(REFUND, ONCE)
        hasBegun = true
        await intent.settle(settlement)
        isTold = true
      } catch {
        // No process is left to report it.
      }
      bench.kill(dead)
      expect(hasBegun).toBe(at > begin)
      const records = await lookAfterwards(bench)
      const states = records.map(({ state }) => state)
      if (isTold) expect(states).toEqual([settlement.state])
      else if (hasBegun) expect(['in-doubt', settlement.state]).toContain(states[0])
      expect(records.length).toBeLessThanOrEqual(1)
    }
    expect(all).toBeGreaterThan(begin)
  })
})

describe.each(Object.entries(SETTLEMENTS))(
  'a write that ends %s, with a store that fails once',
  (_, settlement) => {
    test('begins nothing, or its outcome is reported or can be resolved later', async () => {
      const { begin, all } = await callsOf(settlement)
      for (let at = 1; at <= all; at += 1) {
        const bench = createLedgerBench()
        const faulty = bench.process({ store: failingAt(bench, at) })
        const begun = await faulty.ledger.begin(REFUND, ONCE).catch((error: unknown) => {
          expect(error).toBe(FULL)
          return undefined
        })
        if (begun === undefined) {
          expect(at).toBeLessThanOrEqual(begin)
          expect((await faulty.ledger.list({})).records, `step ${at}`).toEqual([])
        } else {
          const isTold = await begun.settle(settlement).then(
            () => true,
            () => false,
          )
          bench.kill(faulty)
          const [record] = (await bench.process().ledger.list({})).records
          // What was not done is forgotten rather than left for someone to send.
          const untold = settlement.state === 'rejected' ? [undefined, 'in-doubt'] : ['in-doubt']
          expect([settlement.state, ...(isTold ? [] : untold)]).toContain(record?.state)
        }
        bench.kill(faulty)
        await lookAfterwards(bench)
      }
    })
  },
)

describe.each(['killed', 'failing'] as const)('finding out, %s at any step', (kind) => {
  test.each(Object.entries(SETTLEMENTS))(
    'and then %s: the record is kept until its end is',
    async (_, settlement) => {
      let isWhole = false
      for (let at = 1; !isWhole; at += 1) {
        const bench = createLedgerBench()
        const dead = bench.process()
        const { id } = await dead.ledger.begin(REFUND, ONCE)
        bench.kill(dead)
        const store = kind === 'killed' ? dyingAt(bench, at) : failingAt(bench, at)
        const finder = bench.process({ store })
        isWhole = await finder.ledger
          .reopen(id)
          .then((open) => open.settle(settlement))
          .then(
            () => true,
            () => false,
          )
        bench.kill(finder)
        const records = (await bench.process().ledger.list({})).records
        expect(records, `step ${at}`).toHaveLength(1)
        expect([settlement.state, 'in-doubt']).toContain(records[0]?.state)
        await lookAfterwards(bench)
        expect(at).toBeLessThan(60)
      }
    },
  )
})

test('a claim looks, writes once and commits, and an outcome likewise', async () => {
  const bench = createLedgerBench()
  const steps: string[] = []
  await bench.process().ledger.begin({ ...REFUND, target: undefined }, ONCE)
  const store = tripping(storeOf(bench), (_, name) => steps.push(name))
  const intent = await bench.process({ store }).ledger.begin(REFUND, ONCE)
  expect(steps.splice(0)).toEqual(['begin', 'all', 'get', 'all', 'run', 'get', 'run', 'commit', 'committed'])
  await intent.settle(DONE)
  expect(steps).toEqual(['begin', 'get', 'run', 'get', 'run', 'commit', 'committed'])
})

describe('a claim whose commit fails', () => {
  /** The commit of the claim is done, and its answer lost; then the next `times` transactions fail too. */
  const losing = (bench: LedgerBench, times: number) => {
    let left = times
    let isLost = false
    const store = tripping(bench.store(), (_, name) => {
      if (name === 'committed' && !isLost) {
        isLost = true
        throw FULL
      }
      if (!isLost || left === 0 || name !== 'begin') return
      left -= 1
      throw FULL
    })
    return bench.process({ store }).ledger
  }

  test('is taken back, since nothing is sent', async () => {
    const bench = createLedgerBench()
    await expect(losing(bench, 0).begin(REFUND, ONCE)).rejects.toBe(FULL)
    expect(await bench.records()).toEqual([])
    await bench.process().ledger.begin(REFUND, ONCE)
  })

  test('and cannot be taken back is reported as unknown: resolving would send it', async () => {
    const bench = createLedgerBench()
    await expect(losing(bench, 1).begin(REFUND, ONCE)).rejects.toMatchObject({
      code: 'outcome_unrecorded',
      message: expect.stringContaining('Nothing was sent, but the ledger failed while it recorded'),
      exitCode: 10,
      details: { operationId: 'op-1', hint: expect.stringContaining('pay ops abandon op-1') },
    })
    expect(await bench.open()).toHaveLength(1)
  })
})
