import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { RateLimit } from '../../../src/rows/send/adaptive-limiter.ts'

/** The times of requests that wait as told, some of them a little longer. */
function sentAt(perSecond: number, lateMs: readonly number[], count: number): readonly number[] {
  const rate = new RateLimit(perSecond)
  const times: number[] = []
  let now = 0
  for (let index = 0; index < count; index += 1) {
    for (let wait = rate.waitMs(now); wait > 0; wait = rate.waitMs(now)) now += Math.max(wait, 0.001)
    rate.take(now)
    times.push(now)
    now += lateMs[index % lateMs.length] ?? 0
  }
  return times
}

const LATE = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 5000 })),
  { minLength: 1, maxLength: 20 },
)

test('allows no more requests in any second than the limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), LATE, (perSecond, late) => {
      const times = sentAt(perSecond, late, perSecond * 3)
      for (const [index, at] of times.entries()) {
        const next = times[index + perSecond]
        if (next !== undefined) expect(next - at).toBeGreaterThanOrEqual(1000 - 0.001)
      }
    }),
    { numRuns: 60 },
  )
})

test.each([0.5, 1, 2.5, 50, 1000])('%d per second can be reached', (perSecond) => {
  const count = Math.max(3, Math.ceil(perSecond * 3))
  const last = sentAt(perSecond, [0], count).at(-1) ?? 0
  expect(last).toBeLessThanOrEqual(((count - 1) / perSecond) * 1000 + 1)
})

test('does not make up for a pause', () => {
  const rate = new RateLimit(10)
  rate.take(0)
  const after = [10_000, 10_001, 10_002].map((now) => {
    const wait = rate.waitMs(now)
    if (wait <= 0) rate.take(now)
    return wait <= 0
  })
  expect(after).toEqual([true, false, false])
})
