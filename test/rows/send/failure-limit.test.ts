import { expect, test } from 'vitest'
import { exceedsLimit } from '../../../src/rows/send/failure-limit.ts'

const exceeds = (
  limit: Parameters<typeof exceedsLimit>[0],
  answered: number,
  answeredFailedOrUnknown: number,
  rows?: number,
) => exceedsLimit(limit, { answered, answeredFailedOrUnknown }, rows)

test('nothing exceeds no limit', () => {
  expect(exceeds(undefined, 10, 10)).toBe(false)
})

test.each([
  [{ count: 0 }, 5, 0, undefined, false],
  [{ count: 0 }, 5, 1, undefined, true],
  [{ count: 3 }, 5, 3, undefined, false],
  // Of the rows so far.
  [{ share: 0.1 }, 200, 20, undefined, false],
  [{ share: 0.1 }, 200, 21, undefined, true],
  // Of the first hundred.
  [{ share: 0.1 }, 10, 10, undefined, false],
  [{ share: 0.1 }, 11, 11, undefined, true],
  [{ share: 0.1 }, 11, 11, 100_000, true],
  // Of a shorter run.
  [{ share: 0.1 }, 4, 4, 40, false],
  [{ share: 0.1 }, 5, 5, 40, true],
  [{ share: 0 }, 1, 1, 40, true],
  [{ share: 1 }, 40, 40, 40, false],
])('limit %j after %d rows with %d problems, of %s rows: %s', (limit, answered, problems, rows, expected) => {
  expect(exceeds(limit, answered, problems, rows)).toBe(expected)
})
