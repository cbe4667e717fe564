import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRepeatFinder } from '../../../src/rows/import/check-rows.ts'

const repeatsOf = (ids: readonly string[]) => {
  const finder = createRepeatFinder()
  for (const [index, id] of ids.entries()) finder.add(id, index + 1)
  return finder.end()
}

test('counts repeats and names their rows', () => {
  expect(repeatsOf(['a', 'b', 'a', 'c', '', '', 'b', 'a'])).toEqual({
    count: 3,
    first: expect.arrayContaining([
      { paymentId: 'a', count: 2, rows: [1, 3, 8] },
      { paymentId: 'b', count: 1, rows: [2, 7] },
    ]),
  })
})

test('finds exactly the repeats', () => {
  const id = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.constantFrom('x\ny', '"', '\u2028', 'a b'),
  )
  fc.assert(
    fc.property(fc.array(id, { maxLength: 60 }), (ids) => {
      const named = ids.filter((one) => one !== '')
      expect(repeatsOf(ids).count).toBe(named.length - new Set(named).size)
    }),
    { numRuns: 30 },
  )
})

test('names only the first repeats', () => {
  const ids = Array.from({ length: 300 }, (_, index) => `id-${index % 50}`)
  const { count, first } = repeatsOf(ids)
  expect(count).toBe(250)
  expect(first).toHaveLength(20)
  expect(first.every(({ rows, count: times }) => rows.length === 5 && times === 5)).toBe(true)
})

test('distinguishes a hundred thousand IDs', () => {
  const ids = Array.from({ length: 100_000 }, (_, index) => `ext-${index}`)
  expect(repeatsOf([...ids, 'ext-77']).first).toEqual([
    { paymentId: 'ext-77', count: 1, rows: [78, 100_001] },
  ])
})

test.skipIf(process.platform !== 'linux')('ends the check if the disk is full', () => {
  expect(() => createRepeatFinder('/dev/full')).toThrow(
    expect.objectContaining({ code: 'unwritable_file', exitCode: 2 }),
  )
})
