import { beforeAll, expect, test } from 'vitest'
import { openService } from '../service.ts'
import type { Service } from '../service.ts'
import { runBatchHistory } from './batch-history.ts'

/** `npm run simulate -- --batches --histories 100000` runs many more. */
const HISTORIES = 250
/** Each finds a planted fault that few histories find. */
const REGRESSIONS = [280, 389, 465, 535, 958, 1024, 1776]
/** Different ones in every run. */
const FRESH = 250
const freshSeed = Math.floor(Math.random() * 2 ** 31)

let service: Service
beforeAll(() => {
  service = openService()
})

async function expectPromises(seeds: readonly number[], count: (what: string) => void): Promise<void> {
  for (const seed of seeds) {
    const lines: string[] = []
    await runBatchHistory({ seed, service, count, onLine: (line) => lines.push(line) }).catch(
      (error: unknown) =>
        expect.fail(
          [
            ...lines,
            error instanceof Error ? error.message : String(error),
            `Replay: npm run simulate -- --batches --seed ${seed}`,
          ].join('\n'),
        ),
    )
  }
}

const seedsFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index)

const counts = new Map<string, number>()

test('no row is done twice, none is lost, and every outcome is true', async () => {
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)
  await expectPromises([...seedsFrom(1, HISTORIES), ...REGRESSIONS], count)
}, 120_000)

test(`the same holds in ${FRESH} new histories`, async () => {
  const replay = `npm run simulate -- --batches --from ${freshSeed} --histories ${FRESH}`
  process.stdout.write(`${FRESH} new histories of batches from seed ${freshSeed}; replay: ${replay}\n`)
  await expectPromises(seedsFrom(freshSeed, FRESH), () => undefined)
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
