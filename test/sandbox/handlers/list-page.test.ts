import { expect, test } from 'vitest'
import type { Store } from '../../../src/sandbox/database/store.ts'
import { listPage } from '../../../src/sandbox/handlers/lists.ts'

const PAGE = 1024 * 1024

/** A store of records of these sizes, which notes what is read. */
function storeOf(sizes: readonly number[]) {
  const read: number[] = []
  const records: Pick<Store['records'], 'places' | 'read'> = {
    places: (_filter, _position, limit) =>
      sizes
        .map((size, seq) => ({ seq, size, time: '2026-01-31T09:30:00.000000', source: 'external' }) as const)
        .slice(0, limit),
    read: ({ seq }) => {
      read.push(seq)
      return { source: 'external', record: {} }
    },
  }
  return { records, read }
}

test.each([
  ['nothing', [], 2, 0, false],
  ['fewer than the limit', [1], 2, 1, false],
  ['as many as the limit', [1, 2], 2, 2, false],
  ['more than the limit', [1, 2, 3], 2, 2, true],
  ['as much as a page holds', [PAGE - 1, 1], 9, 2, false],
  ['more than a page holds', [PAGE - 1, 2, 3], 9, 1, true],
  ['one row larger than a page', [PAGE + 1], 9, 1, false],
  ['several rows larger than a page', [PAGE + 1, 1], 9, 1, true],
])('shows %s, and reads no other documents', (_, sizes, limit, count, hasMore) => {
  const { records, read } = storeOf(sizes)
  const page = listPage('records', { filter: {}, position: undefined, limit }, records, (whole) => whole)
  expect(page.data).toHaveLength(count)
  expect(page.nextCursor !== undefined).toBe(hasMore)
  expect(read).toEqual(Array.from({ length: count }, (__, seq) => seq))
})
