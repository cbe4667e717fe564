import { expect, test } from 'vitest'
import { MAX_PAGE_SIZE, takePage } from '../../../../src/sandbox/domain/store/take-page.ts'

const rowsOf = (...sizes: readonly number[]) => sizes.map((size) => ({ size }))

test.each([
  ['nothing', rowsOf(), 2, [], false],
  ['fewer than the limit', rowsOf(1), 2, [1], false],
  ['as many as the limit', rowsOf(1, 2), 2, [1, 2], false],
  ['more than the limit', rowsOf(1, 2, 3), 2, [1, 2], true],
  ['as much as a page holds', rowsOf(MAX_PAGE_SIZE - 1, 1), 9, [MAX_PAGE_SIZE - 1, 1], false],
  ['more than a page holds', rowsOf(MAX_PAGE_SIZE - 1, 2, 3), 9, [MAX_PAGE_SIZE - 1], true],
  ['one row larger than a page', rowsOf(MAX_PAGE_SIZE + 1), 9, [MAX_PAGE_SIZE + 1], false],
  ['several rows larger than a page', rowsOf(MAX_PAGE_SIZE + 1, 1), 9, [MAX_PAGE_SIZE + 1], true],
])('takes %s', (_, rows, limit, sizes, hasMore) => {
  expect(takePage(rows, limit)).toEqual({ page: rowsOf(...sizes), hasMore })
})

test('reads one row more than it takes, and ends the reading', () => {
  let [read, isEnded] = [0, false]
  function* rows() {
    try {
      for (;;) {
        read += 1
        yield { size: MAX_PAGE_SIZE / 4 }
      }
    } finally {
      isEnded = true
    }
  }
  expect(takePage(rows(), 100).page).toHaveLength(4)
  expect([read, isEnded]).toEqual([5, true])
})
