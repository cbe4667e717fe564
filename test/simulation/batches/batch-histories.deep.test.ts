import { expect, test } from 'vitest'
import { expectBatchHistories, seedsFrom } from '../expect-histories.ts'

/** `npm run simulate -- --batches --histories 100000` runs many more. */
const HISTORIES = 250
/** Each finds a planted fault that few histories find. */
const REGRESSIONS = [280, 389, 465, 535, 958, 1024, 1776]
/** Different ones in every run. */
const FRESH = 250
const freshSeed = Math.floor(Math.random() * 2 ** 31)

const counts = new Map<string, number>()

test('no row is done twice, none is lost, and every outcome is true', async () => {
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)
  await expectBatchHistories([...seedsFrom(1, HISTORIES), ...REGRESSIONS], count)
}, 120_000)

test(`the same holds in ${FRESH} new histories`, async () => {
  const replay = `npm run simulate -- --batches --from ${freshSeed} --histories ${FRESH}`
  process.stdout.write(`${FRESH} new histories of batches from seed ${freshSeed}; replay: ${replay}\n`)
  await expectBatchHistories(seedsFrom(freshSeed, FRESH))
}, 120_000)

test('kills, power cuts, signals, single writes, every kind of plan and most outcomes occur', () => {
  for (const what of [
    'refund plan',
    'capture plan',
    'cancel plan',
    'kill',
    'power cut',
    'signal',
    'apply',
    'single',
    'row done',
    'row skipped',
    'row unknown',
  ])
    expect(counts.get(what) ?? 0, what).toBeGreaterThan(0)
})
