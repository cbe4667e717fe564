import { readdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openIdOverflowFile } from '../../src/import/id-overflow-file.ts'
import { createRepeatFinder } from '../../src/import/repeats.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pay-repeats-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const repeatsOf = (ids: readonly string[], maxInMemory?: number) => {
  const finder = createRepeatFinder(maxInMemory, () => openIdOverflowFile(folder))
  for (const [index, id] of ids.entries()) finder.add(id, index + 1)
  return finder.end()
}

describe.each([1_000_000, 2, 0])('with room for %i IDs in memory', (most) => {
  test('counts repeats and names their rows', () => {
    expect(repeatsOf(['a', 'b', 'a', 'c', '', '', 'b', 'a'], most)).toEqual({
      count: 3,
      first: expect.arrayContaining([
        { paymentId: 'a', count: 2, rows: [1, 3, 8] },
        { paymentId: 'b', count: 1, rows: [2, 7] },
      ]),
      partialFrom: undefined,
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
        expect(repeatsOf(ids, most).count).toBe(named.length - new Set(named).size)
      }),
      { numRuns: 30 },
    )
  })

  test('names only the first repeats', () => {
    const ids = Array.from({ length: 300 }, (_, index) => `id-${index % 50}`)
    const { count, first } = repeatsOf(ids, most)
    expect(count).toBe(250)
    expect(first).toHaveLength(20)
    expect(first.every(({ rows, count: times }) => rows.length === 5 && times === 5)).toBe(true)
  })
})

test('distinguishes a hundred thousand IDs', () => {
  const ids = Array.from({ length: 100_000 }, (_, index) => `ext-${index}`)
  expect(repeatsOf([...ids, 'ext-77']).first).toEqual([
    { paymentId: 'ext-77', count: 1, rows: [78, 100_001] },
  ])
  expect(repeatsOf([...ids, 'ext-99999'], 10).first).toEqual([
    { paymentId: 'ext-99999', count: 1, rows: [100_000, 100_001] },
  ])
})

test('finds an ID that is longer than a piece of the overflow file', () => {
  const long = 'x'.repeat(20_000)
  expect(repeatsOf([long, 'a', 'b', long], 0)).toMatchObject({ count: 1, first: [{ rows: [1, 4] }] })
})

test('leaves nothing on the disk', () => {
  repeatsOf(['a', 'b', 'a'], 0)
  expect(readdirSync(folder)).toEqual([])
})

test('says from which row on repeats may be missing if the disk is full', () => {
  const finder = createRepeatFinder(2, () => {
    throw new Error('ENOSPC')
  })
  for (const [index, id] of ['a', 'b', 'c', 'c', 'a'].entries()) finder.add(id, index + 1)
  expect(finder.end()).toEqual({
    count: 1,
    first: [{ paymentId: 'a', count: 1, rows: [1, 5] }],
    partialFrom: 3,
  })
})
