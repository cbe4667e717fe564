import { expect, test } from 'vitest'
import {
  agree,
  capitalize,
  groupThousands,
  lowerFirst,
  pluralize,
  rowsInWords,
  withFullStop,
} from '../../src/text/words.ts'

test.each([
  [pluralize(0, 'row'), '0 rows'],
  [pluralize(1, 'row'), '1 row'],
  [pluralize(2, 'row'), '2 rows'],
  [pluralize(1, 'row is', 'rows are'), '1 row is'],
  [pluralize(groupThousands(1), 'currency', 'currencies'), '1 currency'],
  [pluralize(groupThousands(1234), 'currency', 'currencies'), '1,234 currencies'],
  [agree(1, 'is', 'are'), 'is'],
  [agree(0, 'is', 'are'), 'are'],
  [groupThousands(999), '999'],
  [groupThousands('12360'), '12,360'],
  [groupThousands(1_000_000), '1,000,000'],
  [groupThousands(1.5), '1.5'],
  [rowsInWords([2]), 'row 2'],
  [rowsInWords([2, 5, 9]), 'rows 2, 5 and 9'],
  [rowsInWords([1, 2, 3, 4, 5, 6]), 'rows 1, 2, 3, 4, 5 and others'],
  [rowsInWords([1, 2], 9), 'rows 1, 2 and others'],
  [capitalize('the refund'), 'The refund'],
  [lowerFirst('The refund'), 'the refund'],
  [withFullStop('Done'), 'Done.'],
  [withFullStop('Done.'), 'Done.'],
])('%s', (words, expected) => {
  expect(words).toBe(expected)
})
