import { expect, test } from 'vitest'

interface Growth {
  readonly ALLOWED_GROWTH: number
  readonly growthOf: (readings: readonly number[]) => number
}

const MODULE = new URL('../../bench/sandbox/growth.mjs', import.meta.url).href
const { ALLOWED_GROWTH, growthOf }: Growth = await import(MODULE)

test.each<[string, readonly number[], boolean]>([
  ['stays as it was', [50, 60, 80, 80, 81, 79, 80, 80], false],
  ['grows at the start alone', [10, 40, 80, 80, 80, 80, 80, 80], false],
  ['goes up and down', [50, 80, 60, 100, 60, 100, 60, 100], false],
  ['grows by a quarter', [50, 60, 80, 80, 90, 90, 100, 100], false],
  ['grows by more', [50, 60, 80, 80, 90, 90, 100, 101], true],
  ['grows by as much each time', [10, 20, 30, 40, 50, 60, 70, 80], true],
  ['is not read often enough', [50, 50, 50], true],
])('memory that %s', (_, readings, isTooMuch) => {
  expect(growthOf(readings) > ALLOWED_GROWTH).toBe(isTooMuch)
})
