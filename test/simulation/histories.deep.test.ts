import { describe, expect, test } from 'vitest'
import { expectHistories, seedsFrom, traceOf } from './expect-histories.ts'

/** `npm run simulate -- --histories 100000` runs many more. */
const HISTORIES = 1000
/** Different ones in every run, to find what no one has thought of. */
const FRESH = 1000
const freshSeed = Math.floor(Math.random() * 2 ** 31)

describe('under faults', () => {
  const counts = new Map<string, number>()

  test('every invariant holds', async () => {
    const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)
    await expectHistories(seedsFrom(1, HISTORIES), count)
  }, 120_000)

  test(`every invariant holds in ${FRESH} new histories`, async () => {
    const replay = `npm run simulate -- --from ${freshSeed} --histories ${FRESH}`
    // Printed in every run: a failure on another machine can then be replayed here.
    process.stdout.write(`${FRESH} new histories from seed ${freshSeed}; replay: ${replay}\n`)
    await expectHistories(seedsFrom(freshSeed, FRESH))
  }, 240_000)

  test('kills, power cuts, signals, resolves and every exit code occur', () => {
    const codes = [0, 2, 3, 5, 6, 7, 8, 9, 10, 11, 13, 130].map((code) => `exit code ${code}`)
    for (const what of ['kill', 'power cut', 'signal', 'resolve', 'killed', ...codes])
      expect(counts.get(what) ?? 0, what).toBeGreaterThan(0)
  })
})

test('the same seed produces the same trace', async () => {
  const first = await traceOf(7)
  expect(first.length).toBeGreaterThan(20)
  expect(await traceOf(7)).toEqual(first)
  expect(await traceOf(8)).not.toEqual(first)
})
