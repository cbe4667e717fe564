import { beforeAll, describe, expect, test } from 'vitest'
import { runHistory } from './history.ts'
import { openService } from './service.ts'
import type { Service } from './service.ts'

/** `npm run simulate -- --histories 100000` runs many more. */
const HISTORIES = 400

let service: Service
beforeAll(() => {
  service = openService()
})

/** What a history tells, and how it ended. */
async function storyOf(seed: number): Promise<readonly string[]> {
  const lines: string[] = []
  await runHistory({ seed, service, count: () => undefined, onLine: (line) => lines.push(line) }).catch(
    (error: unknown) => lines.push(error instanceof Error ? error.message : String(error)),
  )
  return [...lines, `Again: npm run simulate -- --seed ${seed}`]
}

describe('whatever happens', () => {
  const met = new Map<string, number>()

  test('every promise is kept', async () => {
    const count = (what: string) => void met.set(what, (met.get(what) ?? 0) + 1)
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const isKept = await runHistory({ seed, service, count }).then(
        () => true,
        () => false,
      )
      if (!isKept) expect.fail((await storyOf(seed)).join('\n'))
    }
  }, 120_000)

  test('it does happen: kills, power cuts, signals, resolves, and every way to end', () => {
    const codes = [0, 2, 3, 5, 6, 7, 8, 9, 10, 11, 13, 130].map((code) => `exit code ${code}`)
    for (const what of ['kill', 'power cut', 'signal', 'resolve', 'killed', ...codes])
      expect(met.get(what) ?? 0, what).toBeGreaterThan(0)
  })
})

test('the same seed tells the same story', async () => {
  const first = await storyOf(7)
  expect(first.length).toBeGreaterThan(20)
  expect(await storyOf(7)).toEqual(first)
  expect(await storyOf(8)).not.toEqual(first)
})
