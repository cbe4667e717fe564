import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { WHOLE, isInShard } from '../../../src/rows/read/shard.ts'

const partsOf = (id: string, of: number) =>
  Array.from({ length: of }, (_, index) => index + 1).filter((part) => isInShard(id, { part, of }))

test('every ID is in exactly one part', () =>
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 50 }), (id, of) => {
      expect(partsOf(id, of)).toHaveLength(1)
    }),
  ))

// Another machine, with another version, may finish the part that one has started.
test.each([
  ['ext-1', 4, 4],
  ['ext-2', 4, 2],
  ['', 7, 2],
  ['注文', 1000, 136],
])('%j of %i is in part %i', (id, of, part) => expect(partsOf(id, of)).toEqual([part]))

test('the whole has every ID', () => expect(isInShard('ext-1', WHOLE)).toBe(true))

test('parts are about equal in size', () => {
  const counts = [0, 0, 0, 0, 0]
  for (let index = 0; index < 10_000; index += 1) {
    const [part = 0] = partsOf(`ext-${index}`, 5)
    counts[part - 1] = (counts[part - 1] ?? 0) + 1
  }
  for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(200)
})
